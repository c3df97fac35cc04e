// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a file is, for people who give a command the wrong one.
#pragma once

#include <string>
#include <string_view>

namespace omnium {

enum class FileKind {
  kUnknown,  // perhaps a trace: those of people have no mark
  kTrace,    // a binary trace or a raw log
  kProgram,
  kObject,  // a compiled file that cannot be started
  kResult,  // of -f json
  kModel,
  kSchedule,
  kSource,
  kCompressed,
};

// By its first bytes, and by its name where they say nothing.
FileKind file_kind(std::string_view path, std::string_view start);
// The same for a file; kUnknown if it cannot be read. Nothing is taken from a pipe.
FileKind file_kind(const std::string& path);

// "this is a program; to run and check it: omnium run -- ./bank"; empty for what is not known.
std::string advice(FileKind kind, std::string_view path);

}  // namespace omnium
