// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Says what a runtime would say: programs that use it decide what happened, event by event, and the
// watching side cannot tell the difference.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <link.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "event/check_mode.h"
#include "runtime/system/packet.h"
#include "wire/protocol.h"
#include "wire/share.h"

// Tells instrumented programs from others.
extern "C" [[gnu::used, gnu::visibility("default")]] inline void __tsan_init() {}

namespace fake {

using namespace omnium::wire;
using omnium::runtime::receive_packet;
using omnium::runtime::send_packet;

// The place of the call, as a return address.
[[gnu::noinline]] inline std::uint64_t here() {
  asm volatile("");  // two calls are two places
  return reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
}

template <class T>
std::uint64_t address(T* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

class Runtime {
 public:
  Runtime() {
    const char* channel = std::getenv(kChannelVariable);
    int counters = -1;
    if (channel == nullptr || std::sscanf(channel, "%d,%d", &socket_, &counters) != 2) return;
    counters_file_ = counters;
    counters_ = static_cast<Counters*>(
        ::mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE, MAP_SHARED, counters, 0));
  }

  Counters& counters() { return *counters_; }
  int counters_file() const { return counters_file_; }
  bool watched() const { return counters_ != nullptr; }

  void send(const std::string& packet) { ::send(socket_, packet.data(), packet.size(), 0); }

  int socket() const { return socket_; }
  // Its messages are those of another process from now on, as far as they say.
  void pretend(std::uint32_t process) { pretended_ = process; }
  Header header(Type type) {
    return {type, pretended_ != 0 ? pretended_ : static_cast<std::uint32_t>(::getpid())};
  }
  void hello(std::uint32_t version = kVersion, omnium::CheckMode mode = omnium::kAsPublished) {
    send(bytes(Hello{header(Type::kHello), version, static_cast<std::uint8_t>(mode.conflicts),
                     static_cast<std::uint8_t>(mode.waits), 0, 0, omnium::wire::kWhole, 0, 0}));
  }
  void goodbye() { send(bytes(header(Type::kGoodbye))); }
  void warning(const std::string& text) { send(bytes(header(Type::kWarning)) + text); }

  void modules(bool wants_functions = false) {
    std::vector<Module> list;
    std::string strings;
    Collected collected{list, strings};
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
          static_cast<Collected*>(out)->add(*info);
          return 0;
        },
        &collected);
    const Modules head{header(Type::kModules), wants_functions,
                       static_cast<std::uint32_t>(list.size()),
                       static_cast<std::uint32_t>(strings.size())};
    const std::string packet = bytes(head) + all(list) + strings;
    if (!wants_functions) return send(packet);
    ::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, answer_);
    send_packet(socket_, packet.data(), packet.size(), answer_[1]);
    ::close(answer_[1]);
  }

  // Claims that all memory is a module from this file.
  void claim(const std::string& path, bool wants_functions = false) {
    const Module module{0, 0, ~std::uint64_t{0}, 0, 1};
    const Modules head{header(Type::kModules), wants_functions, 1,
                       static_cast<std::uint32_t>(path.size() + 1)};
    send(bytes(head) + bytes(module) + path + '\0');
  }

  // The answer of the watcher.
  std::vector<FunctionRange> functions() {
    Functions head{};
    int file = -1;
    if (receive_packet(answer_[0], &head, sizeof(head), &file) != sizeof(head)) return {};
    std::vector<FunctionRange> out(head.count);
    const std::size_t size = out.size() * sizeof(FunctionRange);
    const bool whole = ::pread(file, out.data(), size, 0) == static_cast<ssize_t>(size);
    ::close(file);
    return whole ? out : std::vector<FunctionRange>();
  }

  template <class T>
  static std::string bytes(const T& value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  template <class T>
  static std::string all(const std::vector<T>& list) {
    return std::string(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
  }

 private:
  struct Collected {
    std::vector<Module>& list;
    std::string& strings;
    void add(const dl_phdr_info& info) {
      std::uint64_t begin = ~std::uint64_t{0}, end = 0;
      for (int i = 0; i < info.dlpi_phnum; ++i) {
        const auto& segment = info.dlpi_phdr[i];
        if (segment.p_type != PT_LOAD) continue;
        begin = std::min<std::uint64_t>(begin, info.dlpi_addr + segment.p_vaddr);
        end = std::max<std::uint64_t>(end, info.dlpi_addr + segment.p_vaddr + segment.p_memsz);
      }
      list.push_back({info.dlpi_addr, begin, end, static_cast<std::uint32_t>(strings.size()), 1});
      char self[4096] = {};
      if (*info.dlpi_name == '\0') {
        [[maybe_unused]] const auto size = ::readlink("/proc/self/exe", self, sizeof(self) - 1);
      }
      strings += std::string(self) + info.dlpi_name + '\0';
    }
  };

  int socket_ = -1;
  int answer_[2] = {-1, -1};
  int counters_file_ = -1;
  std::uint32_t pretended_ = 0;
  Counters* counters_ = nullptr;
};

// A finding on its way. Threads, labels and blocks first, then events in program order per thread.
class Report {
 public:
  Report() : strings_(1, '\0') {}

  std::uint32_t string(const std::string& text) {
    const auto at = static_cast<std::uint32_t>(strings_.size());
    strings_ += text + '\0';
    return at;
  }
  std::uint32_t thread(std::uint32_t number, std::uint64_t start, const std::string& name = "") {
    threads.push_back({start, 0, 0, number, name.empty() ? 0 : string(name), kNoTxn, 0});
    return static_cast<std::uint32_t>(threads.size() - 1);
  }
  std::uint32_t label(std::uint64_t function) {
    labels.push_back({function, 0, 0});
    return static_cast<std::uint32_t>(labels.size() - 1);
  }
  std::uint32_t label(const std::string& name) {
    labels.push_back({0, string(name), 0});
    return static_cast<std::uint32_t>(labels.size() - 1);
  }
  void block(std::uint32_t label_index, bool refuted, std::uint64_t time, std::uint64_t pc) {
    blocks.push_back({label_index, refuted, time, pc, 0});
  }
  void entry(std::uint32_t of, EntryKind kind, std::uint64_t object, std::uint64_t pc,
             std::uint64_t time, std::uint64_t stamp, std::uint8_t size = 0) {
    if (kind == EntryKind::kEnd) --depth_[of];
    if (kind <= EntryKind::kEnd && depth_[of] <= 0) size |= kIsOutermost;
    if (kind == EntryKind::kBegin) ++depth_[of];
    entries.push_back({object, pc, time, stamp, of, kind, size, 0});
  }

  std::string packet(Runtime& runtime, std::uint32_t number, std::uint32_t violating,
                     bool increasing = true) const {
    const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
    const Finding head{runtime.header(Type::kFinding),
                       number,
                       increasing,
                       violating,
                       count(threads),
                       count(labels),
                       count(blocks),
                       count(steps),
                       count(txns),
                       complete,
                       count(entries),
                       closing_entry,
                       count(heap),
                       count(stack),
                       count(strings_),
                       0,
                       0};
    return Runtime::bytes(head) + Runtime::all(threads) + Runtime::all(labels) +
           Runtime::all(blocks) + Runtime::all(steps) + Runtime::all(txns) + Runtime::all(entries) +
           Runtime::all(heap) + Runtime::all(stack) + strings_;
  }

  std::vector<Thread> threads;
  std::vector<Label> labels;
  std::vector<Block> blocks;
  std::vector<Step> steps;
  std::vector<Txn> txns;
  bool complete = true;
  std::vector<Entry> entries;
  std::uint32_t closing_entry = 0;
  std::vector<HeapBlock> heap;
  std::vector<std::uint64_t> stack;

 private:
  std::map<std::uint32_t, int> depth_;  // of each thread's entries so far
  std::string strings_;
};

}  // namespace fake
