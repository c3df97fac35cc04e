// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A trace that ends where the user pressed Ctrl-C, also when it is read again.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "event/source.h"
#include "support/interrupt.h"

namespace omnium::cli {

class StoppableSource final : public EventSource {
 public:
  explicit StoppableSource(std::unique_ptr<EventSource> source) : source_(std::move(source)) {}

  // Was there more?
  bool stopped() const { return end_ != kNoEvent; }

  Result<std::size_t> read(std::span<Event> out) override {
    if (!stopped() && support::is_interrupted()) end_ = next_;
    if (next_ >= end_) return 0;
    const auto count = source_->read(out.first(std::min<std::uint64_t>(out.size(), end_ - next_)));
    if (count) {
      next_ += *count;
      // The pipe that it waited for has been given up.
      if (*count == 0 && support::is_interrupted()) end_ = next_;
    } else if (support::is_interrupted()) {
      end_ = next_;  // in the middle of a line
      return 0;
    }
    return count;
  }
  Result<EventIndex> seek(EventIndex target) override {
    const auto at = source_->seek(target);
    if (at) next_ = *at;
    return at;
  }
  const Names& names() const override { return source_->names(); }
  Position position_of(std::size_t offset) const override { return source_->position_of(offset); }
  void want_locations(bool wanted) override { source_->want_locations(wanted); }
  Result<void> want_variable_names(bool wanted) override {
    return source_->want_variable_names(wanted);
  }
  std::string_view format() const override { return source_->format(); }
  bool is_well_formed() const override { return source_->is_well_formed(); }
  std::vector<Code> codes_at(LocId location) const override { return source_->codes_at(location); }
  std::vector<std::string> warnings() const override { return source_->warnings(); }

 private:
  std::unique_ptr<EventSource> source_;
  support::Interruptible interruptible_;
  EventIndex next_ = 0, end_ = kNoEvent;
};

}  // namespace omnium::cli
