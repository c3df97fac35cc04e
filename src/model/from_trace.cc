// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/from_trace.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "model/parser.h"
#include "predict/loaded_trace.h"
#include "predict/recording.h"

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

// Which write a variable holds, for variables with reads that have to see the write that they saw.
// The first value is 0, the writes that such a read saw are 1, 2, ..., all others share the last
// number.
class LastWrites {
 public:
  explicit LastWrites(const predict::Recording& recording) : recording_(recording) {
    std::vector<std::set<std::uint32_t>> users(recording.extent().variables);
    std::vector<bool> written(recording.extent().variables);
    for (const Event& event : recording.events()) {
      if (!is_access(event.kind)) continue;
      users[event.object].insert(event.thread_id);
      if (is_write(event.kind)) written[event.object] = true;
    }
    numbers_.resize(recording.extent().variables);
    pinned_.resize(recording.extent().variables);
    for (EventIndex i = 0; i < recording.size(); ++i) {
      const Event& event = recording[i];
      if (!is_read(event.kind) || event.kind == Kind::kRead) continue;
      // What one thread alone uses, or nobody writes, is seen in program order.
      if (users[event.object].size() < 2 || !written[event.object]) continue;
      pinned_[event.object] = true;
      const EventIndex seen = recording.write_seen(i);
      auto& numbers = numbers_[event.object];
      if (seen != kNoEvent) numbers.try_emplace(seen, numbers.size() + 1);
    }
  }

  bool pins(std::uint32_t variable) const { return pinned_[variable]; }
  std::size_t highest(std::uint32_t variable) const { return numbers_[variable].size() + 1; }
  std::size_t number(EventIndex write) const {
    if (write == kNoEvent) return 0;
    const auto& numbers = numbers_[recording_[write].object];
    const auto known = numbers.find(write);
    return known == numbers.end() ? numbers.size() + 1 : known->second;
  }
  // What the read has to see.
  std::size_t seen(EventIndex read) const { return number(recording_.write_seen(read)); }

 private:
  const predict::Recording& recording_;
  std::vector<std::map<EventIndex, std::size_t>> numbers_;  // by variable
  std::vector<bool> pinned_;
};

// The events that others have to wait for: signals that an await was behind, waits that a
// notification ended. Of each thread only the last one counts, since the others come before it.
class Orders {
 public:
  explicit Orders(const predict::Recording& recording) : recording_(recording) {
    for (EventIndex i = 0; i < recording.size(); ++i) {
      for (const EventIndex first : before(i)) marked_.insert(first);
    }
  }

  std::vector<EventIndex> before(EventIndex event) const {
    const Kind kind = recording_[event].kind;
    std::map<std::uint32_t, EventIndex> last;
    const auto add = [&](std::span<const std::uint32_t> events) {
      for (const std::uint32_t first : events) last[recording_[first].thread_id] = first;
    };
    if (kind == Kind::kAwait) add(recording_.signals_before(event));
    if (kind == Kind::kSignal) add(recording_.waits_ended_by(event));
    if (kind == Kind::kSignal) add(recording_.signals_before(event));
    last.erase(recording_[event].thread_id);
    std::vector<EventIndex> events;
    for (const auto& [thread, first] : last) events.push_back(first);
    return events;
  }
  const std::set<EventIndex>& marked() const { return marked_; }

 private:
  const predict::Recording& recording_;
  std::set<EventIndex> marked_;
};

struct ThreadText {
  std::string body;
  std::size_t depth = 0;
  bool reads = false;
};

class Writer {
 public:
  Writer(const predict::Recording& recording, const Names& names)
      : recording_(recording),
        names_(names),
        last_writes_(recording),
        orders_(recording),
        threads_(names.threads.size()) {
    for (std::uint32_t i = 0; i < names.variables.size(); ++i) {
      variables_.emplace(names.variables.name(i));
    }
  }

  std::string text(const std::string& title) {
    for (EventIndex i = 0; i < recording_.size(); ++i) add(i);
    std::string out = fmt::format("# All interleavings of {}\n", printable(title));
    declare(out);
    for (std::uint32_t t = 0; t < threads_.size(); ++t) {
      ThreadText& thread = threads_[t];
      // A block that was open where the trace stopped is judged as if it ended there.
      while (thread.depth > 0) {
        --thread.depth;
        put(thread, "}}");
      }
      fmt::format_to(std::back_inserter(out), "thread {} {{\n", spelled(names_.threads.name(t)));
      if (thread.reads) out += "  local bool seen = true;\n";
      out += thread.body + "}\n";
    }
    return out;
  }

 private:
  void declare(std::string& out) const {
    const auto line = [&](auto form, const auto&... arguments) {
      fmt::format_to(std::back_inserter(out), form, arguments...);
    };
    // Every value is true, so that values do not multiply states.
    for (std::uint32_t i = 0; i < names_.variables.size(); ++i) {
      line(FMT_STRING("shared bool {} = true;\n"), spelled(names_.variables.name(i)));
    }
    for (std::uint32_t i = 0; i < names_.variables.size(); ++i) {
      if (!last_writes_.pins(i)) continue;
      line(FMT_STRING("ghost int[0..{}] {};\n"), last_writes_.highest(i), last_write(i));
    }
    for (const EventIndex event : orders_.marked())
      line(FMT_STRING("ghost bool {};\n"), mark(event));
    for (std::uint32_t i = 0; i < names_.locks.size(); ++i) {
      line(FMT_STRING("lock {};\n"), spelled(names_.locks.name(i)));
    }
    for (std::uint32_t i = 0; i < names_.signals.size(); ++i) {
      line(FMT_STRING("channel {};\n"), spelled(names_.signals.name(i)));
    }
  }

