// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "decode/open.h"
#include "support/display.h"
#include "trace/input.h"

namespace omnium::cli {

namespace {

constexpr EventIndex kEventsBetweenLooks = EventIndex{1} << 18;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Of a regular file; 0 otherwise.
std::uint64_t size_of(const std::string& path) {
  struct stat facts {};
  const int failed = path == "-" ? ::fstat(STDIN_FILENO, &facts) : ::stat(path.c_str(), &facts);
  return failed == 0 && S_ISREG(facts.st_mode) ? static_cast<std::uint64_t>(facts.st_size) : 0;
}

}  // namespace

std::optional<double> Meter::portion() const {
  const std::uint64_t all = all_.load(std::memory_order_relaxed);
  const std::uint64_t reached = reached_.load(std::memory_order_relaxed);
  if (all == 0 || reached == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(reached) / static_cast<double>(all));
}

// Tells the meter how far it was read.
class MeteredInput final : public trace::Input {
 public:
  MeteredInput(std::unique_ptr<trace::Input> input, std::uint64_t size,
               std::shared_ptr<Meter> meter)
      : Input(input->name()), input_(std::move(input)), meter_(std::move(meter)) {
    meter_->all_.store(size, std::memory_order_relaxed);
  }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) override {
    meter_->reached_.store(offset + out.size(), std::memory_order_relaxed);
    return input_->read_at(offset, out);
  }
  Result<void> read_to_the_end() override { return input_->read_to_the_end(); }

 private:
  std::unique_ptr<trace::Input> input_;
  std::shared_ptr<Meter> meter_;
};

Result<std::unique_ptr<EventSource>> open_metered(const std::string& path,
                                                  std::shared_ptr<Meter> meter) {
  auto input = trace::open_input(path);
  if (!input) return tl::unexpected(input.error());
  return open_trace(
      std::make_unique<MeteredInput>(std::move(*input), size_of(path), std::move(meter)));
}

std::string duration_in_words(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::clamp(seconds, 0.0, 1e9) + 0.5);
  if (whole < 100) return fmt::format("{} s", whole);
  const std::uint64_t minutes = (whole + 30) / 60;
  if (minutes < 100) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

namespace {

// Asked once: there is a line for each of many traces.
bool is_watched() {
  static const bool kIsWatched = ::isatty(STDERR_FILENO) != 0;
  return kIsWatched;
}

}  // namespace

ProgressLine::ProgressLine(std::string_view what)
    : what_(is_watched() ? support::cut_front_to_width(support::terminal_text(what), 40) : ""),
      wanted_(is_watched()),
      started_(now()) {}

ProgressLine::~ProgressLine() { erase(); }

double ProgressLine::seconds() const { return now() - started_; }

// Not more often than a person can read.
bool ProgressLine::is_due() {
  constexpr double kBefore = 0.5, kBetween = 0.2;
  if (!wanted_) return false;
  const double at = seconds();
  if (at < std::max(kBefore, next_)) return false;
  next_ = at + kBetween;
  return true;
}

void ProgressLine::put(const std::string& text) {
  shown_ = true;
  const std::string line =
      support::cut_to_width(fmt::format("{}: {}", what_, text), terminal_width(STDERR_FILENO) - 1);
  fmt::print(stderr, "\r{}\x1b[K", line);
  std::fflush(stderr);
}

void ProgressLine::show_events(EventIndex done, const Meter& meter) {
  if (!is_due()) return;
  const double millions = static_cast<double>(done) / 1e6, at = seconds();
  std::string text = fmt::format("{:.0f}M events, {:.1f}M/s", millions, millions / at);
  if (const auto portion = meter.portion()) {
    text += fmt::format(", {:.0f}%, {} left", *portion * 100,
                        duration_in_words(at * (1 - *portion) / *portion));
  }
  put(text);
}

void ProgressLine::show_count(std::size_t done, std::size_t all, std::string_view things) {
  if (done == 0 || !is_due()) return;
  const double at = seconds();
  const double portion = static_cast<double>(done) / static_cast<double>(all);
  put(fmt::format("{} of {} {}, {:.0f} per second, {:.0f}%, {} left", done, all, things,
                  static_cast<double>(done) / at, portion * 100,
                  duration_in_words(at * (1 - portion) / portion)));
}

void ProgressLine::show(const std::string& text) {
  if (is_due()) put(text);
}

void ProgressLine::erase() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
}

Result<std::size_t> ShownSource::read(std::span<Event> out) {
  const auto count = source_.read(out);
  const EventIndex before = next_;
  if (count) next_ += *count;
  if (before / kEventsBetweenLooks != next_ / kEventsBetweenLooks) {
    line_.show_events(next_, meter_);
  }
  return count;
}

Result<EventIndex> ShownSource::seek(EventIndex target) {
  const auto at = source_.seek(target);
  if (at) next_ = *at;
  return at;
}

}  // namespace omnium::cli
