// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/sampled_arrays.h"

#include <charconv>

namespace omnium::trace {

bool is_beyond(std::string_view variable, std::uint64_t limit) {
  for (std::size_t at = variable.find('['); at != std::string_view::npos;
       at = variable.find('[', at + 1)) {
    const char* const end = variable.data() + variable.size();
    std::uint64_t index = 0;
    const auto [rest, error] = std::from_chars(variable.data() + at + 1, end, index);
    if (error == std::errc() && rest != end && *rest == ']' && index >= limit) return true;
  }
  return false;
}

bool SampledArrays::stays(const Event& event) {
  if (event.kind != Kind::kRead && event.kind != Kind::kWrite) return true;
  if (event.object >= variables_.size()) variables_.resize(names().variables.size());
  Verdict& verdict = variables_[event.object];
  if (verdict == Verdict::kUnknown) {
    const bool goes = is_beyond(names().variables.name(event.object), limit_);
    verdict = goes ? Verdict::kGoes : Verdict::kStays;
  }
  return verdict == Verdict::kStays;
}

Result<std::size_t> SampledArrays::read(std::span<Event> out) {
  for (;;) {
    const auto count = source_.read(out);
    if (!count || *count == 0) return count;
    offsets_.clear();
    for (std::size_t i = 0; i < *count; ++i) {
      if (!stays(out[i])) continue;
      out[offsets_.size()] = out[i];
      offsets_.push_back(i);
    }
    if (!offsets_.empty()) return offsets_.size();
  }
}

}  // namespace omnium::trace
