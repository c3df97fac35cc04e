// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Stored results (`-f json`), read again into the model that every renderer formats.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"
#include "support/error.h"
#include "support/interner.h"

namespace omnium::report {

// Reports, and the names that they are views of.
class StoredReports {
 public:
  // Objects one after the other: results of `check`, `run`, `model` (its violating run) and
  // `predict` (what it says could happen). `path` is for messages.
  static Result<StoredReports> parse(std::string_view text, const std::string& path);
  static Result<StoredReports> read_file(const std::string& path);

  std::span<const Report> reports() const { return reports_; }
  std::span<Report> reports() { return reports_; }

 private:
  support::Interner names_;
  std::vector<Report> reports_;
};

}  // namespace omnium::report
