// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/specification_options.h"

#include <array>

#include <fmt/format.h>

#include "cli/choices.h"
#include "cli/terminal.h"
#include "support/suggestion.h"

namespace omnium::cli {

namespace {

constexpr std::size_t kBatchEvents = 2048;

}  // namespace

std::vector<Option> SpecificationOptions::rows() {
  return {
      {'s', "spec", "FILE", "which blocks should be atomic (default: every block)", &spec_},
      {'\0', "exclude", "FILE", "names of blocks that need not be atomic, one per line", &exclude_},
      {'\0', "not-atomic", "BLOCK", "blocks of this name need not be atomic; can be given several times",
       &not_atomic_},
      {'\0', "profile", "NAME",
       "naive: exclude main and thread entry functions\n"
       "paper: also exclude blocks that wait on a condition",
       &profile_name_},
  };
}

Result<void> SpecificationOptions::read() {
  if (!profile_name_.empty()) {
    profile_ = find_profile(profile_name_);
    if (!profile_) {
      return fail({}, support::unknown("profile", profile_name_, choices("", "profile")));
    }
  }
  if (!spec_.empty()) {
    if (auto read = specification_.read_file(spec_); !read) return read;
  }
  if (!exclude_.empty()) {
    if (auto read = specification_.read_exclusions(exclude_); !read) return read;
  }
  for (const std::string& label : not_atomic_) specification_.exclude(label);
  not_seen_.insert(not_atomic_.begin(), not_atomic_.end());
  unused_.emplace(specification_);
  return {};
}

void SpecificationOptions::look_at(const Names& names) {
  looked_ = true;
  for (std::uint32_t i = 0; i < names.labels.size(); ++i) {
    unused_->see(names.labels.name(i));
    if (!not_seen_.empty()) not_seen_.erase(std::string(names.labels.name(i)));
  }
}

void SpecificationOptions::warn_of_unused() const {
  for (const std::string& text : unused_->warnings("no block")) print_warning(text);
  if (!looked_) return;
  for (const std::string& label : not_seen_) {
    print_warning(fmt::format("--not-atomic '{}' matches no block", label));
  }
}

// Rules from the files come after those of the profile, so they win.
Result<Specification> SpecificationOptions::for_trace(EventSource& source) const {
  if (!profile_) return specification_;
  ProfileSurvey survey(*profile_);
  std::array<Event, kBatchEvents> buffer;
  for (;;) {
    const auto count = source.read(buffer);
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) break;
    survey.look_at(std::span(buffer).first(*count), source.names());
  }
  if (auto start = source.seek(0); !start) return tl::unexpected(start.error());
  Specification specification;
  for (const std::string& label : survey.excluded()) specification.exclude(label);
  specification.append(specification_);
  return specification;
}

}  // namespace omnium::cli
