// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// `omnium run -e ENGINE`: engines check the raw logs of a program and of its forked processes while
// they are written (docs/runtime/following.md). Each log has a thread of its own here.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "decode/followed_source.h"
#include "engines/checker.h"
#include "support/descriptor.h"
#include "support/error.h"

namespace omnium::cli {

// What the engines said of one process.
struct LiveChecked {
  std::uint32_t process = 0;  // 0: the program itself
  std::shared_ptr<decode::FollowedSource> source;
  std::vector<std::pair<const EngineEntry*, CheckOutcome>> outcomes;
  bool stopped = false;  // the user did not want to wait for the end
  std::optional<Error> error;
};

class LiveCheck {
 public:
  struct Settings {
    std::vector<const EngineEntry*> engines;
    CheckOptions options;
    std::string trace;  // where the trace is kept; empty: it is not
  };

  // Makes an empty log, in a folder of its own.
  static Result<std::unique_ptr<LiveCheck>> prepare(Settings settings);
  ~LiveCheck();
  LiveCheck(const LiveCheck&) = delete;
  LiveCheck& operator=(const LiveCheck&) = delete;

  // For the runtime's option `record`.
  const std::string& log_path() const { return log_path_; }
  // Begins to follow. Signals must be held back.
  void start();
  // The program has ended. Returns when the engines have seen all of it: the program itself first.
  // A signal that would end this process makes it return earlier.
  std::vector<LiveChecked> finish();

 private:
  LiveCheck(Settings settings, std::string folder, support::Descriptor lock)
      : settings_(std::move(settings)),
        folder_(std::move(folder)),
        log_path_(folder_ + "/log"),
        lock_(std::move(lock)) {}
  void wait_for_engines();
  void find_logs();
  void look_into_folder();
  void follow(const std::string& path, std::uint32_t process);
  LiveChecked check(const std::string& path, std::uint32_t process);
  Result<void> run_engines(LiveChecked& checked);

  Settings settings_;
  std::string folder_, log_path_;
  support::Descriptor lock_;  // while this process lives, the program knows that it is followed
  std::atomic<bool> over_{false};
  std::atomic<bool> given_up_{false};  // the engines stop where they are
  std::atomic<bool> done_{false};      // all of them
  std::thread finder_;
  std::vector<std::thread> followers_;  // of the finder
  std::set<std::string> found_;         // of the finder
  std::mutex mutex_;
  std::vector<LiveChecked> checked_;  // under mutex_
};

}  // namespace omnium::cli
