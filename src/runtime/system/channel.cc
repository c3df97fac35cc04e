// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/system/channel.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "runtime/system/environment.h"
#include "runtime/system/options.h"
#include "runtime/system/print.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

namespace {

// High, so that the descriptors of the program keep their usual numbers.
constexpr int kFirstDescriptor = 900;

int channel = -1, counters_file = -1;
bool started_by_us, watcher_failed;
wire::Counters* shared;
constinit SpinLock start_lock;

int move_away(int descriptor) {
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstDescriptor);
  if (moved < 0) return descriptor;
  close(descriptor);
  return moved;
}

void map_counters() {
  void* memory =
      mmap(nullptr, sizeof(wire::Counters), PROT_READ | PROT_WRITE, MAP_SHARED, counters_file, 0);
  if (memory == MAP_FAILED) stop_program("cannot map the counters of OMNIUM_CHANNEL");
  shared = static_cast<wire::Counters*>(memory);
}

void parse_channel(const char* text) {
  char* end;
  channel = static_cast<int>(std::strtol(text, &end, 10));
  if (*end != ',') stop_program("OMNIUM_CHANNEL must be SOCKET,COUNTERS");
  counters_file = static_cast<int>(std::strtol(end + 1, nullptr, 10));
}

// Finds the program `omnium`: beside this library, or in the bin folder of the same prefix.
bool find_watcher(char (&path)[PATH_MAX]) {
  if (const char* given = environment("OMNIUM_WATCHER")) {
    path[0] = '\0';
    std::strncat(path, given, sizeof(path) - 1);
    return access(path, X_OK) == 0;
  }
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&open_channel), &info) == 0) return false;
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

[[noreturn]] void become_watcher(const char* path, int socket) {
  char descriptors[32];
  const Line line = Line() << static_cast<std::uint64_t>(socket) << ","
                           << static_cast<std::uint64_t>(counters_file);
  std::memcpy(descriptors, line.data(), line.size());
  descriptors[line.size()] = '\0';
  fcntl(socket, F_SETFD, 0);
  fcntl(counters_file, F_SETFD, 0);
  const char* arguments[32] = {path, "watch", "--channel", descriptors};
  const std::size_t used = watcher_arguments(arguments + 4, 27);
  arguments[4 + used] = nullptr;
  unsetenv("LD_PRELOAD");
  execv(path, const_cast<char* const*>(arguments));
  _exit(127);
}

// The watcher is a grandchild whose parent has ended, so the program's wait() never returns it.
bool start_watcher() {
  const SpinGuard guard(start_lock);
  if (channel >= 0) return true;
  if (watcher_failed) return false;
  watcher_failed = true;
  char path[PATH_MAX];
  if (!find_watcher(path)) {
    print_line(
        "error: there are findings, but the program 'omnium' that explains them was not found "
        "beside the runtime library (set OMNIUM_WATCHER)");
    return false;
  }
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  const pid_t child = _Fork();
  if (child == 0) {
    if (_Fork() == 0) become_watcher(path, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  int status;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  channel = move_away(ends[0]);
  started_by_us = true;
  watcher_failed = false;
  announce_process();
  return true;
}

}  // namespace

void open_channel() {
  if (const char* text = environment(wire::kChannelVariable)) {
    parse_channel(text);
    map_counters();
    announce_process();
    return;
  }
  counters_file = memfd_create("omnium-counters", MFD_CLOEXEC);
  if (counters_file < 0 || ftruncate(counters_file, sizeof(wire::Counters)) != 0) {
    stop_program("cannot create shared memory for the counters");
  }
  counters_file = move_away(counters_file);
  map_counters();
}

void announce_process() {
  if (channel < 0) return;
  const wire::Hello hello{header(wire::Type::kHello), wire::kVersion,
                          static_cast<std::uint8_t>(options.mode.conflicts),
                          static_cast<std::uint8_t>(options.mode.waits), 0};
  send_message(&hello, sizeof(hello));
}

wire::Counters& counters() { return *shared; }

wire::Header header(wire::Type type) { return {type, static_cast<std::uint32_t>(getpid())}; }

bool send_message(const void* message, std::size_t size) {
  if (channel < 0 && !start_watcher()) return false;
  for (;;) {
    if (send(channel, message, size, MSG_NOSIGNAL) >= 0) return true;
    if (errno != EINTR && errno != EAGAIN) return false;
  }
}

std::size_t receive_message(void* buffer, std::size_t size) {
  for (;;) {
    const ssize_t got = recv(channel, buffer, size, 0);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return 0;
  }
}

void warn(const char* text) {
  struct {
    wire::Header header;
    char text[500];
  } message;
  message.header = header(wire::Type::kWarning);
  const std::size_t length = strnlen(text, sizeof(message.text));
  std::memcpy(message.text, text, length);
  send_message(&message, sizeof(message.header) + length);
}

bool close_channel() {
  if (channel < 0) return false;
  const wire::Header goodbye = header(wire::Type::kGoodbye);
  send_message(&goodbye, sizeof(goodbye));
  if (!started_by_us) return false;
  shutdown(channel, SHUT_WR);
  char byte;
  while (receive_message(&byte, 1) > 0) {
  }
  return true;
}

}  // namespace omnium::runtime
