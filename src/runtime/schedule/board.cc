// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/board.h"
#include "runtime/system/raw_map.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace omnium::runtime {

namespace {

wire::SerialBoard* mapped;

}  // namespace

bool open_board(const char* path) {
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status;
  void* memory = MAP_FAILED;
  if (fstat(file, &status) == 0 && status.st_size == static_cast<off_t>(sizeof(*mapped))) {
    memory = map_raw(nullptr, sizeof(*mapped), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (memory == MAP_FAILED) return false;
  mapped = static_cast<wire::SerialBoard*>(memory);
  return mapped->version == wire::kSerialVersion;
}

wire::SerialBoard& board() { return *mapped; }

}  // namespace omnium::runtime
