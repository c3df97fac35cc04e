// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the writers of text formats share: each name is looked at once, when it is new, and refused
// if the format cannot hold it; each event becomes a line.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "event/source.h"
#include "trace/name_space.h"
#include "trace/output.h"

namespace omnium::trace {

class TextSink : public EventSink {
 public:
  explicit TextSink(std::unique_ptr<Output> output) : output_(std::move(output)) {}

  Result<void> write(std::span<const Event> events, const Names& names) final;
  Result<void> finish(const Names& names) final;

 protected:
  // Why the format cannot hold `name`, as the end of a sentence; nothing if it can.
  virtual std::optional<std::string> what_is_wrong(NameSpace space,
                                                   std::string_view name) const = 0;
  // Appends the line of `event`, which is not kSkip.
  virtual void format(const Event& event, const Names& names, std::string& out) = 0;

 private:
  Result<void> check_new_names(const Names& names);

  std::unique_ptr<Output> output_;
  std::array<std::uint32_t, kNameSpaces> checked_{};  // names below this are fine
  std::string lines_;
};

}  // namespace omnium::trace
