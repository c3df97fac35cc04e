// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/text_source.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include <fmt/format.h>

#include "support/check.h"

namespace omnium::trace {

namespace {

constexpr EventIndex kCheckpointEvents = 65'536;

// How many names the trace before this one had, by name space: this one may have as many.
std::array<std::atomic<std::uint32_t>, kNameSpaces> usual_names;
constexpr std::uint32_t kMostUsualNames = 4096;

}  // namespace

TextSource::TextSource(std::unique_ptr<Input> input)
    : lines_(std::move(input)),
      cursor_{lines_.begin(), lines_.begin(), 1, 0},
      caches_{NameCache{names_.threads, kMaxThreads}, NameCache{names_.variables, kMaxNames},
              NameCache{names_.locks, kMaxNames},     NameCache{names_.labels, kMaxNames},
              NameCache{names_.locations, kMaxNames}, NameCache{names_.signals, kMaxNames}} {
  for (std::size_t i = 0; i < kNameSpaces; ++i) {
    const std::uint32_t usual = usual_names[i].load(std::memory_order_relaxed);
    if (usual != 0) interner_of(names_, static_cast<NameSpace>(i)).expect(usual);
  }
}

TextSource::~TextSource() {
  for (std::size_t i = 0; i < kNameSpaces; ++i) {
    const std::uint32_t had = interner_of(names_, static_cast<NameSpace>(i)).size();
    usual_names[i].store(std::min(had, kMostUsualNames), std::memory_order_relaxed);
  }
}

Result<std::size_t> TextSource::read(std::span<Event> out) {
  out = out.first(std::min<std::size_t>(out.size(), kCheckpointEvents));
  keep_checkpoint();
  runs_.assign(1, {0, cursor_.line});
  std::size_t done = 0;
  while (done < out.size()) {
    if (cursor_.at == cursor_.end) {
      auto more = lines_.fill();
      if (!more) error_ = std::move(more.error());
      if (!more && error_->at.line == 0) error_->at.line = cursor_.line;
      cursor_.at = lines_.begin();
      cursor_.end = lines_.end();
      if (more && !*more) break;
    }
    if (!error_) done += parse(cursor_, out.subspan(done), done);
    // What came before the error is handed out first; the next call finds the same line again.
    if (error_ && done == 0) return tl::unexpected(*std::exchange(error_, std::nullopt));
    if (std::exchange(error_, std::nullopt)) break;
  }
  next_ += done;
  return done;
}

void TextSource::keep_checkpoint() {
  const bool due = checkpoints_.empty() || next_ >= checkpoints_.back().event + kCheckpointEvents;
  if (due && cursor_.step == 0) {
    checkpoints_.push_back({next_, lines_.offset_of(cursor_.at), cursor_.line});
  }
}

Result<EventIndex> TextSource::seek(EventIndex target) {
  if (checkpoints_.empty()) return 0;
  const auto after = std::upper_bound(
      checkpoints_.begin(), checkpoints_.end(), target,
      [](EventIndex event, const Checkpoint& checkpoint) { return event < checkpoint.event; });
  CHECK(after != checkpoints_.begin());
  const Checkpoint& from = *std::prev(after);
  lines_.seek(from.offset);
  cursor_ = {lines_.begin(), lines_.begin(), from.line, 0};
  next_ = from.event;
  return next_;
}

Position TextSource::position_of(std::size_t offset) const {
  const auto after =
      std::upper_bound(runs_.begin(), runs_.end(), offset,
                       [](std::size_t at, const Run& run) { return at < run.offset; });
  if (after == runs_.begin()) return {lines_.name()};
  const Run& run = *std::prev(after);
  return {lines_.name(), run.line + (offset - run.offset)};
}

void TextSource::start_run(std::size_t offset, std::uint64_t line) {
  if (runs_.back().offset == offset) {
    runs_.back().line = line;
  } else {
    runs_.push_back({offset, line});
  }
}

void TextSource::reject(std::uint64_t line, std::size_t column, std::string message) {
  error_ = Error{{lines_.name(), line, column}, std::move(message)};
}

void TextSource::reject_full(NameSpace space, std::uint64_t line, std::size_t column) {
  reject(line, column, fmt::format("more than {} {} names", max_names(space), name_of(space)));
}

}  // namespace omnium::trace
