// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/system/watcher_process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "runtime/system/environment.h"
#include "runtime/system/options.h"
#include "runtime/system/print.h"

namespace omnium::runtime {

namespace {

// Finds the program `omnium`: beside this library, or in the bin folder of the same prefix.
bool find_watcher(char (&path)[PATH_MAX]) {
  if (const char* given = environment("OMNIUM_WATCHER")) {
    path[0] = '\0';
    std::strncat(path, given, sizeof(path) - 1);
    return access(path, X_OK) == 0;
  }
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&start_watcher), &info) == 0) return false;
  const char* slash = std::strrchr(info.dli_fname, '/');
  const std::size_t folder =
      slash == nullptr ? 0 : static_cast<std::size_t>(slash + 1 - info.dli_fname);
  for (const char* place : {"omnium", "../bin/omnium", "../../bin/omnium", "../../../bin/omnium"}) {
    if (folder + std::strlen(place) >= sizeof(path)) continue;
    std::memcpy(path, info.dli_fname, folder);
    std::strcpy(path + folder, place);
    if (access(path, X_OK) == 0) return true;
  }
  return false;
}

// The watcher must not hold files of the program open: who reads the other end of a pipe waits
// until all copies are closed.
void close_other_files_on_exec() {
  constexpr unsigned kFirst = STDERR_FILENO + 1;
  if (syscall(SYS_close_range, kFirst, ~0u, CLOSE_RANGE_CLOEXEC) == 0) return;
  rlimit limit{};
  const bool known = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (1 << 16);
  const int end = known ? static_cast<int>(limit.rlim_cur) : 1 << 16;
  for (int file = kFirst; file < end; ++file) fcntl(file, F_SETFD, FD_CLOEXEC);
}

// The environment without LD_PRELOAD. (The child of a fork must not use unsetenv, since another
// thread may have held its lock.)
char** watcher_environment() {
  static char* variables[4096];
  constexpr char kPreload[] = "LD_PRELOAD=";
  std::size_t count = 0;
  for (char** given = environ; given != nullptr && *given != nullptr; ++given) {
    if (std::strncmp(*given, kPreload, sizeof(kPreload) - 1) == 0) continue;
    if (count + 1 < sizeof(variables) / sizeof(*variables)) variables[count++] = *given;
  }
  variables[count] = nullptr;
  return variables;
}

[[noreturn]] void become_watcher(const char* path, int socket, int counters_file) {
  char descriptors[32];
  const Line line = Line() << static_cast<std::uint64_t>(socket) << ","
                           << static_cast<std::uint64_t>(counters_file);
  std::memcpy(descriptors, line.data(), line.size());
  descriptors[line.size()] = '\0';
  close_other_files_on_exec();
  fcntl(socket, F_SETFD, 0);
  fcntl(counters_file, F_SETFD, 0);
  const char* arguments[32] = {path, "watch", "--channel", descriptors};
  const std::size_t used = watcher_arguments(arguments + 4, 27);
  arguments[4 + used] = nullptr;
  syscall(SYS_execve, path, arguments, watcher_environment());
  end_process(127);
}

}  // namespace

// The watcher is a grandchild whose parent has ended, so the program's wait() never returns it.
int start_watcher(int counters_file) {
  char path[PATH_MAX];
  if (!find_watcher(path)) {
    print_line(
        "error: there are findings, but the program 'omnium' that explains them was not found "
        "beside the runtime library (set OMNIUM_WATCHER)");
    return -1;
  }
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  const int on = 1;
  setsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
  const pid_t child = _Fork();
  if (child == 0) {
    if (_Fork() == 0) become_watcher(path, ends[1], counters_file);
    end_process(0);
  }
  syscall(SYS_close, ends[1]);
  int status;
  while (child > 0 && syscall(SYS_wait4, child, &status, 0, nullptr) < 0 && errno == EINTR) {
  }
  return ends[0];
}

}  // namespace omnium::runtime
