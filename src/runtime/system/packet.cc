// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/system/packet.h"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace omnium::runtime {

namespace {

// Room for one descriptor beside a packet.
struct alignas(cmsghdr) Room {
  char bytes[CMSG_SPACE(sizeof(int))];
};

msghdr make_header(iovec& part, Room* room) {
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (room == nullptr) return message;
  std::memset(room, 0, sizeof(*room));
  message.msg_control = room->bytes;
  message.msg_controllen = sizeof(room->bytes);
  return message;
}

}  // namespace

bool send_packet(int socket, const void* bytes, std::size_t size, int descriptor) {
  iovec part{const_cast<void*>(bytes), size};
  Room room;
  msghdr message = make_header(part, descriptor < 0 ? nullptr : &room);
  if (descriptor >= 0) {
    cmsghdr* const attached = CMSG_FIRSTHDR(&message);
    attached->cmsg_level = SOL_SOCKET;
    attached->cmsg_type = SCM_RIGHTS;
    attached->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(attached), &descriptor, sizeof(int));
  }
  for (;;) {
    if (syscall(SYS_sendmsg, socket, &message, MSG_NOSIGNAL) >= 0) return true;
    if (errno != EINTR && errno != EAGAIN) return false;
  }
}

std::size_t receive_packet(int socket, void* bytes, std::size_t size, int* descriptor) {
  iovec part{bytes, size};
  Room room;
  msghdr message = make_header(part, &room);
  long got;
  do {
    got = syscall(SYS_recvmsg, socket, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  int attached = -1;
  const cmsghdr* const first = got < 0 ? nullptr : CMSG_FIRSTHDR(&message);
  if (first != nullptr && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_RIGHTS) {
    std::memcpy(&attached, CMSG_DATA(first), sizeof(int));
  }
  if (descriptor != nullptr) {
    *descriptor = attached;
  } else if (attached >= 0) {
    syscall(SYS_close, attached);
  }
  return got < 0 ? 0 : static_cast<std::size_t>(got);
}

}  // namespace omnium::runtime
