// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/system/fork_server.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "runtime/system/environment.h"
#include "runtime/system/packet.h"
#include "runtime/system/print.h"
#include "wire/fork_server.h"
#include "wire/protocol.h"

namespace omnium::runtime {

namespace {

constexpr int kFiles = 2;  // of a channel

// The environment of a run points into it.
struct Request {
  wire::StartRequest head;
  char text[wire::StartRequest::kMostText];
};
Request request;

// The entry of the environment with this name; null if there is none.
char** variable(char** variables, const char* name) {
  const std::size_t length = std::strlen(name);
  for (; variables != nullptr && *variables != nullptr; ++variables) {
    if (std::strncmp(*variables, name, length) == 0 && (*variables)[length] == '=') {
      return variables;
    }
  }
  return nullptr;
}

// False if there will be no more requests.
bool receive_request(int socket, int (&files)[kFiles]) {
  iovec part{&request, sizeof(request) - 1};
  struct alignas(cmsghdr) Room {
    char bytes[CMSG_SPACE(sizeof(files))];
  } room = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes;
  message.msg_controllen = sizeof(room.bytes);
  long got;
  do {
    got = syscall(SYS_recvmsg, socket, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  const cmsghdr* const first = got <= 0 ? nullptr : CMSG_FIRSTHDR(&message);
  if (first == nullptr || first->cmsg_len != CMSG_LEN(sizeof(files))) return false;
  std::memcpy(files, CMSG_DATA(first), sizeof(files));
  reinterpret_cast<char*>(&request)[got] = '\0';
  return true;
}

void tell(int socket, wire::ServerWord word, int value) {
  const wire::ServerNews news{word, value};
  send_packet(socket, &news, sizeof(news));
}

void move_file(int from, int to) {
  if (from == to) {
    fcntl(to, F_SETFD, 0);
    return;
  }
  syscall(SYS_dup3, from, to, 0);
  syscall(SYS_close, from);
}

int open_file(const char* path, int flags) {
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, 0600));
}

// In the process of a run: what posix_spawn() does when the program is executed.
void become_program(const int (&files)[kFiles], char** variables) {
  setpgid(0, 0);
  char* const channel = request.text;
  char* const options = channel + std::strlen(channel) + 1;
  const char* const output = options + std::strlen(options) + 1;
  // The numbers of the channel are high, so the low ones that were given first are free again.
  move_file(files[0], request.head.socket);
  move_file(files[1], request.head.counters);
  move_file(open_file("/dev/null", O_RDONLY), STDIN_FILENO);
  move_file(open_file(output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND), STDOUT_FILENO);
  syscall(SYS_dup3, STDOUT_FILENO, STDERR_FILENO, 0);
  *variable(variables, wire::kChannelVariable) = channel;
  *variable(variables, "OMNIUM_OPTIONS") = options;
}

}  // namespace

void end_with_parent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

void serve_forks(char** variables) {
  char** const given = variable(variables, wire::kChannelVariable);
  constexpr std::size_t kMark = sizeof(wire::kServerMark) - 1;
  const char* const text = given == nullptr ? "" : *given + sizeof(wire::kChannelVariable);
  if (std::strncmp(text, wire::kServerMark, kMark) != 0 || has_foreign_rights()) return;
  if (variable(variables, "OMNIUM_OPTIONS") == nullptr) return;
  const int socket = std::atoi(text + kMark);
  end_with_parent();
  tell(socket, wire::ServerWord::kReady, 0);
  int files[kFiles];
  while (receive_request(socket, files)) {
    const pid_t child = _Fork();
    if (child == 0) {
      syscall(SYS_close, socket);
      return become_program(files, variables);
    }
    for (const int file : files) syscall(SYS_close, file);
    if (child < 0) {
      tell(socket, wire::ServerWord::kFailed, errno);
      continue;
    }
    setpgid(child, child);  // whoever is first: from now on the run can be ended as a whole
    tell(socket, wire::ServerWord::kStarted, child);
    int status = 0;
    while (syscall(SYS_wait4, child, &status, 0, nullptr) < 0 && errno == EINTR) {
    }
    tell(socket, wire::ServerWord::kEnded, status);
  }
  end_process(0);
}

}  // namespace omnium::runtime
