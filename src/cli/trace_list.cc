// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/trace_list.h"

#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "cli/number.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "support/display.h"
#include "support/text_file.h"

namespace omnium::cli {

namespace {

constexpr std::uint64_t kMostJobs = 1024;
constexpr std::size_t kAheadPerJob = 8;

// Those that this process may use: a task of Slurm or a container often has fewer than the machine.
std::size_t cores() {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof(usable), &usable) == 0) return CPU_COUNT(&usable);
  return std::max(1u, std::thread::hardware_concurrency());  // more than a cpu_set_t can name
}

// What the threads of in_order() share. Each of them works, and whoever is there when the next
// result is ready takes it: no thread is woken for that.
class InOrder {
 public:
  InOrder(std::size_t count, std::size_t ahead, const std::function<void(std::size_t)>& work,
          const std::function<void(std::size_t)>& take)
      : ahead_(ahead), work_(work), take_(take), done_(count) {}

  // What each thread does until everything is given out.
  void help() {
    std::unique_lock lock(mutex_);
    while (true) {
      take_what_is_ready(lock);
      ++waiting_;
      changed_.wait(lock, [&] { return next_ == done_.size() || next_ < taken_ + ahead_; });
      --waiting_;
      if (next_ == done_.size()) return;
      const std::size_t mine = next_++;
      lock.unlock();
      work_(mine);
      lock.lock();
      done_[mine] = true;
    }
  }

 private:
  // Unless another thread is at it: that one looks again before it stops.
  void take_what_is_ready(std::unique_lock<std::mutex>& lock) {
    if (takes_) return;
    takes_ = true;
    while (taken_ < done_.size() && done_[taken_]) {
      lock.unlock();
      take_(taken_);
      lock.lock();
      ++taken_;
      if (waiting_ != 0) changed_.notify_all();
    }
    takes_ = false;
  }

  const std::size_t ahead_;
  const std::function<void(std::size_t)>& work_;
  const std::function<void(std::size_t)>& take_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> done_;
  std::size_t next_ = 0, taken_ = 0;  // `taken_` changes only in the thread that takes
  bool takes_ = false;                // a thread does
  std::size_t waiting_ = 0;
};

}  // namespace

std::optional<Shard> parse_shard(std::string_view word) {
  const std::size_t slash = word.find('/');
  if (slash == word.npos) return std::nullopt;
  const auto part = parse_count(word.substr(0, slash)), parts = parse_count(word.substr(slash + 1));
  if (!part || !parts || *part == 0 || *part > *parts) return std::nullopt;
  return Shard{*part, *parts};
}

std::vector<Option> TraceList::file_rows() {
  return {{'\0', "files-from", "FILE",
           fmt::format("also the {} listed in FILE, one per line; - is standard input", what_),
           &files_from_}};
}

std::vector<Option> TraceList::rows() {
  const std::vector<Option> rest = {
      {'\0', "shard", "I/N", fmt::format("only the I-th of every N {}, counted from 1", what_),
       &shard_},
      {'j', "jobs", "N", "work on N at once (default: one per core)", &jobs_},
  };
  return joined({file_rows(), rest});
}

std::optional<std::string> TraceList::wrong() const {
  if (!parse_shard(shard_)) {
    return fmt::format("--shard needs I/N with I from 1 to N, got '{}'",
                       support::terminal_text(shard_));
  }
  if (const auto jobs = parse_count(jobs_); !jobs_.empty() && (!jobs || *jobs > kMostJobs)) {
    return fmt::format("--jobs needs a number from 0 to {}, got '{}'", kMostJobs,
                       support::terminal_text(jobs_));
  }
  return std::nullopt;
}

tl::expected<Arguments, int> TraceList::all(const Manual& manual) const {
  Arguments paths = words_;
  if (paths.empty() && files_from_.empty()) {
    return tl::unexpected(
        usage_error(manual, fmt::format("missing argument: {}", manual.positionals.name)));
  }
  if (!files_from_.empty()) {
    const auto text = support::read_text_file(files_from_ == "-" ? "/dev/stdin" : files_from_);
    if (!text) return tl::unexpected(report_error(text.error()));
    for (const std::string_view line : support::lines_of(*text)) {
      if (!line.empty()) paths.emplace_back(line);
    }
  }
  const Shard shard = *parse_shard(shard_);
  Arguments out;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (shard.has(i)) out.push_back(std::move(paths[i]));
  }
  return out;
}

std::size_t TraceList::jobs(std::size_t count) const {
  const std::uint64_t jobs = jobs_.empty() ? 0 : *parse_count(jobs_);
  return std::clamp<std::size_t>(jobs != 0 ? jobs : cores(), 1, std::max<std::size_t>(count, 1));
}

bool TraceList::may_read_ahead() const { return jobs_ != "1" && cores() > 1; }

void in_order(std::size_t count, std::size_t jobs, const std::function<void(std::size_t)>& work,
              const std::function<void(std::size_t)>& take) {
  jobs = std::min(jobs, count);
  if (jobs < 2) {
    for (std::size_t i = 0; i < count; ++i) {
      work(i);
      take(i);
    }
    return;
  }
  ProgressLine line("omnium");
  const std::function<void(std::size_t)> take_and_show = [&](std::size_t i) {
    if (on_terminal()) line.erase();  // a report may follow
    take(i);
    line.show_count(i + 1, count, "files");
  };
  InOrder all(count, jobs * kAheadPerJob, work, take_and_show);
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < jobs; ++i) others.emplace_back([&] { all.help(); });
  all.help();
}

}  // namespace omnium::cli
