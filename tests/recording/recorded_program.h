// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A random program that calls the recorder itself, in a process of its own, and that writes down
// what really happened: each operation takes a number from a global counter while it holds what
// protects it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/figure.h"
#include "wire/raw_log.h"

namespace omnium::test {

inline constexpr std::uint32_t kMaxScheduleBytes = 512;

struct ProgramShape {
  std::uint64_t seed = 1;
  std::uint32_t threads = 3;  // at once, beside the main thread
  std::uint32_t rounds = 2;   // of threads, one after the other
  std::uint32_t steps = 40;   // of each thread
  std::uint32_t locks = 3;
  bool scheduled = false;    // no real threads; `threads` of them in each round, `steps` of all
  bool one_place = false;    // of all plain accesses of a thread, as in a loop
  const char* script = "";   // of a schedule: what happens instead, "THREAD WHAT [OFFSET SIZE] ..."
  std::uint32_t bytes = 24;  // of memory in a schedule
  wire::RawKeeps keeps = wire::RawKeeps::kShared;
};

// What one thread did. The place of an operation in the log is the number of its thread + 1 and its
// index here, so that events of the recording can be told apart.
struct Operation {
  std::uint64_t stamp;
  std::uint64_t object;  // address, number of a thread or of a meeting
  std::uint32_t size;
  wire::RawKind kind;
};

std::uint64_t place_of_operation(std::uint32_t thread, std::uint64_t index);

struct Notes;

class RecordedProgram {
 public:
  explicit RecordedProgram(const ProgramShape& shape);
  ~RecordedProgram();
  RecordedProgram(const RecordedProgram&) = delete;
  RecordedProgram& operator=(const RecordedProgram&) = delete;

  // Starts the process; it records into `path`. Then waits for it; its status.
  pid_t start(const std::string& path);
  int wait(pid_t process) const;

  // Files of the process may not grow beyond this.
  void limit_file_size(std::uint64_t bytes) { file_size_ = bytes; }

  // By number of the thread.
  std::vector<std::vector<Operation>> operations() const;

 private:
  ProgramShape shape_;
  Notes* notes_;
  std::uint64_t file_size_ = ~std::uint64_t{0};
};

// All operations in their true order as a trace. Its variables are the pieces of memory that no
// access divides.
Trace true_trace(const std::vector<std::vector<Operation>>& operations);

}  // namespace omnium::test
