// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Files and sockets: what is read from them is written to memory, and what is written to them is
// read from memory. How much that was is known afterwards. And who reads comes behind who wrote.
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1  // glibc would define getline here
#endif
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>

#include "runtime/interpose/real.h"
#include "runtime/interpose/sent.h"
#include "runtime/interpose/touched.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(read);
OMNIUM_REAL(pread);
OMNIUM_REAL(readv);
OMNIUM_REAL(eventfd_read);
OMNIUM_REAL(recv);
OMNIUM_REAL(recvfrom);
OMNIUM_REAL(recvmsg);
OMNIUM_REAL(fread);
OMNIUM_REAL(fgets);
OMNIUM_REAL(fgetc);
OMNIUM_REAL_AS(real_getc, int(FILE*), "getc");
OMNIUM_REAL(getdelim);
OMNIUM_REAL(write);
OMNIUM_REAL(pwrite);
OMNIUM_REAL(writev);
OMNIUM_REAL(eventfd_write);
OMNIUM_REAL(send);
OMNIUM_REAL(sendto);
OMNIUM_REAL(sendmsg);
OMNIUM_REAL(fwrite);

// `room`: with MSG_TRUNC the size may be more than was written.
ssize_t got(int file, void* to, ssize_t size, std::size_t room, Pc pc) {
  if (size >= 0) received_from(file, pc);
  if (size > 0) {
    const auto all = static_cast<std::size_t>(size);
    library_writes(to, all < room ? all : room, pc);
  }
  return size;
}

template <typename RealCall>
ssize_t put(int file, const void* from, Pc pc, RealCall real_call) {
  sending_to(file, pc);
  const ssize_t size = real_call();
  if (size > 0) library_reads(from, static_cast<std::size_t>(size), pc);
  return size;
}

// Calls touched(part of a buffer, size) for the first `size` bytes of the buffers.
template <typename Touched>
void in_parts(const iovec* parts, std::size_t count, ssize_t size, Touched touched) {
  std::size_t left = size > 0 ? static_cast<std::size_t>(size) : 0;
  for (std::size_t i = 0; i < count && left != 0; ++i) {
    const std::size_t here = left < parts[i].iov_len ? left : parts[i].iov_len;
    touched(parts[i].iov_base, here);
    left -= here;
  }
}

ssize_t got_parts(int file, const iovec* parts, std::size_t count, ssize_t size, Pc pc) {
  if (size >= 0) received_from(file, pc);
  in_parts(parts, count, size, [&](void* to, std::size_t here) { library_writes(to, here, pc); });
  return size;
}

template <typename RealCall>
ssize_t put_parts(int file, const iovec* parts, std::size_t count, Pc pc, RealCall real_call) {
  sending_to(file, pc);
  const ssize_t size = real_call();
  in_parts(parts, count, size,
           [&](const void* from, std::size_t here) { library_reads(from, here, pc); });
  return size;
}

ssize_t get_text(char** line, std::size_t* room, int end, FILE* file, Pc pc) {
  const ssize_t size = real_getdelim(line, room, end, file);
  received_from(file, pc);
  if (size >= 0) library_writes(*line, static_cast<std::size_t>(size) + 1, pc);
  return size;
}

}  // namespace

