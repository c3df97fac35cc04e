// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A progress line on standard error, if that is a terminal; erased at the end.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "event/source.h"
#include "support/error.h"

namespace omnium::cli {

// How much of a trace has been read. Any thread may ask.
class Meter {
 public:
  // From 0 to 1; none if the end is not known, as of a pipe.
  std::optional<double> portion() const;

 private:
  friend class MeteredInput;
  std::atomic<std::uint64_t> reached_{0}, all_{0};
};

// Opens a trace as open_trace() does.
Result<std::unique_ptr<EventSource>> open_metered(const std::string& path,
                                                  std::shared_ptr<Meter> meter);

class ProgressLine {
 public:
  explicit ProgressLine(std::string_view what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool wanted() const { return wanted_; }
  // How many events, and how much of the input.
  void show_events(EventIndex done, const Meter& meter);
  // How many things of how many.
  void show_count(std::size_t done, std::size_t all, std::string_view things);
  // Anything else. Nothing is shown of what is over soon.
  void show(const std::string& text);
  void erase();

 private:
  bool is_due();
  double seconds() const;
  void put(const std::string& text);

  std::string what_;
  bool wanted_;
  bool shown_ = false;
  double started_;
  double next_ = 0;  // seconds after that: when it is due again
};

// "42 s", "7 min", "3 h 20 min"
std::string duration_in_words(double seconds);

// A trace that shows how far it has been read, for who reads it on this thread.
class ShownSource final : public EventSource {
 public:
  ShownSource(EventSource& source, ProgressLine& line, const Meter& meter)
      : source_(source), line_(line), meter_(meter) {}

  Result<std::size_t> read(std::span<Event> out) override;
  Result<EventIndex> seek(EventIndex target) override;
  const Names& names() const override { return source_.names(); }
  Position position_of(std::size_t offset) const override { return source_.position_of(offset); }
  void want_locations(bool wanted) override { source_.want_locations(wanted); }
  std::string_view format() const override { return source_.format(); }
  bool is_well_formed() const override { return source_.is_well_formed(); }
  std::vector<Code> codes_at(LocId location) const override { return source_.codes_at(location); }
  std::vector<std::string> warnings() const override { return source_.warnings(); }

 private:
  EventSource& source_;
  ProgressLine& line_;
  const Meter& meter_;
  EventIndex next_ = 0;
};

}  // namespace omnium::cli
