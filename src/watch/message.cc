// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/message.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace omnium::watch {

namespace {

tl::unexpected<Error> broken(std::string_view what) {
  return fail({}, fmt::format("broken message from the program: {}", what));
}

// Takes records from the front of a packet.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> packet) : left_(packet) {}

  template <class T>
  bool take(T& out) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (left_.size() < sizeof(T)) return false;
    std::memcpy(&out, left_.data(), sizeof(T));
    left_ = left_.subspan(sizeof(T));
    return true;
  }
  template <class T>
  bool take(std::vector<T>& out, std::uint32_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (left_.size() / sizeof(T) < count) return false;
    out.resize(count);
    if (count > 0) std::memcpy(out.data(), left_.data(), count * sizeof(T));
    left_ = left_.subspan(count * sizeof(T));
    return true;
  }
  bool take(std::string& out, std::size_t bytes) {
    if (left_.size() < bytes) return false;
    out.assign(reinterpret_cast<const char*>(left_.data()), bytes);
    left_ = left_.subspan(bytes);
    return true;
  }
  std::size_t left() const { return left_.size(); }

 private:
  std::span<const std::byte> left_;
};

// Every offset below the size is a string that ends within the message.
bool all_end(const std::string& strings) { return strings.empty() || strings.back() == '\0'; }

Result<Content> read_modules(Unpacker& in) {
  wire::Modules head;
  std::vector<wire::Module> modules;
  std::string strings;
  if (!in.take(head) || !in.take(modules, head.count) || !in.take(strings, head.string_bytes) ||
      in.left() != 0) {
    return broken("a list of modules of the wrong size");
  }
  if (modules.size() > wire::kMaxModules) return broken("too many modules");
  ModulesMessage out;
  out.wants_functions = head.wants_functions != 0;
  for (const wire::Module& module : modules) {
    if (module.path >= strings.size() || !all_end(strings)) return broken("a module without path");
    out.modules.push_back({module, strings.c_str() + module.path});
  }
  return out;
}

bool is_name(const FindingMessage& it, std::uint32_t offset) { return offset < it.strings.size(); }

// The bytes of an access: as many as one instruction accesses, or as parts of a range that one
// entry has, and not over the end of memory.
bool is_range(std::uint64_t address, std::uint8_t size, std::uint8_t most) {
  return size <= most && address + size >= address;
}

bool is_txn_of(const FindingMessage& it, std::uint32_t txn, std::uint32_t thread) {
  if (txn == wire::kUnknownTxn || txn == wire::kNoTxn) return true;
  return txn < it.txns.size() && it.txns[txn].thread == thread;
}

bool fits(const FindingMessage& it, const wire::Step& step) {
  constexpr std::uint8_t kMostBytes = 16;
  return is_range(step.object, step.size, kMostBytes) && step.from_thread < it.threads.size() &&
         step.to_thread < it.threads.size() && step.kind <= wire::StepKind::kMeeting &&
         step.from_access <= wire::Atomicity::kUpdate &&
         step.to_access <= wire::Atomicity::kUpdate && step.from_thread != step.to_thread &&
         is_txn_of(it, step.from_txn, step.from_thread) &&
         is_txn_of(it, step.to_txn, step.to_thread);
}

bool fits(const FindingMessage& it, const wire::Entry& entry) {
  if (entry.thread >= it.threads.size() || entry.kind > wire::EntryKind::kJoin) return false;
  if (!is_range(entry.object, entry.size, wire::kMostBytesOfEntry)) return false;
  const bool labelled =
      entry.kind == wire::EntryKind::kBegin || entry.kind == wire::EntryKind::kEnd;
  return !labelled || entry.object < it.labels.size();
}

// The runtime never sends more than this, so what it takes to explain a finding is bounded.
bool is_small(const wire::Finding& head) {
  using Most = wire::Finding;
  return head.thread_count <= Most::kThreads && head.label_count <= Most::kLabels &&
         head.block_count <= Most::kBlocks && head.step_count <= Most::kSteps &&
         head.txn_count <= Most::kTxns && head.entry_count <= Most::kEntries &&
         head.heap_count <= Most::kHeapBlocks && head.stack_count <= Most::kStack &&
         head.string_bytes <= Most::kStrings;
}

