// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/recording/recorded_program.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/record/record.h"
#include "support/check.h"
#include "tests/recording/programs.h"
#include "tests/support/subprocess.h"

namespace omnium::test {

std::uint64_t place_of_operation(std::uint32_t thread, std::uint64_t index) {
  return (std::uint64_t{thread + 1} << 20 | index) + 1;
}

RecordedProgram::RecordedProgram(const ProgramShape& shape) : shape_(shape) {
  CHECK(shape.threads * shape.rounds < kMaxProgramThreads);
  void* memory = mmap(nullptr, sizeof(Notes), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(memory != MAP_FAILED);
  notes_ = static_cast<Notes*>(memory);
}

RecordedProgram::~RecordedProgram() { munmap(notes_, sizeof(Notes)); }

pid_t RecordedProgram::start(const std::string& path) {
  const pid_t process = ::fork();
  CHECK(process >= 0);
  if (process != 0) return process;
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, file_size_);
  setrlimit(RLIMIT_FSIZE, &limit);
  if (!runtime::record::start(path.c_str(), 0, shape_.keeps)) _exit(3);
  (shape_.scheduled ? run_schedule : run_threads)(shape_, *notes_);
  runtime::record::finish();
  _exit(0);
}

int RecordedProgram::wait(pid_t process) const {
  return wait_for(process, "a program that records itself");
}

std::vector<std::vector<Operation>> RecordedProgram::operations() const {
  std::vector<std::vector<Operation>> all;
  for (std::uint32_t thread = 0; thread <= shape_.threads * shape_.rounds; ++thread) {
    const Operation* first = notes_->operations[thread];
    all.emplace_back(first, first + notes_->counts[thread].load());
  }
  return all;
}

}  // namespace omnium::test
