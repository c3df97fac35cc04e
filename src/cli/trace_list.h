// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// --files-from, --shard and --jobs: the same for every command that works on many files
// (docs/scaling.md).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "support/error.h"

namespace omnium::cli {

// Part I of N, counted from 1.
struct Shard {
  std::uint64_t part = 1, parts = 1;
  // Does it have the thing with this number, counted from 0?
  bool has(std::uint64_t number) const { return number % parts == part - 1; }
};

// None if it is not I/N with 1 <= I <= N.
std::optional<Shard> parse_shard(std::string_view word);

class TraceList {
 public:
  explicit TraceList(std::string_view what = "traces") : what_(what) {}

  // Rows for the command's table of options: --files-from; and with it --shard and --jobs.
  std::vector<Option> file_rows();
  std::vector<Option> rows();
  Arguments& words() { return words_; }

  // Returns what is wrong with the values, or nothing.
  std::optional<std::string> wrong() const;
  // The files of this shard: those that are named, then those of the list. It may be empty if there
  // are fewer than shards. An error was printed, and its status is the exit status.
  tl::expected<Arguments, int> all(const Manual& manual) const;
  // How many of `count` files to work on at once: as many as there are cores unless the user says.
  std::size_t jobs(std::size_t count) const;
  // May one trace be worked on by two threads? Not if the user wants one.
  bool may_read_ahead() const;

 private:
  std::string_view what_;
  Arguments words_;
  std::string files_from_, shard_ = "1/1", jobs_;
};

// Calls `work(i)` for i from 0 to count - 1 on `jobs` threads, this one among them, in any order,
// and `take(i)` for all of them in order, one after the other and each as soon as it can, on any of
// the threads: what a single thread would do, sooner. Work is never far ahead of what was taken, so
// results do not pile up. With several jobs a line on the terminal says how many were taken.
void in_order(std::size_t count, std::size_t jobs, const std::function<void(std::size_t)>& work,
              const std::function<void(std::size_t)>& take);

}  // namespace omnium::cli