OMNIUM_INTERPOSE ssize_t read(int file, void* to, std::size_t size) {
  return got(file, to, real_read(file, to, size), size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t pread(int file, void* to, std::size_t size, off_t offset) {
  return got(file, to, real_pread(file, to, size, offset), size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t pread64(int file, void* to, std::size_t size, off64_t offset) {
  return got(file, to, real_pread(file, to, size, offset), size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t readv(int file, const iovec* parts, int count) {
  const ssize_t size = real_readv(file, parts, count);
  return got_parts(file, parts, static_cast<std::size_t>(count), size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE int eventfd_read(int file, eventfd_t* value) {
  const int result = real_eventfd_read(file, value);
  if (result == 0) got(file, value, sizeof *value, sizeof *value, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE ssize_t recv(int socket, void* to, std::size_t size, int flags) {
  return got(socket, to, real_recv(socket, to, size, flags), size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t recvfrom(int socket, void* to, std::size_t size, int flags,
                                  sockaddr* address, socklen_t* address_size) {
  return got(socket, to, real_recvfrom(socket, to, size, flags, address, address_size), size,
             OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t recvmsg(int socket, msghdr* message, int flags) {
  const ssize_t size = real_recvmsg(socket, message, flags);
  return got_parts(socket, message->msg_iov, message->msg_iovlen, size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE std::size_t fread(void* to, std::size_t size, std::size_t count, FILE* file) {
  const std::size_t items = real_fread(to, size, count, file);
  received_from(file, OMNIUM_USER_PC());
  library_writes(to, items * size, OMNIUM_USER_PC());
  return items;
}

OMNIUM_INTERPOSE char* fgets(char* to, int size, FILE* file) {
  char* const line = real_fgets(to, size, file);
  received_from(file, OMNIUM_USER_PC());
  if (line != nullptr) library_writes(line, std::strlen(line) + 1, OMNIUM_USER_PC());
  return line;
}

OMNIUM_INTERPOSE ssize_t getline(char** line, std::size_t* room, FILE* file) {
  return get_text(line, room, '\n', file, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t getdelim(char** line, std::size_t* room, int end, FILE* file) {
  return get_text(line, room, end, file, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE int fgetc(FILE* file) {
  const int character = real_fgetc(file);
  received_from(file, OMNIUM_USER_PC());
  return character;
}

OMNIUM_INTERPOSE int getc(FILE* file) {
  const int character = real_getc(file);
  received_from(file, OMNIUM_USER_PC());
  return character;
}

OMNIUM_INTERPOSE ssize_t write(int file, const void* from, std::size_t size) {
  return put(file, from, OMNIUM_USER_PC(), [&] { return real_write(file, from, size); });
}

OMNIUM_INTERPOSE ssize_t pwrite(int file, const void* from, std::size_t size, off_t offset) {
  return put(file, from, OMNIUM_USER_PC(), [&] { return real_pwrite(file, from, size, offset); });
}

OMNIUM_INTERPOSE ssize_t pwrite64(int file, const void* from, std::size_t size, off64_t offset) {
  return put(file, from, OMNIUM_USER_PC(), [&] { return real_pwrite(file, from, size, offset); });
}

OMNIUM_INTERPOSE ssize_t writev(int file, const iovec* parts, int count) {
  return put_parts(file, parts, static_cast<std::size_t>(count), OMNIUM_USER_PC(),
                   [&] { return real_writev(file, parts, count); });
}

OMNIUM_INTERPOSE int eventfd_write(int file, eventfd_t value) {
  sending_to(file, OMNIUM_USER_PC());
  return real_eventfd_write(file, value);
}

OMNIUM_INTERPOSE ssize_t send(int socket, const void* from, std::size_t size, int flags) {
  return put(socket, from, OMNIUM_USER_PC(), [&] { return real_send(socket, from, size, flags); });
}

OMNIUM_INTERPOSE ssize_t sendto(int socket, const void* from, std::size_t size, int flags,
                                const sockaddr* address, socklen_t address_size) {
  return put(socket, from, OMNIUM_USER_PC(),
             [&] { return real_sendto(socket, from, size, flags, address, address_size); });
}

OMNIUM_INTERPOSE ssize_t sendmsg(int socket, const msghdr* message, int flags) {
  return put_parts(socket, message->msg_iov, message->msg_iovlen, OMNIUM_USER_PC(),
                   [&] { return real_sendmsg(socket, message, flags); });
}

OMNIUM_INTERPOSE std::size_t fwrite(const void* from, std::size_t size, std::size_t count,
                                    FILE* file) {
  sending_to(file, OMNIUM_USER_PC());
  const std::size_t items = real_fwrite(from, size, count, file);
  library_reads(from, items * size, OMNIUM_USER_PC());
  return items;
}

}  // namespace omnium::runtime
