// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which threads may run, as far as interposed calls tell: not those that wait for others in such a
// call, and not those that the schedule has stopped. So whoever stops last knows it at once, and
// nobody has to ask the kernel (activity.h): after such a question the end of a thread takes the
// kernel a millisecond.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>

namespace omnium::runtime {

// In runs that are steered, or in which threads nap.
extern std::atomic<bool> runners_matter;
void prepare_runners();
void stop_runners();  // in the child of a fork: the lock may be held by a thread that it does not
                      // have

// A thread is about to be created, or is seen for the first time.
void runner_created();
void runner_not_created();
// The calling thread ends; others may wait for the end of `thread`.
void runner_ends(const void* thread);

// The thread is in a call that waits until another one has released the object.
class Blocked {
 public:
  explicit Blocked(const void* object);
  ~Blocked() { goes_on(); }
  void goes_on();
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;
};
// It was released: one of those that wait for it, or all of them, may run.
void release_runners(const void* object, bool all);

// Nanoseconds of a clock that jumps to the moment when the first thread goes on that rests for a
// time, if nobody may run before.
std::uint64_t rest_clock();
inline constexpr std::uint64_t kForEver = ~std::uint64_t{0};

// The schedule has stopped the thread so that others come first.
class Resting {
 public:
  explicit Resting(std::uint64_t until);
  ~Resting();
  Resting(const Resting&) = delete;
  Resting& operator=(const Resting&) = delete;
};

// Changes when the clock jumps; a futex.
extern std::atomic<std::uint32_t> rest_jumps;

// Do all threads rest or wait for each other? There may be one that does though this is false:
// there are other ways to wait.
bool nobody_runs();
// The kernel says so: the clock jumps.
void go_on_without_runners();

inline constexpr std::uint32_t kMostResting = 256;
struct RestingThreads {
  pid_t numbers[kMostResting];
  std::uint32_t count = 0;
};
RestingThreads who_rests();

}  // namespace omnium::runtime
