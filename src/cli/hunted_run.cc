// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/hunted_run.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/block_options.h"
#include "watch/stalled.h"
#include "watch/supervise.h"

namespace omnium::cli {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Decides when a run has lasted long enough.
class Patience {
 public:
  Patience(pid_t process, double limit, double left)
      : process_(process), limit_(limit), left_(left) {}

  bool is_over() {
    if (ending_ != Ending::kExit) return true;
    const double now = since(begin_);
    if (now > limit_) {
      ending_ = Ending::kTooLong;
    } else if (now > left_) {
      ending_ = Ending::kCut;
    } else if (now > next_look_) {
      next_look_ = now + kBetweenLooks;
      still_ = watch::is_deadlocked(process_) ? still_ + 1 : 0;
      if (still_ == kLooks) {
        ending_ = Ending::kDeadlock;
        waits_ = watch::mutex_waits(process_);
      }
    }
    return ending_ != Ending::kExit;
  }
  Ending ending() const { return ending_; }
  double seconds() const { return since(begin_); }
  const std::vector<watch::MutexWait>& waits() const { return waits_; }  // of a deadlock

 private:
  static constexpr double kBetweenLooks = 0.05;
  static constexpr int kLooks = 4;  // a thread may just be woken

  pid_t process_;
  double limit_, left_;
  Clock::time_point begin_ = Clock::now();
  double next_look_ = kBetweenLooks;
  int still_ = 0;
  Ending ending_ = Ending::kExit;
  std::vector<watch::MutexWait> waits_;
};

// What the program has left behind outside of its process group (a daemon) is ours, since we adopt
// orphans: it is ended, and so is what that leaves behind, but not the fork server.
void end_orphans(pid_t server) {
  constexpr int kMostRounds = 1000;
  const std::string children = fmt::format("/proc/self/task/{}/children", ::getpid());
  for (int i = 0; i < kMostRounds; ++i) {
    pid_t ended;
    while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0) return;  // there is nobody
    std::ifstream list(children);
    bool any = false;
    for (pid_t orphan; list >> orphan;) {
      if (orphan == server) continue;
      any = true;
      ::kill(orphan, SIGKILL);
    }
    if (!any) return;
    ::usleep(1000);
  }
}

std::string end_of_file(const std::string& path) {
  constexpr std::streamoff kMost = 4096;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file.tellg();
  if (!file || size <= 0) return "";
  file.seekg(std::max<std::streamoff>(0, size - kMost));
  return {std::istreambuf_iterator<char>(file), {}};
}

// What the runtime says of freed memory, in words.
void take_memory_error(const wire::MemoryError& error, HuntedRun& to) {
  const wire::MemoryErrorKind kind = error.kind;
  if (kind == wire::MemoryErrorKind::kNone) return;
  to.used_at = to.run.watcher->place(error.process, error.pc);
  to.freed_at = to.run.watcher->place(error.process, error.freed_pc);
  const auto place = [](const std::string& known) {
    return known.empty() ? "an unknown place" : known;
  };
  const std::string here = place(to.used_at), before = place(to.freed_at);
  to.freed_twice = kind == wire::MemoryErrorKind::kDoubleFree;
  if (to.freed_twice) {
    to.memory_error = fmt::format("double free: at {}, freed before at {}", here, before);
    return;
  }
  const char* use = kind == wire::MemoryErrorKind::kRead    ? "read"
                    : kind == wire::MemoryErrorKind::kWrite ? "written"
                                                            : "locked";
  to.memory_error = fmt::format("use after free: {} at {}, freed at {}", use, here, before);
}

void take_crash_place(const wire::CrashPlace& place, pid_t process, HuntedRun& to) {
  // Children of the program crash, too.
  if (place.process != static_cast<std::uint32_t>(process)) return;
  to.crashed_at = to.run.watcher->place(place.process, place.pc);
}

void take_assertion(const wire::FailedAssertion& failed, pid_t process, HuntedRun& to) {
  if (failed.process != static_cast<std::uint32_t>(process)) return;
  const auto text = [](const auto& of) {
    return printable({of, ::strnlen(of, sizeof(of))}, sizeof(of));
  };
  to.assertion = {fmt::format("{}:{}", text(failed.file), failed.line), text(failed.function),
                  text(failed.condition)};
}

std::string thread_name(std::size_t number) {
  return number == 0 ? "the main thread" : fmt::format("thread {}", number);
}

