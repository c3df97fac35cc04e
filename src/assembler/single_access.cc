// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "assembler/single_access.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "assembler/line.h"
#include "wire/inlined.h"

namespace omnium::assembler {

namespace {

constexpr std::string_view kEnter = "__cyg_profile_func_enter", kExit = "__cyg_profile_func_exit";

// The runtime has to know a thread that begins with the function.
constexpr std::string_view kEntered = "\tcall\t*" OMNIUM_INLINED_ENTERED "@GOTPCREL(%rip)\n";

// A line of the text, with its end, and what comes in its place.
struct Line {
  std::size_t begin, end;
  std::string_view replacement = {};
};

// How many events a callback is, if it is one of plain accesses. `size` is its second argument.
std::optional<unsigned> events_of(std::string_view callback, std::optional<unsigned> size) {
  constexpr unsigned kMostAtOnce = 16;  // what a range may have to be one event
  if (callback == "read_range" || callback == "write_range") {
    return size && *size <= kMostAtOnce ? 1 : 2;
  }
  take(callback, "unaligned_");
  if (!take(callback, "read") && !take(callback, "write")) return std::nullopt;
  const bool is_plain = callback == "1" || callback == "2" || callback == "4" || callback == "8" ||
                        callback == "16";
  return is_plain ? std::optional(1u) : std::nullopt;
}

// Goes through the lines of straight code.
class Search {
 public:
  void see(std::string_view line, Line place) {
    if (line.starts_with("\t.cfi_startproc")) {
      stands_by_itself_ = true;
      return open_.clear();
    }
    if (const auto function = function_called(line)) return see_call(*function, place);
    if (sets_second_argument(line)) size_ = second_argument(line);
    if (!ends_straight_code(line)) return;
    open_.clear();
    size_.reset();
  }

  std::vector<Line> needless() && {
    std::ranges::sort(needless_, {}, &Line::begin);
    return std::move(needless_);
  }

 private:
  struct Open {
    Line hook;
    unsigned events;
  };

  void see_call(std::string_view function, Line place) {
    const auto size = size_;
    size_.reset();
    if (function == kEnter) {
      if (stands_by_itself_) place.replacement = kEntered;
      stands_by_itself_ = false;
      return open_.push_back({place, 0});
    }
    if (function == kExit) return close(place);
    std::optional<unsigned> events;
    if (take(function, kPrefix)) events = events_of(function, size);
    if (!events) return open_.clear();
    for (Open& open : open_) open.events += *events;
  }

  void close(Line place) {
    if (open_.empty()) return;
    const Open open = open_.back();
    open_.pop_back();
    if (open.events > 1) return;
    needless_.push_back(open.hook);
    needless_.push_back(place);
  }

  std::vector<Open> open_;
  std::vector<Line> needless_;
  std::optional<unsigned> size_;   // the second argument of the next call
  bool stands_by_itself_ = false;  // the next hook is that of the function itself
};

}  // namespace

std::string without_needless_hooks(std::string_view text) {
  if (text.find(kEnter) == std::string_view::npos) return std::string(text);
  Search search;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\n')) line.remove_suffix(1);
    search.see(line, {begin, end});
    begin = end;
  }
  std::string out;
  std::size_t copied = 0;
  for (const Line hook : std::move(search).needless()) {
    out += text.substr(copied, hook.begin - copied);
    out += hook.replacement;
    copied = hook.end;
  }
  return out += text.substr(copied);
}

}  // namespace omnium::assembler
