// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/corpus.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "hunt/schedule_file.h"
#include "support/child_process.h"
#include "support/descriptor.h"
#include "support/run_id.h"
#include "support/text_file.h"

namespace omnium::hunt {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporary = ".new-", kSum = "# sum ";
constexpr time_t kLeftoverSeconds = 3600;

tl::unexpected<Error> cannot_write(const std::string& path) {
  return fail({path}, fmt::format("cannot write: {}", std::strerror(errno)));
}

// Shared objects that the dynamic linker loads for the program, but for those of the system. None
// if it is linked statically, or is a script.
std::vector<std::string> libraries_of(const std::string& program) {
  const std::string path = fs::absolute(program).string();
  constexpr char kList[] = "exec /lib64/ld-linux-x86-64.so.2 --list \"$0\" 2>/dev/null";
  const auto list = support::filtered({"/bin/sh", "-c", kList, path}, "");
  std::vector<std::string> out;
  if (!list) return out;
  for (const std::string_view line : support::lines_of(*list)) {
    // NAME => PATH (ADDRESS)
    const std::size_t arrow = line.find(" => "), end = line.rfind(" (");
    if (arrow == line.npos || end == line.npos || end < arrow + 4) continue;
    const std::string_view found = line.substr(arrow + 4, end - arrow - 4);
    if (found.starts_with("/lib") || found.starts_with("/usr/lib")) continue;
    out.emplace_back(found);
  }
  std::ranges::sort(out);
  return out;
}

// Writes and brings to the disk.
bool store(const std::string& path, std::string_view content) {
  support::Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file || !support::write_all(file.get(), content)) return false;
  return ::fsync(file.get()) == 0 && file.close();
}

// Gives a complete file its name. False with EEXIST: it is taken.
bool publish(const std::string& temporary, const std::string& path) {
  if (::link(temporary.c_str(), path.c_str()) == 0) return true;
  const int failure = errno;
  // A file server may have done it, and the answer was lost.
  struct stat facts {};
  if (::stat(temporary.c_str(), &facts) == 0 && facts.st_nlink == 2) return true;
  errno = failure;
  if (failure != EPERM && failure != EOPNOTSUPP && failure != ENOSYS) return false;
  // A file system without hard links: of two hunters at the same moment the second one wins.
  if (::access(path.c_str(), F_OK) == 0) {
    errno = EEXIST;
    return false;
  }
  return ::rename(temporary.c_str(), path.c_str()) == 0;
}

void sync_folder(const std::string& folder) {
  const support::Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened) ::fsync(opened.get());
}

}  // namespace

std::string hash_of(std::string_view text) {
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

std::string hash_of_way(std::string_view lines) {
  constexpr std::string_view kModule = "module ";
  std::string out;
  for (const std::string_view line : support::lines_of(lines)) {
    if (line.starts_with("#")) continue;
    const std::size_t slash = line.starts_with(kModule) ? line.rfind('/') : line.npos;
    out += slash == line.npos ? std::string(line)
                              : fmt::format("{}{}", kModule, line.substr(slash + 1));
    out += '\n';
  }
  return hash_of(out);
}

Result<Corpus> Corpus::open(const std::string& directory, const Hunted& hunted) {
  std::string key = fmt::format("{}\n{}\n", build_of(hunted.program), escaped(hunted.options));
  std::string about = fmt::format("program {}\n", escaped(hunted.program));
  for (const std::string& argument : hunted.arguments) {
    key += fmt::format("argument {}\n", escaped(argument));
    about += fmt::format("argument {}\n", escaped(argument));
  }
  about += fmt::format("options {}\n", escaped(hunted.options));
  for (const std::string& variable : hunted.environment) {
    key += fmt::format("environment {}\n", escaped(variable));
    about += fmt::format("environment {}\n", escaped(variable));
  }
  for (const std::string& library : libraries_of(hunted.program)) {
    key += fmt::format("library {} {}\n", fs::path(library).filename().string(), build_of(library));
    about += fmt::format("library {}\n", escaped(library));
  }
  const std::string folder = (fs::path(directory) / hash_of(key)).string();
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return fail({folder}, fmt::format("cannot be created: {}", failed.message()));
  Corpus out(folder);
  if (auto added = out.add_text("about", about); !added) return tl::unexpected(added.error());
  out.remove_leftovers();
  return out;
}

std::string Corpus::path_of(std::string_view name) const {
  return (fs::path(folder_) / name).string();
}

Result<bool> Corpus::add(std::string_view name, std::string_view content) {
  seen_.emplace(name);
  const std::string path = path_of(name);
  if (::access(path.c_str(), F_OK) == 0) return false;
  const std::string temporary = path_of(fmt::format("{}{}", kTemporary, support::random_run_id()));
  const bool stored = store(temporary, content);
  const bool published = stored && publish(temporary, path);
  const int failure = errno;
  ::unlink(temporary.c_str());
  errno = failure;
  if (!published && !(stored && failure == EEXIST)) return cannot_write(path);
  if (published) sync_folder(folder_);
  return published;
}

Result<bool> Corpus::add_text(std::string_view name, std::string_view lines) {
  return add(name, fmt::format("{}{}{}\n", lines, kSum, hash_of(lines)));
}

Result<std::string> Corpus::read_text(std::string_view name) const {
  auto text = support::read_text_file(path_of(name));
  if (!text) return text;
  const std::size_t end = text->rfind(kSum);
  if (end == text->npos) return fail({path_of(name)}, "is not whole");
  const std::string sum = text->substr(end);
  text->resize(end);
  if (sum != fmt::format("{}{}\n", kSum, hash_of(*text))) {
    return fail({path_of(name)}, "is damaged: its sum is wrong");
  }
  return text;
}

std::vector<std::string> Corpus::news() {
  std::vector<std::string> out;
  std::error_code failed;
  for (auto entry = fs::directory_iterator(folder_, failed);
       !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    std::string name = entry->path().filename().string();
    if (!name.starts_with('.') && seen_.insert(name).second) out.push_back(std::move(name));
  }
  std::ranges::sort(out);
  return out;
}

// Of hunters that were killed. The clock is that of the file system.
void Corpus::remove_leftovers() const {
  const std::string clock = path_of(fmt::format("{}{}", kTemporary, support::random_run_id()));
  struct stat now {
  }, then{};
  const bool known = store(clock, "") && ::stat(clock.c_str(), &now) == 0;
  ::unlink(clock.c_str());
  if (!known) return;
  std::error_code failed;
  for (auto entry = fs::directory_iterator(folder_, failed);
       !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    const std::string path = entry->path().string();
    if (!entry->path().filename().string().starts_with(kTemporary)) continue;
    if (::lstat(path.c_str(), &then) == 0 && S_ISREG(then.st_mode) &&
        then.st_mtime + kLeftoverSeconds < now.st_mtime) {
      ::unlink(path.c_str());
    }
  }
}

}  // namespace omnium::hunt
