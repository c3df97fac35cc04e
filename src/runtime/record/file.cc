// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/record/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace omnium::runtime::record {

namespace {

// High, so that the descriptors of the program keep their usual numbers.
constexpr int kLowestDescriptor = 900;

char first_path[4096];  // of the process that was started
char file_path[4096];
std::atomic<int> descriptor{-1};
dev_t device;
ino_t inode;
std::atomic<std::uint64_t> next_piece{0};

int open_descriptor() {
  const int fd = open(file_path, O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return -1;
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, kLowestDescriptor);
  if (high < 0) return fd;  // the limit of descriptors is lower
  close(fd);
  return high;
}

bool is_ours(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 && status.st_dev == device && status.st_ino == inode;
}

// The descriptor of the log, opened again if the program has closed it. -1 with errno if the file
// does not exist any more.
int our_descriptor() {
  const int fd = descriptor.load(std::memory_order_relaxed);
  if (is_ours(fd)) return fd;
  const int again = open_descriptor();
  if (again < 0) return -1;
  if (!is_ours(again)) {
    close(again);
    errno = ENOENT;
    return -1;
  }
  descriptor.store(again, std::memory_order_relaxed);
  return again;
}

// To write beyond the limit would end the program with SIGXFSZ.
bool is_within_limit(std::uint64_t end) {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         end <= limit.rlim_cur;
}

int write_at(int fd, std::uint64_t offset, const char* bytes, std::size_t size) {
  if (!is_within_limit(offset + size)) return EFBIG;
  while (size != 0) {
    const ssize_t put = pwrite(fd, bytes, size, static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return put == 0 ? ENOSPC : errno;
    bytes += put;
    offset += static_cast<std::uint64_t>(put);
    size -= static_cast<std::size_t>(put);
  }
  return 0;
}

// Reserves space on the disk, so that a store into the mapping cannot fail with SIGBUS.
int reserve(int fd, std::uint64_t offset) {
  if (!is_within_limit(offset + wire::kRawPieceBytes)) return EFBIG;
  if (fallocate(fd, 0, static_cast<off_t>(offset), wire::kRawPieceBytes) == 0) return 0;
  if (errno != EOPNOTSUPP) return errno;
  static const char zeros[4096] = {};
  for (std::size_t done = 0; done < wire::kRawPieceBytes; done += sizeof zeros) {
    if (const int error = write_at(fd, offset + done, zeros, sizeof zeros)) return error;
  }
  return 0;
}

int open_file(wire::RawHeader*& header) {
  const int created = open(file_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
  if (created < 0) return errno;
  close(created);
  const int fd = open_descriptor();
  struct stat status {};
  if (fd < 0 || flock(fd, LOCK_EX) != 0 || fstat(fd, &status) != 0) return errno;
  int error = status.st_size == 0 ? 0 : EEXIST;
  if (error == 0) error = reserve(fd, take_piece());
  flock(fd, LOCK_UN);
  if (error == 0) {
    void* const mapped =
        mmap(nullptr, sizeof(wire::RawHeader), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED) error = errno;
    header = static_cast<wire::RawHeader*>(mapped);
  }
  if (error != 0) {
    close(fd);
    return error;
  }
  device = status.st_dev;
  inode = status.st_ino;
  descriptor.store(fd, std::memory_order_relaxed);
  return 0;
}

}  // namespace

int open_file(const char* path, wire::RawHeader*& header) {
  if (std::strlen(path) >= sizeof first_path) return ENAMETOOLONG;
  std::strcpy(first_path, path);
  std::strcpy(file_path, path);
  return open_file(header);
}

int open_file_of_child(wire::RawHeader*& header) {
  const int length = std::snprintf(file_path, sizeof file_path, "%s.%d", first_path, getpid());
  if (length < 0 || static_cast<std::size_t>(length) >= sizeof file_path) return ENAMETOOLONG;
  const int parents = descriptor.exchange(-1);
  if (is_ours(parents)) close(parents);
  next_piece.store(0);
  return open_file(header);
}

std::uint64_t take_piece() {
  return next_piece.fetch_add(wire::kRawPieceBytes, std::memory_order_relaxed);
}

int write_piece(std::uint64_t offset, const void* bytes, std::size_t size) {
  const int saved = errno;
  const int fd = our_descriptor();
  const int error = fd < 0 ? errno : write_at(fd, offset, static_cast<const char*>(bytes), size);
  errno = saved;
  return error;
}

void* map_piece(int& error) {
  const int saved = errno;
  const std::uint64_t offset = take_piece();
  const int fd = our_descriptor();
  void* mapped = MAP_FAILED;
  error = fd < 0 ? errno : reserve(fd, offset);
  if (error == 0) {
    mapped = mmap(nullptr, wire::kRawPieceBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                  static_cast<off_t>(offset));
    if (mapped == MAP_FAILED) error = errno;
  }
  errno = saved;
  return mapped == MAP_FAILED ? nullptr : mapped;
}

}  // namespace omnium::runtime::record
