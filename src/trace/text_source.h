// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the readers of text formats share: blocks of lines, line numbers, checkpoints for seek(),
// errors.
//
// A format only turns lines into events (parse). Line numbers cost nothing per event: a run is
// noted only where the n-th event is not on the n-th line. Every 64K events a checkpoint is kept
// (32 bytes), and seek() goes on from the last one before its target.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "event/source.h"
#include "trace/input.h"
#include "trace/line_buffer.h"
#include "trace/name_cache.h"
#include "trace/name_space.h"

namespace omnium::trace {

class TextSource : public EventSource {
 public:
  explicit TextSource(std::unique_ptr<Input> input);
  ~TextSource() override;

  Result<std::size_t> read(std::span<Event> out) final;
  const Names& names() const final { return names_; }
  Position position_of(std::size_t offset) const final;
  Result<EventIndex> seek(EventIndex target) final;
  void want_locations(bool wanted) final { locations_wanted_ = wanted; }

 protected:
  struct Cursor {
    const char* at;      // start of a line
    const char* end;     // of the whole lines in memory
    std::uint64_t line;  // number of the line at `at`
    std::uint32_t step;  // events of that line that were handed out already
  };

  // Turns lines from cursor.at on into events until `out` is full, cursor.at is cursor.end, or a
  // line is wrong: then reject() was called and cursor.at is that line. Returns the number of
  // events. Event i of this call is event `first` + i of the batch.
  virtual std::size_t parse(Cursor& cursor, std::span<Event> out, std::size_t first) = 0;

  // Event `offset` of the batch is on `line`, and each later one a line further.
  void start_run(std::size_t offset, std::uint64_t line);
  // `column` is 1-based.
  void reject(std::uint64_t line, std::size_t column, std::string message);
  // The id of `name`; kFull after reject() if there are too many.
  std::uint32_t id_of(NameSpace space, std::string_view name, std::uint64_t line,
                      std::size_t column) {
    const std::uint32_t id = caches_[static_cast<std::size_t>(space)].id_of(name);
    if (id == NameCache::kFull) [[unlikely]]
      reject_full(space, line, column);
    return id;
  }
  bool locations_wanted() const { return locations_wanted_; }

 private:
  struct Checkpoint {
    EventIndex event;
    std::uint64_t offset;
    std::uint64_t line;
  };
  struct Run {
    std::size_t offset;
    std::uint64_t line;
  };

  [[gnu::cold]] void reject_full(NameSpace space, std::uint64_t line, std::size_t column);
  void keep_checkpoint();

  LineBuffer lines_;
  Cursor cursor_;
  EventIndex next_ = 0;  // index of the event that read() hands out next
  std::vector<Checkpoint> checkpoints_;
  std::vector<Run> runs_;  // of the latest batch
  std::optional<Error> error_;
  bool locations_wanted_ = false;
  Names names_;
  std::array<NameCache, kNameSpaces> caches_;
};

// A line without the carriage returns that some systems put before the newline.
inline std::string_view without_carriage_return(std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// End of the line that starts at `line`; there is one before `end`.
inline const char* end_of_line(const char* line, const char* end) {
  return static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(end - line)));
}

}  // namespace omnium::trace
