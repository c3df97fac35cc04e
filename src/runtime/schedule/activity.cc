// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/activity.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace omnium::runtime {

namespace {

struct Entry {  // of getdents64
  std::uint64_t inode;
  std::int64_t next;
  unsigned short size;
  unsigned char type;
  char name[1];
};

// Reads the start of a file below /proc/self/task/TID. False if the thread is gone.
bool read_of_thread(const char* number, const char* file, char* to, std::size_t most) {
  char path[64] = "/proc/self/task/";
  if (std::strlen(number) > 12) return false;
  std::strcat(std::strcat(std::strcat(path, number), "/"), file);
  const int descriptor =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0));
  if (descriptor < 0) return false;
  const long size = syscall(SYS_read, descriptor, to, most - 1);
  syscall(SYS_close, descriptor);
  if (size <= 0) return false;
  to[size] = '\0';
  return true;
}

// "R", "S", ...: what follows the name in parentheses.
Activity by_state(const char* number) {
  char text[256];
  if (!read_of_thread(number, "stat", text, sizeof(text))) return Activity::kNone;
  const char* name_end = std::strrchr(text, ')');
  if (name_end == nullptr || name_end[1] == '\0') return Activity::kNone;
  const char state = name_end[2];
  if (state == 'Z' || state == 'X') return Activity::kNone;
  return state == 'R' ? Activity::kRunning : Activity::kLater;
}

Activity activity_of_number(const char* number) {
  char text[256];
  if (!read_of_thread(number, "syscall", text, sizeof(text))) return by_state(number);
  if (text[0] == '-') return Activity::kRunning;  // it waits for a page of memory
  return wire::activity_in(text);
}

bool contains(const pid_t* list, std::size_t count, pid_t number) {
  for (std::size_t i = 0; i < count; ++i) {
    if (list[i] == number) return true;
  }
  return false;
}

}  // namespace

namespace {

struct Digits {
  explicit Digits(pid_t number) {
    do text[--begin] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
  }
  const char* c_str() const { return text + begin; }

  char text[16] = {};
  std::size_t begin = sizeof(text) - 1;
};

}  // namespace

Activity activity_of(pid_t number) { return activity_of_number(Digits(number).c_str()); }

bool is_in_wait(pid_t number) {
  char text[256];
  if (!read_of_thread(Digits(number).c_str(), "syscall", text, sizeof(text))) return true;
  constexpr long kWaits[] = {
      SYS_futex,          SYS_nanosleep, SYS_clock_nanosleep, SYS_poll,        SYS_ppoll,
      SYS_select,         SYS_pselect6,  SYS_epoll_wait,      SYS_epoll_pwait, SYS_read,
      SYS_readv,          SYS_recvfrom,  SYS_recvmsg,         SYS_accept,      SYS_accept4,
      SYS_connect,        SYS_wait4,     SYS_waitid,          SYS_pause,       SYS_flock,
      SYS_rt_sigsuspend,  SYS_semop,     SYS_msgrcv,          SYS_msgsnd,      SYS_semtimedop,
      SYS_rt_sigtimedwait};
  const long call = std::strtol(text, nullptr, 10);
  for (const long wait : kWaits) {
    if (call == wait) return true;
  }
  return false;
}

Activity activity_of_others(const pid_t* but, std::size_t count) {
  const int folder = static_cast<int>(
      syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0));
  if (folder < 0) return Activity::kLater;
  Activity most = Activity::kNone;
  alignas(Entry) char buffer[4096];
  long size;
  while (most != Activity::kRunning &&
         (size = syscall(SYS_getdents64, folder, buffer, sizeof(buffer))) > 0) {
    for (long at = 0; at < size && most != Activity::kRunning;) {
      const Entry& entry = *reinterpret_cast<const Entry*>(buffer + at);
      at += entry.size;
      if (entry.name[0] < '0' || entry.name[0] > '9') continue;
      if (contains(but, count, static_cast<pid_t>(std::atoi(entry.name)))) continue;
      const Activity one = activity_of_number(entry.name);
      if (one > most) most = one;
    }
  }
  syscall(SYS_close, folder);
  return most;
}

}  // namespace omnium::runtime
