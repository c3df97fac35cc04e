// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/from_trace.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "event/well_formed.h"
#include "model/parser.h"

namespace omnium::model {

namespace {

bool is_plain(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (name.empty() || !letter(name[0]) || is_keyword(name)) return false;
  return std::all_of(name.begin(), name.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

// A name as the parser reads it back; line ends, which no quoted name can hold, become blanks.
std::string spelled(std::string_view name) {
  if (is_plain(name)) return std::string(name);
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + '"';
}

struct ThreadText {
  std::string body;
  std::size_t depth = 0;
  bool reads = false;
};

class Writer {
 public:
  explicit Writer(const Names& names) : names_(names) {}

  void add(const Event& event) {
    if (threads_.size() <= event.thread_id) threads_.resize(event.thread_id + 1u);
    ThreadText& thread = threads_[event.thread_id];
    switch (event.kind) {
      case Kind::kRead:
        thread.reads = true;
        return put(thread, "seen = {};", names_.variables.name(event.object));
      case Kind::kWrite: return put(thread, "{} = true;", names_.variables.name(event.object));
      case Kind::kAcquire: return put(thread, "acquire {};", names_.locks.name(event.object));
      case Kind::kRelease: return put(thread, "release {};", names_.locks.name(event.object));
      case Kind::kFork: return put(thread, "fork {};", names_.threads.name(event.object));
      case Kind::kJoin: return put(thread, "join {};", names_.threads.name(event.object));
      case Kind::kBegin: {
        const std::string_view label = names_.labels.name(event.object);
        if (label.empty()) {
          put(thread, "atomic {{", label);
        } else {
          put(thread, "atomic {} {{", label);
        }
        ++thread.depth;
        return;
      }
      case Kind::kEnd: --thread.depth; return put(thread, "}}", {});
      default: return;
    }
  }

  std::string text(const std::string& title) {
    std::string out = fmt::format("# All interleavings of {}\n", printable(title));
    // Every value is true, so that values do not multiply states.
    for (std::uint32_t i = 0; i < names_.variables.size(); ++i) {
      append(out, "shared bool {} = true;\n", names_.variables.name(i));
    }
    for (std::uint32_t i = 0; i < names_.locks.size(); ++i) {
      append(out, "lock {};\n", names_.locks.name(i));
    }
    threads_.resize(names_.threads.size());
    for (std::uint32_t t = 0; t < threads_.size(); ++t) {
      ThreadText& thread = threads_[t];
      // A block that was open where the trace stopped is judged as if it ended there.
      while (thread.depth > 0) {
        --thread.depth;
        put(thread, "}}", {});
      }
      append(out, "thread {} {{\n", names_.threads.name(t));
      if (thread.reads) out += "  local bool seen = true;\n";
      out += thread.body + "}\n";
    }
    return out;
  }

 private:
  static void append(std::string& out, std::string_view form, std::string_view name) {
    fmt::format_to(std::back_inserter(out), fmt::runtime(form), spelled(name));
  }
  static void put(ThreadText& thread, std::string_view form, std::string_view name) {
    thread.body.append((thread.depth + 1) * 2, ' ');
    append(thread.body, form, name);
    thread.body += '\n';
  }

  const Names& names_;
  std::vector<ThreadText> threads_;
};

}  // namespace

Result<std::string> model_from_trace(EventSource& source, const std::string& title) {
  WellFormed well_formed;
  Writer writer(source.names());
  std::array<Event, 1024> buffer;
  for (;;) {
    const auto count = source.read(buffer);
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) break;
    const auto events = std::span(buffer).first(*count);
    if (auto wrong = well_formed.check(events, source.names())) {
      return fail(source.position_of(wrong->offset), std::move(wrong->what));
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (!is_core(events[i].kind) && events[i].kind != Kind::kSkip) {
        return fail(source.position_of(i), fmt::format("models do not know the operation '{}' yet",
                                                       std_word(events[i].kind)));
      }
      writer.add(events[i]);
    }
  }
  return writer.text(title);
}

}  // namespace omnium::model
