// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Files and sockets: what is read from them is written to memory, and what is written to them is
// read from memory. How much that was is known afterwards.
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1  // glibc would define getline here
#endif
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>

#include "runtime/interpose/real.h"
#include "runtime/interpose/touched.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(read);
OMNIUM_REAL(pread);
OMNIUM_REAL(readv);
OMNIUM_REAL(recv);
OMNIUM_REAL(recvfrom);
OMNIUM_REAL(fread);
OMNIUM_REAL(fgets);
OMNIUM_REAL(getdelim);
OMNIUM_REAL(write);
OMNIUM_REAL(pwrite);
OMNIUM_REAL(writev);
OMNIUM_REAL(send);
OMNIUM_REAL(sendto);
OMNIUM_REAL(fwrite);

ssize_t received(void* to, ssize_t size, Pc pc) {
  if (size > 0) library_writes(to, static_cast<std::size_t>(size), pc);
  return size;
}

ssize_t sent(const void* from, ssize_t size, Pc pc) {
  if (size > 0) library_reads(from, static_cast<std::size_t>(size), pc);
  return size;
}

// Calls touched(part of a buffer, size) for the first `size` bytes of the buffers.
template <typename Touched>
ssize_t in_parts(const iovec* parts, int count, ssize_t size, Touched touched) {
  std::size_t left = size > 0 ? static_cast<std::size_t>(size) : 0;
  for (int i = 0; i < count && left != 0; ++i) {
    const std::size_t here = left < parts[i].iov_len ? left : parts[i].iov_len;
    touched(parts[i].iov_base, here);
    left -= here;
  }
  return size;
}

ssize_t get_text(char** line, std::size_t* room, int end, FILE* file, Pc pc) {
  const ssize_t size = real_getdelim(line, room, end, file);
  if (size >= 0) library_writes(*line, static_cast<std::size_t>(size) + 1, pc);
  return size;
}

}  // namespace

OMNIUM_INTERPOSE ssize_t read(int file, void* to, std::size_t size) {
  return received(to, real_read(file, to, size), OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t pread(int file, void* to, std::size_t size, off_t offset) {
  return received(to, real_pread(file, to, size, offset), OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t pread64(int file, void* to, std::size_t size, off64_t offset) {
  return received(to, real_pread(file, to, size, offset), OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t readv(int file, const iovec* parts, int count) {
  const Pc pc = OMNIUM_USER_PC();
  return in_parts(parts, count, real_readv(file, parts, count),
                  [&](void* to, std::size_t size) { library_writes(to, size, pc); });
}

OMNIUM_INTERPOSE ssize_t recv(int socket, void* to, std::size_t size, int flags) {
  const ssize_t got = real_recv(socket, to, size, flags);
  // With MSG_TRUNC this may be more than was written.
  received(to, got < static_cast<ssize_t>(size) ? got : static_cast<ssize_t>(size),
           OMNIUM_USER_PC());
  return got;
}

OMNIUM_INTERPOSE ssize_t recvfrom(int socket, void* to, std::size_t size, int flags,
                                  sockaddr* address, socklen_t* address_size) {
  const ssize_t got = real_recvfrom(socket, to, size, flags, address, address_size);
  received(to, got < static_cast<ssize_t>(size) ? got : static_cast<ssize_t>(size),
           OMNIUM_USER_PC());
  return got;
}

OMNIUM_INTERPOSE std::size_t fread(void* to, std::size_t size, std::size_t count, FILE* file) {
  const std::size_t got = real_fread(to, size, count, file);
  library_writes(to, got * size, OMNIUM_USER_PC());
  return got;
}

OMNIUM_INTERPOSE char* fgets(char* to, int size, FILE* file) {
  char* const line = real_fgets(to, size, file);
  if (line != nullptr) library_writes(line, std::strlen(line) + 1, OMNIUM_USER_PC());
  return line;
}

OMNIUM_INTERPOSE ssize_t getline(char** line, std::size_t* room, FILE* file) {
  return get_text(line, room, '\n', file, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t getdelim(char** line, std::size_t* room, int end, FILE* file) {
  return get_text(line, room, end, file, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t write(int file, const void* from, std::size_t size) {
  return sent(from, real_write(file, from, size), OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t pwrite(int file, const void* from, std::size_t size, off_t offset) {
  return sent(from, real_pwrite(file, from, size, offset), OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t pwrite64(int file, const void* from, std::size_t size, off64_t offset) {
  return sent(from, real_pwrite(file, from, size, offset), OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t writev(int file, const iovec* parts, int count) {
  const Pc pc = OMNIUM_USER_PC();
  return in_parts(parts, count, real_writev(file, parts, count),
                  [&](const void* from, std::size_t size) { library_reads(from, size, pc); });
}

OMNIUM_INTERPOSE ssize_t send(int socket, const void* from, std::size_t size, int flags) {
  return sent(from, real_send(socket, from, size, flags), OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE ssize_t sendto(int socket, const void* from, std::size_t size, int flags,
                                const sockaddr* address, socklen_t address_size) {
  return sent(from, real_sendto(socket, from, size, flags, address, address_size),
              OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE std::size_t fwrite(const void* from, std::size_t size, std::size_t count,
                                    FILE* file) {
  const std::size_t put = real_fwrite(from, size, count, file);
  library_reads(from, put * size, OMNIUM_USER_PC());
  return put;
}

}  // namespace omnium::runtime
