// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/scratch_folder.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace omnium::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnd = "XXXXXX";  // mkdtemp() replaces it

// Closed by whoever is executed. Nothing if somebody else has the lock.
support::Descriptor lock_of(const fs::path& folder) {
  support::Descriptor out(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (out && ::flock(out.get(), LOCK_EX | LOCK_NB) != 0) return support::Descriptor();
  return out;
}

// Whoever has just made it is about to lock it.
bool is_old(const support::Descriptor& folder) {
  constexpr std::time_t kMoment = 10;  // seconds
  struct stat about {};
  return ::fstat(folder.get(), &about) == 0 && about.st_uid == ::geteuid() &&
         about.st_mtime + kMoment < ::time(nullptr);
}

void remove_left_behind(const fs::path& parent, std::string_view kind) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(parent, failed)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kind) || name.size() != kind.size() + kEnd.size()) continue;
    const support::Descriptor lock = lock_of(entry.path());
    std::error_code ignored;
    if (lock && is_old(lock)) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

Result<ScratchFolder> ScratchFolder::create(std::string_view kind) {
  std::error_code failed;
  const fs::path parent = fs::temp_directory_path(failed);
  if (failed) return fail({}, "the folder for temporary files (TMPDIR) is not there");
  remove_left_behind(parent, kind);
  std::string path = (parent / kind).string() + std::string(kEnd);
  if (::mkdtemp(path.data()) == nullptr) {
    return fail({path}, std::string("cannot be created: ") + std::strerror(errno));
  }
  return ScratchFolder(path, lock_of(path));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace omnium::cli