  void add(EventIndex index) {
    const Event& event = recording_[index];
    ThreadText& thread = threads_[event.thread_id];
    if (is_access(event.kind)) return access(thread, event, index);
    switch (event.kind) {
      case Kind::kAcquire: return lock(thread, "acquire", event);
      case Kind::kRelease: return lock(thread, "release", event);
      case Kind::kSharedAcquire: return lock(thread, "acquire shared", event);
      case Kind::kSharedRelease: return lock(thread, "release shared", event);
      case Kind::kResume: return lock(thread, "resume", event);
      case Kind::kBusy: return lock(thread, "busy", event);
      case Kind::kWait: lock(thread, "wait", event); return set_mark(thread, index);
      case Kind::kFork: return put(thread, "fork {};", spelled(names_.threads.name(event.object)));
      case Kind::kJoin: return put(thread, "join {};", spelled(names_.threads.name(event.object)));
      case Kind::kSignal:
      case Kind::kAwait: return channel(thread, event, index);
      case Kind::kBegin: {
        const std::string_view label = names_.labels.name(event.object);
        put(thread, "atomic {}{{", label.empty() ? "" : spelled(label) + " ");
        ++thread.depth;
        return;
      }
      case Kind::kEnd: --thread.depth; return put(thread, "}}");
      default: return;
    }
  }

  // An atomic read sees the write that it saw, or is its thread's last event. An update or a failed
  // attempt would be another operation if it saw another write.
  void access(ThreadText& thread, const Event& event, EventIndex index) {
    const std::string name = spelled(names_.variables.name(event.object));
    const bool pins = last_writes_.pins(event.object);
    if (pins && (event.kind == Kind::kUpdate || event.kind == Kind::kRetry)) {
      put(thread, "assume({} == {});", last_write(event.object), last_writes_.seen(index));
    }
    thread.reads |= event.kind == Kind::kRead;
    switch (event.kind) {
      case Kind::kRead: put(thread, "seen = {};", name); break;
      case Kind::kWrite: put(thread, "{} = true;", name); break;
      case Kind::kAtomicRead: put(thread, "load {};", name); break;
      case Kind::kAtomicWrite: put(thread, "store {} = true;", name); break;
      case Kind::kUpdate: put(thread, "update {} = true;", name); break;
      default: put(thread, "retry {};", name); break;
    }
    if (!pins) return;
    if (is_write(event.kind)) {
      put(thread, "{} = {};", last_write(event.object), last_writes_.number(index));
    } else if (event.kind == Kind::kAtomicRead && !is_last(index)) {
      put(thread, "if ({} != {}) {{ halt; }}", last_write(event.object), last_writes_.seen(index));
    }
  }

  bool is_last(EventIndex index) const {
    return recording_.of_thread(recording_[index].thread_id).back() == index;
  }

  void lock(ThreadText& thread, std::string_view operation, const Event& event) {
    put(thread, "{} {};", operation, spelled(names_.locks.name(event.object)));
  }

  void channel(ThreadText& thread, const Event& event, EventIndex index) {
    std::string condition;
    for (const EventIndex first : orders_.before(index)) {
      condition += (condition.empty() ? "" : " && ") + mark(first);
    }
    if (!condition.empty()) put(thread, "assume({});", condition);
    const std::string name = spelled(names_.signals.name(event.object));
    put(thread, "{} {};", event.kind == Kind::kSignal ? "signal" : "await", name);
    set_mark(thread, index);
  }

  void set_mark(ThreadText& thread, EventIndex index) {
    if (orders_.marked().contains(index)) put(thread, "{} = true;", mark(index));
  }

  std::string mark(EventIndex event) const { return ghost(fmt::format("event_{}", event)); }
  std::string last_write(std::uint32_t variable) const {
    return ghost(fmt::format("last write of {}", names_.variables.name(variable)));
  }
  // A name that no variable has.
  std::string ghost(std::string name) const {
    while (variables_.contains(name)) name += '_';
    return spelled(name);
  }

  template <class... Arguments>
  static void put(ThreadText& thread, fmt::format_string<Arguments...> form,
                  Arguments&&... arguments) {
    thread.body.append((thread.depth + 1) * 2, ' ');
    fmt::format_to(std::back_inserter(thread.body), form, std::forward<Arguments>(arguments)...);
    thread.body += '\n';
  }

  const predict::Recording& recording_;
  const Names& names_;
  LastWrites last_writes_;
  Orders orders_;
  std::set<std::string> variables_;  // their names
  std::vector<ThreadText> threads_;
};

}  // namespace

Result<std::string> model_from_trace(EventSource& source, const std::string& title,
                                     const Specification* specification) {
  const auto trace = predict::load_trace(source, specification);
  if (!trace) return tl::unexpected(trace.error());
  const predict::Recording recording(trace->events, trace->extent, trace->follows);
  return Writer(recording, source.names()).text(title);
}

}  // namespace omnium::model