void take_waits(const std::vector<watch::MutexWait>& waits, pid_t process, HuntedRun& to) {
  for (const watch::MutexWait& it : waits) {
    const std::string known = to.run.watcher->object(static_cast<std::uint32_t>(process), it.mutex);
    to.waits.push_back({thread_name(it.thread), known.empty() ? "an unnamed mutex" : known,
                        thread_name(it.holder)});
  }
}

hunt::FailedRun::Kind kind_of(const HuntedRun& run) {
  using Kind = hunt::FailedRun::Kind;
  if (!run.memory_error.empty()) return run.freed_twice ? Kind::kDoubleFree : Kind::kUseAfterFree;
  switch (run.ending) {
    case Ending::kDeadlock: return Kind::kDeadlock;
    case Ending::kTooLong: return Kind::kHang;
    case Ending::kSignal: return Kind::kCrash;
    case Ending::kExit:
    case Ending::kCut: break;
  }
  return Kind::kExitStatus;
}

// "use after free: read at a.c:3 in f, freed at a.c:8 in g", "exit status 3", "killed by SIGABRT",
// "deadlock", "did not end within 5 s"
std::string how_it_ended(const HuntedRun& run) {
  if (!run.memory_error.empty()) return run.memory_error;
  switch (run.ending) {
    case Ending::kDeadlock: return "deadlock: all threads wait for each other";
    case Ending::kTooLong: return fmt::format("did not end within {:.0f} s", run.seconds);
    case Ending::kCut: return "cut off";
    case Ending::kSignal: {
      const char* name = ::sigabbrev_np(WTERMSIG(run.run.status));
      return fmt::format("killed by SIG{}", name == nullptr ? "?" : name);
    }
    case Ending::kExit: break;
  }
  return fmt::format("exit status {}", WEXITSTATUS(run.run.status));
}

}  // namespace

hunt::FailedRun HuntedRun::failure(const std::string& program) const {
  const hunt::FailedRun::Kind kind = kind_of(*this);
  const std::string& place = kind == hunt::FailedRun::Kind::kCrash ? crashed_at : used_at;
  return {kind, program, how_it_ended(*this), place, freed_at, waits, output, assertion};
}

namespace {

// By the server if that is possible; otherwise it becomes null.
Result<pid_t> start(const watch::Program& program, const HuntedRunOptions& options,
                    const watch::Channel& channel, watch::ForkServer*& server) {
  const std::string passed = with_runtime_options(options.runtime, "hunted=1");
  if (server != nullptr && server->is_alive()) {
    if (auto child = server->run(channel, passed, options.output_file)) return child;
  }
  server = nullptr;
  return watch::start(program,
                      {{wire::kChannelVariable, channel.program_end()}, {kOptionsVariable, passed}},
                      {.own_group = true, .output = options.output_file});
}

}  // namespace

Result<HuntedRun> run_hunted(const watch::Program& program, const HuntedRunOptions& options,
                             watch::WatchSettings settings, support::ByteSink& log) {
  auto channel = watch::Channel::create();
  if (!channel) return tl::unexpected(channel.error());
  HuntedRun out;
  out.run.channel = std::make_unique<watch::Channel>(std::move(*channel));
  watch::hold_signals();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  watch::ForkServer* server = options.server;
  const auto child = start(program, options, *out.run.channel, server);
  if (!child) return tl::unexpected(child.error());
  out.run.channel->close_program_end();
  out.run.watcher = std::make_unique<watch::Watcher>(std::move(settings), *out.run.channel, log);
  Patience patience(*child, options.limit, options.left);
  const std::function<bool()> is_over = [&] { return patience.is_over(); };
  const watch::GroupEnd end =
      watch::supervise_group(*out.run.channel, *out.run.watcher, {*child, server, is_over});
  end_orphans(options.server == nullptr ? 0 : options.server->process());
  out.run.status = end.status;
  out.seconds = patience.seconds();
  out.ending = patience.ending();
  if (out.ending == Ending::kExit && WIFSIGNALED(out.run.status)) out.ending = Ending::kSignal;
  out.interrupted = end.interrupted;
  if (end.interrupted || !end.known) out.ending = Ending::kCut;
  take_memory_error(out.run.channel->counters().memory_error, out);
  take_crash_place(out.run.channel->counters().crash_place, *child, out);
  take_assertion(out.run.channel->counters().failed_assertion, *child, out);
  take_waits(patience.waits(), *child, out);
  out.output = end_of_file(options.output_file);
  return out;
}

}  // namespace omnium::cli
