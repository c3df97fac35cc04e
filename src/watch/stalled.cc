// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/stalled.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <pthread.h>
#include <sys/uio.h>

#include "wire/system_call.h"

namespace omnium::watch {

bool is_deadlocked(pid_t process) {
  std::error_code failed;
  bool any = false;
  for (const auto& task :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process), failed)) {
    std::ifstream file(task.path() / "syscall");
    std::string line;
    if (!std::getline(file, line)) return false;  // it ends just now, or the kernel does not tell
    if (wire::activity_in(line.c_str()) != wire::Activity::kNone) return false;
    any = true;
  }
  return any && !failed;
}

namespace {

// The mutex whose lock word is at this address, as the process has it; its owner, or 0 if there is
// no mutex that somebody holds and another waits for.
pid_t owner_of_mutex(pid_t process, std::uint64_t address) {
  decltype(pthread_mutex_t::__data) mutex{};
  const iovec here{&mutex, sizeof mutex};
  const iovec there{reinterpret_cast<void*>(address), sizeof mutex};
  const ssize_t got = ::process_vm_readv(process, &here, 1, &there, 1, 0);
  constexpr int kContended = 2;
  const bool is_held = mutex.__lock == kContended && mutex.__nusers != 0;
  return got == static_cast<ssize_t>(sizeof mutex) && is_held ? mutex.__owner : 0;
}

}  // namespace

std::vector<MutexWait> mutex_waits(pid_t process) {
  const std::string tasks = fmt::format("/proc/{}/task", process);
  std::vector<pid_t> threads;
  std::error_code failed;
  for (const auto& task : std::filesystem::directory_iterator(tasks, failed)) {
    const std::string name = task.path().filename().string();
    pid_t thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    threads.push_back(thread);
  }
  // The main thread has the number of the process, which is the lowest unless numbers began anew.
  std::ranges::sort(threads, {}, [&](pid_t it) { return it == process ? 0 : it; });
  std::vector<MutexWait> out;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    std::ifstream file(fmt::format("{}/{}/syscall", tasks, threads[i]));
    std::string line;
    if (!std::getline(file, line) || wire::activity_in(line.c_str()) != wire::Activity::kNone) {
      continue;
    }
    // "202 0x7f… …": the word that it waits for is the first part of the mutex.
    const std::uint64_t address = std::strtoull(line.c_str() + line.find(' '), nullptr, 16);
    const auto holder = std::ranges::find(threads, owner_of_mutex(process, address));
    if (holder == threads.end()) continue;
    out.push_back({i, static_cast<std::size_t>(holder - threads.begin()), address});
  }
  return out;
}

}  // namespace omnium::watch
