// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/record/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/system/file_limit.h"
#include "runtime/system/own_descriptor.h"
#include "runtime/system/raw_map.h"

namespace omnium::runtime::record {

namespace {

char first_path[4096];  // of the process that was started
char file_path[4096];
constinit OwnDescriptor file;
std::atomic<std::uint64_t> next_piece{0};

int open_again() {
  return static_cast<int>(
      syscall(SYS_openat, AT_FDCWD, file_path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW));
}

// The descriptor of the log, opened again if the program has closed it. -1 with errno if the file
// does not exist any more.
int our_descriptor() {
  if (file.is_open()) return file.get();
  const int again = open_again();
  if (again < 0) return -1;
  if (!file.is_same_file(again)) {
    syscall(SYS_close, again);
    errno = ENOENT;
    return -1;
  }
  file.take(again);
  return file.get();
}

int write_at(int fd, std::uint64_t offset, const char* bytes, std::size_t size) {
  if (!is_within_file_limit(offset + size)) return EFBIG;
  while (size != 0) {
    const long put = syscall(SYS_pwrite64, fd, bytes, size, offset);
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
  if (!is_within_file_limit(offset + wire::kRawPieceBytes)) return EFBIG;
  if (syscall(SYS_fallocate, fd, 0, offset, wire::kRawPieceBytes) == 0) return 0;
  if (errno != EOPNOTSUPP) return errno;
  static const char zeros[4096] = {};
  for (std::size_t done = 0; done < wire::kRawPieceBytes; done += sizeof zeros) {
    if (const int error = write_at(fd, offset + done, zeros, sizeof zeros)) return error;
  }
  return 0;
}

// Opens the file with these flags and maps its header. Nobody else may read what is recorded.
int open_file(int flags, wire::RawHeader*& header) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW;
  const int opened =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, file_path, kFlags | flags, 0600));
  if (opened < 0) return errno;
  struct stat status {};
  int error = flock(opened, LOCK_EX) != 0 || fstat(opened, &status) != 0 ? errno : 0;
  if (error == 0 && !S_ISREG(status.st_mode)) error = EINVAL;
  if (error == 0 && status.st_size != 0) error = EEXIST;
  if (error == 0) error = reserve(opened, take_piece());
  flock(opened, LOCK_UN);
  if (error == 0) {
    void* const mapped =
        map_raw(nullptr, sizeof(wire::RawHeader), PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
    if (mapped == MAP_FAILED) error = errno;
    header = static_cast<wire::RawHeader*>(mapped);
  }
  if (error != 0) {
    syscall(SYS_close, opened);
    return error;
  }
  file.take(opened);
  return 0;
}

}  // namespace

int open_file(const char* path, wire::RawHeader*& header) {
  if (std::strlen(path) >= sizeof first_path) return ENAMETOOLONG;
  std::strcpy(first_path, path);
  std::strcpy(file_path, path);
  return open_file(0, header);
}

// Anybody can guess the name of this file, so it must not exist yet.
int open_file_of_child(wire::RawHeader*& header) {
  const int length = std::snprintf(file_path, sizeof file_path, "%s.%d", first_path, getpid());
  if (length < 0 || static_cast<std::size_t>(length) >= sizeof file_path) return ENAMETOOLONG;
  file.close();
  next_piece.store(0);
  return open_file(O_EXCL, header);
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

bool has_reader() {
  const int fd = static_cast<int>(
      syscall(SYS_openat, AT_FDCWD, first_path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW));
  if (fd < 0) return false;
  struct flock held {};
  held.l_type = F_RDLCK;
  held.l_whence = SEEK_SET;
  held.l_start = wire::kRawReaderByte;
  held.l_len = 1;
  const bool failed = syscall(SYS_fcntl, fd, F_OFD_GETLK, &held) != 0;
  syscall(SYS_close, fd);
  return failed || held.l_type != F_UNLCK;
}

// The reader's files are alone in a folder.
void remove_file() {
  syscall(SYS_unlinkat, AT_FDCWD, file_path, 0);
  char folder[sizeof first_path];
  std::strcpy(folder, first_path);
  if (char* const slash = std::strrchr(folder, '/'); slash != nullptr) {
    *slash = '\0';
    syscall(SYS_unlinkat, AT_FDCWD, folder, AT_REMOVEDIR);
  }
}

void* map_piece(int& error) {
  const int saved = errno;
  const std::uint64_t offset = take_piece();
  const int fd = our_descriptor();
  void* mapped = MAP_FAILED;
  error = fd < 0 ? errno : reserve(fd, offset);
  if (error == 0) {
    mapped = map_raw(nullptr, wire::kRawPieceBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                  static_cast<off_t>(offset));
    if (mapped == MAP_FAILED) error = errno;
  }
  errno = saved;
  return mapped == MAP_FAILED ? nullptr : mapped;
}

}  // namespace omnium::runtime::record
