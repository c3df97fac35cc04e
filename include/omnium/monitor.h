// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The library: checks events from your own source (a simulator, a database, an STM) as they happen.
//
//   omnium::Monitor monitor([](const omnium::MonitoredViolation& v) { ... });
//   monitor.begin(thread, label);
//   monitor.read(thread, variable);   ...   monitor.end(thread);
//   monitor.finish();
//
// Threads, variables, locks, labels and signals are your own 64-bit ids; nothing has to be
// declared. Events are numbered from 0 in the order in which you feed them, and findings name
// events by these numbers.
//
// A Monitor is not thread-safe: the order of the calls is the order of the trace, so feed it from
// one thread, or under the lock that makes that order true. Callbacks run inside the call that
// completes the finding and must not call back into the monitor.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#define OMNIUM_API __attribute__((visibility("default")))

namespace omnium {

// A dynamic block, or an event outside any block (then there is no label).
struct MonitoredBlock {
  std::uint64_t thread = 0;
  std::optional<std::uint64_t> label;
  std::uint64_t begin = 0;  // number of its first event
};

enum class MonitoredKind {
  kWriteRead,
  kReadWrite,
  kWriteWrite,
  kReleaseAcquire,
  kFork,
  kJoin,
  kSignalAwait
};
OMNIUM_API std::string_view to_string(MonitoredKind kind);  // "write-read", ...

// The event `sink_event` depends on `source_event`, an event of another thread. `object` is the
// variable, the lock, the signal, or (fork, join) the thread that was started or joined.
struct MonitoredStep {
  MonitoredBlock from;
  MonitoredBlock to;
  std::uint64_t source_event = 0;
  std::uint64_t sink_event = 0;
  MonitoredKind kind = MonitoredKind::kWriteRead;
  std::uint64_t object = 0;
};

// A transaction that was not atomic. The witness leads from the transaction through other
// threads back to it; each step starts no earlier than the one before ended. Its last step is what
// just happened.
struct MonitoredViolation {
  MonitoredBlock transaction;
  std::vector<MonitoredBlock> refuted;  // the blocks concerned, innermost first
  std::vector<MonitoredStep> witness;
};

// What counts as a conflict, and whether a block that waits is cut there: as the options
// --conflicts and --waits of the commands (docs/semantics.md).
enum class MonitorConflicts { kData, kAll };
enum class MonitorWaits { kSplit, kKeep };

struct MonitorOptions {
  std::string engine = "reach";  // any engine of `omnium engines`
  MonitorConflicts conflicts = MonitorConflicts::kAll;
  MonitorWaits waits = MonitorWaits::kKeep;
  bool retries = false;         // retry() may be called; costs time and memory for every access
  bool every_instance = false;  // otherwise the first of each transaction
  // Called once, at the event that makes the whole run non-serializable; may be empty.
  std::function<void(std::uint64_t event)> on_not_serializable;
};

class OMNIUM_API Monitor {
 public:
  using OnViolation = std::function<void(const MonitoredViolation&)>;

  explicit Monitor(OnViolation on_violation, MonitorOptions options = {});
  ~Monitor();
  Monitor(Monitor&&) noexcept;
  Monitor& operator=(Monitor&&) noexcept;

  // Each feeds one event and returns true, or returns false if the event cannot be (a lock released
  // by a thread that does not hold it, an end without a begin, ...): error() says why, and the
  // event was ignored.
  bool begin(std::uint64_t thread, std::uint64_t label);
  bool end(std::uint64_t thread);
  bool read(std::uint64_t thread, std::uint64_t variable);
  bool write(std::uint64_t thread, std::uint64_t variable);
  bool acquire(std::uint64_t thread, std::uint64_t lock);  // re-entrant acquires are fine
  bool release(std::uint64_t thread, std::uint64_t lock);
  bool fork(std::uint64_t thread, std::uint64_t child);
  bool join(std::uint64_t thread, std::uint64_t other);
  // Atomic operations; update() is a read-modify-write, retry() an attempt that failed (a
  // compare-exchange that did not exchange, one more load of a spinning loop).
  bool atomic_read(std::uint64_t thread, std::uint64_t variable);
  bool atomic_write(std::uint64_t thread, std::uint64_t variable);
  bool update(std::uint64_t thread, std::uint64_t variable);
  bool retry(std::uint64_t thread, std::uint64_t variable);
  // The shared (reader) side of a lock.
  bool acquire_shared(std::uint64_t thread, std::uint64_t lock);
  bool release_shared(std::uint64_t thread, std::uint64_t lock);
  // Waiting for a condition: gives the lock up; has it again.
  bool wait(std::uint64_t thread, std::uint64_t lock);
  bool resume(std::uint64_t thread, std::uint64_t lock);
  // Every earlier signal() had to come before await(): barriers, semaphores, promises.
  bool signal(std::uint64_t thread, std::uint64_t signal);
  bool await(std::uint64_t thread, std::uint64_t signal);

  // No more events: blocks still open are judged as if they ended here. Some engines decide only
  // now. Returns serializable().
  bool finish();

  // Whether all events so far can be explained by running the transactions one after the other.
  bool serializable() const;
  // Number of the next event.
  std::uint64_t events() const;
  // Why the latest call returned false; empty if none did. Also "unknown engine ..." after
  // construction.
  const std::string& error() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace omnium