// What is wrong with the finding's parts; null if all is well.
const char* wrong_with(const FindingMessage& it) {
  const auto all = [](const auto& list, auto good) { return std::ranges::all_of(list, good); };
  if (!all_end(it.strings)) return "strings without an end";
  if (it.head.thread >= it.threads.size()) return "no violating thread";
  if (it.head.number >= wire::kMaxFindings) return "a finding's number is too large";
  if (it.steps.empty()) return "a finding without steps";
  if (it.blocks.empty()) return "a finding without a block";
  if (!all(it.threads, [&](const wire::Thread& thread) { return is_name(it, thread.name); }) ||
      !all(it.labels, [&](const wire::Label& label) { return is_name(it, label.name); })) {
    return "a name that is not there";
  }
  if (!all(it.blocks, [&](const wire::Block& block) { return block.label < it.labels.size(); })) {
    return "a block without a label";
  }
  if (!all(it.txns, [&](const wire::Txn& txn) { return txn.label < it.labels.size(); })) {
    return "a transaction without a label";
  }
  for (std::uint32_t i = 0; i < it.threads.size(); ++i) {
    if (!is_txn_of(it, it.threads[i].txn, i)) return "a thread in a wrong transaction";
  }
  if (!all(it.steps, [&](const wire::Step& step) { return fits(it, step); })) return "a wrong step";
  if (!all(it.entries, [&](const wire::Entry& entry) { return fits(it, entry); })) {
    return "a wrong entry of a history";
  }
  const auto by_thread = [](const wire::Entry& a, const wire::Entry& b) {
    return a.thread < b.thread;
  };
  if (!std::ranges::is_sorted(it.entries, by_thread)) return "histories that are mixed up";
  return nullptr;
}

Result<Content> read_finding(Unpacker& in) {
  FindingMessage out;
  const wire::Finding& head = out.head;
  if (!in.take(out.head) || !is_small(head) || !in.take(out.threads, head.thread_count) ||
      !in.take(out.labels, head.label_count) || !in.take(out.blocks, head.block_count) ||
      !in.take(out.steps, head.step_count) || !in.take(out.txns, head.txn_count) ||
      !in.take(out.entries, head.entry_count) || !in.take(out.heap, head.heap_count) ||
      !in.take(out.stack, head.stack_count) || !in.take(out.strings, head.string_bytes) ||
      in.left() != 0) {
    return broken("a finding of the wrong size");
  }
  if (const char* wrong = wrong_with(out)) return broken(wrong);
  return out;
}

Result<Content> read_hello(Unpacker& in) {
  // The version is read first: the rest of the greeting depends on it.
  Unpacker start = in;
  wire::Header header;
  std::uint32_t version = 0;
  if (!start.take(header) || !start.take(version)) return broken("a greeting of the wrong size");
  if (version != wire::kVersion) {
    return fail({}, fmt::format("the program was built for protocol version {}, but this omnium "
                                "uses version {}: rebuild the program",
                                version, wire::kVersion));
  }
  wire::Hello hello;
  if (!in.take(hello) || in.left() != 0) return broken("a greeting of the wrong size");
  const CheckMode mode{static_cast<Conflicts>(hello.conflicts), static_cast<Waits>(hello.waits)};
  if (mode.conflicts > Conflicts::kAll || mode.waits > Waits::kKeep) {
    return broken("a greeting with an unknown mode");
  }
  if (hello.share == 0 || hello.share > wire::kWhole) {
    return broken("a greeting that judges an impossible share of the blocks");
  }
  return HelloMessage{mode, hello.functions_are_blocks != 0, hello.functions_by_default != 0,
                      hello.share, hello.seed};
}

Result<Content> read_refuted(Unpacker& in) {
  wire::Header header;
  RefutedMessage out;
  in.take(header);
  const std::size_t count = in.left() / sizeof(std::uint64_t);
  if (count > wire::kMaxRefuted || !in.take(out.functions, static_cast<std::uint32_t>(count)) ||
      in.left() != 0) {
    return broken("a list of functions of the wrong size");
  }
  return out;
}

Result<Content> read_content(wire::Type type, Unpacker& in) {
  wire::Header header;
  WarningMessage warning;
  switch (type) {
    case wire::Type::kHello: return read_hello(in);
    case wire::Type::kModules: return read_modules(in);
    case wire::Type::kFinding: return read_finding(in);
    case wire::Type::kWarning:
      in.take(header);
      in.take(warning.text, in.left());
      return warning;
    case wire::Type::kGoodbye: return GoodbyeMessage{};
    case wire::Type::kRefuted: return read_refuted(in);
    case wire::Type::kFunctions:
    case wire::Type::kCounters: break;  // only ever sent to the program
  }
  return broken("of an unknown type");
}

}  // namespace

Result<Message> read_message(std::span<const std::byte> packet) {
  wire::Header header;
  if (!Unpacker(packet).take(header)) return broken("too short");
  Unpacker in(packet);
  auto content = read_content(header.type, in);
  if (!content) return tl::unexpected(content.error());
  return Message{header.process, std::move(*content)};
}

}  // namespace omnium::watch
