// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Who drops the last reference destroys the value. Who that is, is no result of the program, so
// what the destructor does with the value is no access: neither what it reads and writes in it nor
// what it frees. What the destructor does under a lock counts, and so does what it does with
// atomics: others can reach that.
//
// expect: close (with open), lost update on open_sessions
// expect: leave (with enter), lost update on present
#include <omnium/atomic.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "../../examples/shapes/turns.h"

std::mutex mutex;

// Copies on write: the reader destroys what the writer has read.
using Names = std::map<int, std::string>;
std::shared_ptr<const Names> names =
    std::make_shared<const Names>(Names{{1, "a name that is too long to be kept inside"}});

std::size_t count_names() {
  OMNIUM_ATOMIC("count_names");
  std::shared_ptr<const Names> seen;
  {
    const std::lock_guard lock(mutex);
    seen = names;
  }
  turn(1);
  turn(4);
  return seen->size();
}

void add_name() {
  OMNIUM_ATOMIC("add_name");
  const std::lock_guard lock(mutex);
  auto copy = std::make_shared<Names>(*names);
  copy->emplace(2, "another one");
  names = copy;
}

// A job that another thread does: who created it destroys it, with the result.
struct Job {
  virtual ~Job() { parts.reset(); }
  virtual void run() { *result = static_cast<int>(parts->size()); }
  std::unique_ptr<std::string> parts = std::make_unique<std::string>("four");
  std::unique_ptr<int> result = std::make_unique<int>(0);
};
std::shared_ptr<Job> queued;

void submit() {
  OMNIUM_ATOMIC("submit");
  const auto job = std::make_shared<Job>();
  job->result = std::make_unique<int>(-1);
  {
    const std::lock_guard lock(mutex);
    queued = job;
  }
  turn(5);
  turn(8);
}

void do_job() {
  OMNIUM_ATOMIC("do_job");
  std::shared_ptr<Job> job;
  {
    const std::lock_guard lock(mutex);
    job = std::move(queued);
  }
  job->run();
}

int open_sessions = 1;
struct Session {
  ~Session() {
    const std::lock_guard lock(mutex);
    open_sessions = seen - 1;
  }
  int seen = 0;
};

void close() {
  OMNIUM_ATOMIC("close");
  const auto session = std::make_shared<Session>();
  {
    const std::lock_guard lock(mutex);
    session->seen = open_sessions;
  }
  turn(9);
  turn(12);
}

void open() {
  OMNIUM_ATOMIC("open");
  const std::lock_guard lock(mutex);
  open_sessions += 1;
}

std::atomic<int> present{1};
struct Guest {
  ~Guest() { present = seen - 1; }
  int seen = 0;
};

void leave() {
  OMNIUM_ATOMIC("leave");
  const auto guest = std::make_shared<Guest>();
  guest->seen = present;
  turn(13);
  turn(16);
}

void enter() {
  OMNIUM_ATOMIC("enter");
  ++present;
}

int main() {
  std::thread other([] {
    turn(2);
    add_name();
    turn(3);
    turn(6);
    do_job();
    turn(7);
    turn(10);
    open();
    turn(11);
    turn(14);
    enter();
    turn(15);
  });
  if (count_names() != 1) std::abort();
  submit();
  close();
  leave();
  other.join();
  if (open_sessions != 0 || present != 0 || names->size() != 2) std::abort();
}
