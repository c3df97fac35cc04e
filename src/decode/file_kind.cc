// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/file_kind.h"

#include <array>
#include <filesystem>
#include <fstream>

#include <elf.h>
#include <fmt/format.h>

#include "decode/raw_log.h"
#include "support/display.h"
#include "trace/omt.h"
#include "trace/read.h"

namespace omnium {

namespace {

bool ends_like(std::string_view path, std::initializer_list<std::string_view> endings) {
  for (const std::string_view ending : endings) {
    if (path.ends_with(ending)) return true;
  }
  return false;
}

// Executables and shared libraries look the same: both are "dynamic" if they can be moved.
FileKind kind_of_elf(std::string_view path, std::string_view start) {
  constexpr std::size_t kTypeAt = EI_NIDENT;
  const int type = start.size() > kTypeAt ? static_cast<unsigned char>(start[kTypeAt]) : ET_NONE;
  const bool library = path.ends_with(".so") || path.find(".so.") != path.npos;
  return (type == ET_EXEC || type == ET_DYN) && !library ? FileKind::kProgram : FileKind::kObject;
}

// A program in the working directory is not found without "./".
std::string to_start(std::string_view path) {
  const std::string name = support::terminal_text(path);
  return path.find('/') == path.npos ? "./" + name : name;
}

}  // namespace

FileKind file_kind(std::string_view path, std::string_view start) {
  constexpr std::string_view kGzip = "\x1f\x8b", kZstd = "\x28\xb5\x2f\xfd",
                             kXz =
                                 "\xfd"
                                 "7zXZ";
  if (trace::looks_like_omt(start) || decode::looks_like_raw_log(start)) return FileKind::kTrace;
  if (start.starts_with(ELFMAG)) return kind_of_elf(path, start);
  if (start.starts_with("#!/")) return FileKind::kProgram;
  if (start.starts_with("{\"tool\":\"omnium\"")) return FileKind::kResult;
  if (start.starts_with("omnium-schedule ")) return FileKind::kSchedule;
  for (const std::string_view magic : {kGzip, kZstd, kXz}) {
    if (start.starts_with(magic)) return FileKind::kCompressed;
  }
  if (path.ends_with(".omp")) return FileKind::kModel;
  if (ends_like(path, {".c", ".cc", ".cpp", ".cxx", ".h", ".hpp"})) return FileKind::kSource;
  return FileKind::kUnknown;
}

FileKind file_kind(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return FileKind::kUnknown;
  std::array<char, trace::kSniffedBytes> start;
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), start.size());
  return file_kind(path, {start.data(), static_cast<std::size_t>(file.gcount())});
}

std::string advice(FileKind kind, std::string_view path) {
  const std::string name = support::terminal_text(path);
  switch (kind) {
    case FileKind::kUnknown: break;
    case FileKind::kTrace:
      return fmt::format("this is a trace; to check it: omnium check {}", name);
    case FileKind::kProgram:
      return fmt::format("this is a program; to run and check it: omnium run -- {}",
                         to_start(path));
    case FileKind::kObject: return "this is a compiled file, neither a program nor a trace";
    case FileKind::kResult:
      return fmt::format("this is a stored result; to render it: omnium report {}", name);
    case FileKind::kModel:
      return fmt::format("this is a model; to explore it: omnium model {}", name);
    case FileKind::kSchedule:
      return fmt::format("this is a schedule of omnium hunt; to run it again: omnium replay {}",
                         name);
    case FileKind::kSource:
      return fmt::format("this is source code; to compile it for checking: omnium c++ -g {}", name);
    case FileKind::kCompressed: return "this file is compressed; unpack it first";
  }
  return "";
}

}  // namespace omnium
