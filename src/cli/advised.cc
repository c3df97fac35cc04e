// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/advised.h"

namespace omnium::cli {

Error advised(const Error& error, const std::string& path, FileKind wanted) {
  FileKind kind = file_kind(path);
  // Traces that people write are known by their names only.
  const bool named = path.ends_with(".std") || path.ends_with(".csv") || path.ends_with(".rr");
  if (kind == FileKind::kUnknown && named) kind = FileKind::kTrace;
  if (kind == FileKind::kUnknown || kind == wanted) return error;
  return {{path}, advice(kind, path)};
}

Error advised(const Error& error, FileKind wanted) {
  return advised(error, error.at.file, wanted);
}

}  // namespace omnium::cli
