// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/text_sink.h"

#include <fmt/format.h>

namespace omnium::trace {

namespace {

constexpr std::size_t kFlushBytes = 64 * 1024;

}  // namespace

Result<void> TextSink::write(std::span<const Event> events, const Names& names) {
  if (auto checked = check_new_names(names); !checked) return checked;
  for (const Event& event : events) {
    if (event.kind == Kind::kSkip) continue;
    format(event, names, lines_);
    if (lines_.size() < kFlushBytes) continue;
    if (auto appended = output_->append(lines_); !appended) return appended;
    lines_.clear();
  }
  return {};
}

Result<void> TextSink::finish(const Names&) {
  if (auto appended = output_->append(lines_); !appended) return appended;
  return output_->finish();
}

Result<void> TextSink::check_new_names(const Names& names) {
  for (std::size_t i = 0; i < kNameSpaces; ++i) {
    const auto space = static_cast<NameSpace>(i);
    const support::Interner& interner = interner_of(names, space);
    for (; checked_[i] < interner.size(); ++checked_[i]) {
      const std::string_view name = interner.name(checked_[i]);
      const auto wrong = what_is_wrong(space, name);
      if (!wrong) continue;
      return fail({output_->name()}, fmt::format("cannot write {} name '{}' in this format: it {}",
                                                 name_of(space), printable(name), *wrong));
    }
  }
  return {};
}

}  // namespace omnium::trace
