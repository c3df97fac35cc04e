// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/std.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#include <fmt/format.h>

#include "trace/text_sink.h"
#include "trace/text_source.h"

namespace omnium::trace {

namespace {

// Bit i of `bars` (`newlines`) says that byte i of 64 is '|' ('\n').
struct Marks {
  std::uint64_t bars;
  std::uint64_t newlines;
};

#if defined(__SSE2__)

[[gnu::always_inline]] inline Marks scan(const char* from) {
  const __m128i bar = _mm_set1_epi8('|');
  const __m128i newline = _mm_set1_epi8('\n');
  Marks marks{0, 0};
  for (int i = 0; i < 64; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    const auto bars = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, bar)));
    const auto ends = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, newline)));
    marks.bars |= std::uint64_t{bars} << i;
    marks.newlines |= std::uint64_t{ends} << i;
  }
  return marks;
}

#else

inline Marks scan(const char* from) {
  Marks marks{0, 0};
  for (int i = 0; i < 64; ++i) {
    marks.bars |= std::uint64_t{from[i] == '|'} << i;
    marks.newlines |= std::uint64_t{from[i] == '\n'} << i;
  }
  return marks;
}

#endif

std::uint64_t load_word(const char* from) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// How an operation with a name starts, up to and including its parenthesis.
struct Operation {
  std::uint64_t text = ~std::uint64_t{0};  // matches nothing
  std::uint64_t mask = 0;
  Kind kind = Kind::kRead;
  NameSpace space = NameSpace::kVariables;
  std::uint8_t length = 0;
};

constexpr std::size_t slot_of(char first, char second) {
  return static_cast<std::size_t>(first & 31) | (second == 'e' ? 32u : 0u);
}

// By the first letter, and whether the second is 'e': that tells the eight core operations apart.
// The others take a slower way.
constexpr std::array<Operation, 64> make_operations() {
  std::array<Operation, 64> table{};
  for (std::size_t i = 0; i < kCoreKinds; ++i) {
    const auto kind = static_cast<Kind>(i);
    const std::string_view word = std_word(kind);
    const auto letter = [&](std::size_t at) { return at < word.size() ? word[at] : '('; };
    Operation& entry = table[slot_of(letter(0), letter(1))];
    entry = {0, 0, kind, object_space(kind), static_cast<std::uint8_t>(word.size() + 1)};
    for (std::size_t at = 0; at <= word.size(); ++at) {
      entry.text |= std::uint64_t{static_cast<unsigned char>(letter(at))} << 8 * at;
      entry.mask |= std::uint64_t{0xff} << 8 * at;
    }
  }
  return table;
}

// The kind whose STD word this is.
std::optional<Kind> find_kind(std::string_view word) {
  for (std::size_t i = 0; i < kKinds; ++i) {
    if (std_word(static_cast<Kind>(i)) == word) return static_cast<Kind>(i);
  }
  return std::nullopt;
}

constexpr std::array<Operation, 64> kOperations = make_operations();
static_assert(std::endian::native == std::endian::little);

class StdSource final : public TextSource {
 public:
  using TextSource::TextSource;

  std::string_view format() const override { return "std"; }

 private:
  // A line cut into its fields.
  struct Line {
    std::string_view thread;
    std::string_view op;
    std::string_view loc;
    std::uint64_t number;
    std::size_t op_column() const { return thread.size() + 2; }
  };

  std::size_t parse(Cursor& cursor, std::span<Event> out, std::size_t first) override;
  bool parse_line(const Line& line, Event& event);
  bool parse_slowly(const Line& line, Event& event);
  bool set_event(const Line& line, Kind kind, std::string_view name, Event& event);
  bool finish_event(const Line& line, Event& event);
  [[gnu::cold]] void reject_operation(const Line& line);
  static bool split_slowly(const char* begin, const char* end, Line& line);
};

std::size_t StdSource::parse(Cursor& cursor, std::span<Event> out, std::size_t first) {
  std::size_t done = 0;
  while (cursor.at != cursor.end && done < out.size()) {
    const char* at = cursor.at;
    const Marks marks = scan(at);
    const char* end = marks.newlines != 0 ? at + std::countr_zero(marks.newlines)
                                          : end_of_line(at + LineBuffer::kPadding, cursor.end);
    const std::uint64_t bars = marks.bars & (marks.newlines ^ (marks.newlines - 1));
    const std::uint64_t later_bars = bars & (bars - 1);
    if (*at == '#' || *at == '\n' || (*at == '\r' && without_carriage_return({at, end}).empty())) {
      start_run(first + done, cursor.line + 1);
    } else {
      Line line{{}, {}, {}, cursor.line};
      if (later_bars != 0) [[likely]] {
        const char* bar = at + std::countr_zero(bars);
        const char* second = at + std::countr_zero(later_bars);
        line = {{at, bar}, {bar + 1, second}, {second + 1, end}, cursor.line};
      } else if (!split_slowly(at, end, line)) {
        reject(cursor.line, 1,
               fmt::format("expected THREAD|OP|LOC, got '{}'",
                           printable(without_carriage_return({at, end}))));
        break;
      }
      if (!parse_line(line, out[done])) break;
      ++done;
    }
    cursor.at = end + 1;
    ++cursor.line;
  }
  return done;
}

bool StdSource::split_slowly(const char* begin, const char* end, Line& line) {
  const std::string_view text(begin, end);
  const std::size_t bar = text.find('|');
  const std::size_t second = bar == text.npos ? bar : text.find('|', bar + 1);
  if (second == text.npos) return false;
  line.thread = text.substr(0, bar);
  line.op = text.substr(bar + 1, second - bar - 1);
  line.loc = text.substr(second + 1);
  return true;
}

// Loads up to 16 bytes beyond the operation: LineBuffer lets us.
[[gnu::always_inline]] inline bool StdSource::parse_line(const Line& line, Event& event) {
  const char* op = line.op.data();
  const Operation& operation = kOperations[slot_of(op[0], op[1])];
  const bool known = (load_word(op) & operation.mask) == operation.text;
  if (!known || line.op.size() <= operation.length || line.op.back() != ')') [[unlikely]] {
    return parse_slowly(line, event);
  }
  const std::string_view name(op + operation.length, line.op.size() - operation.length - 1);
  if ((name.empty() && operation.space != NameSpace::kLabels) || line.thread.empty()) [[unlikely]] {
    reject_operation(line);
    return false;
  }
  return set_event(line, operation.kind, name, event);
}

[[gnu::always_inline]] inline bool StdSource::set_event(const Line& line, Kind kind,
                                                        std::string_view name, Event& event) {
  const std::uint32_t thread = id_of(NameSpace::kThreads, line.thread, line.number, 1);
  event.kind = kind;
  event.thread_id = static_cast<std::uint16_t>(thread);
  event.object = id_of(object_space(kind), name, line.number, line.op_column());
  return thread != NameCache::kFull && event.object != NameCache::kFull &&
         finish_event(line, event);
}

// `begin` and `end` without a label, and operations other than the eight core ones.
bool StdSource::parse_slowly(const Line& line, Event& event) {
  const std::size_t open = std::min(line.op.find('('), line.op.size());
  const auto kind = find_kind(line.op.substr(0, open));
  std::string_view name = line.op.substr(open);
  const bool closed = name.size() > 1 && name.back() == ')';
  if (closed) name = name.substr(1, name.size() - 2);
  const bool labels = kind == Kind::kBegin || kind == Kind::kEnd;
  const bool fine = labels ? closed || name.empty() : closed && !name.empty();
  if (!kind || !fine || line.thread.empty()) {
    reject_operation(line);
    return false;
  }
  return set_event(line, *kind, name, event);
}

[[gnu::always_inline]] inline bool StdSource::finish_event(const Line& line, Event& event) {
  event.loc_id = LocId::kNoneValue;
  if (!locations_wanted()) return true;
  const std::string_view loc = without_carriage_return(line.loc);
  if (loc.empty()) return true;
  event.loc_id =
      id_of(NameSpace::kLocations, loc, line.number, line.op_column() + line.op.size() + 1);
  return event.loc_id != NameCache::kFull;
}

void StdSource::reject_operation(const Line& line) {
  if (line.thread.empty()) return reject(line.number, 1, "empty thread name");
  const std::string op = printable(line.op);
  const std::size_t column = line.op_column();
  const std::size_t open = line.op.find('(');
  const std::string_view word = line.op.substr(0, open);
  if (const auto kind = find_kind(word)) {
    if (open == line.op.npos) {
      return reject(line.number, column, fmt::format("expected {}(NAME), got '{}'", word, op));
    }
    if (line.op.back() != ')') {
      return reject(line.number, column, fmt::format("expected ')' at the end of '{}'", op));
    }
    return reject(line.number, column + open + 1,
                  fmt::format("empty {} name in '{}'", name_of(object_space(*kind)), op));
  }
  std::string words;
  for (std::size_t i = 0; i < kKinds; ++i) {
    fmt::format_to(std::back_inserter(words), "{}{}",
                   i == 0            ? ""
                   : i + 1 == kKinds ? " or "
                                     : ", ",
                   std_word(static_cast<Kind>(i)));
  }
  reject(line.number, column, fmt::format("unknown operation '{}': expected {}", op, words));
}

class StdSink final : public TextSink {
 public:
  using TextSink::TextSink;

 private:
  std::optional<std::string> what_is_wrong(NameSpace space, std::string_view name) const override;
  void format(const Event& event, const Names& names, std::string& out) override;
};

std::optional<std::string> StdSink::what_is_wrong(NameSpace space, std::string_view name) const {
  const bool location = space == NameSpace::kLocations;
  if (name.empty() && !location && space != NameSpace::kLabels) return "is empty";
  if (name.find('\n') != name.npos) return "contains a newline";
  if (!location && name.find('|') != name.npos) return "contains '|'";
  if (space == NameSpace::kThreads && name.starts_with('#')) return "starts with '#'";
  if (location && name.ends_with('\r')) return "ends with a carriage return";
  return std::nullopt;
}

void StdSink::format(const Event& event, const Names& names, std::string& out) {
  const std::string_view object = interner_of(names, object_space(event.kind)).name(event.object);
  out.append(names.threads.name(event.thread_id));
  out += '|';
  out.append(std_word(event.kind));
  if (!object.empty()) {
    out += '(';
    out.append(object);
    out += ')';
  }
  out += '|';
  if (!event.loc().is_none()) out.append(names.locations.name(event.loc_id));
  out += '\n';
}

}  // namespace

std::unique_ptr<EventSource> read_std(std::unique_ptr<Input> input) {
  return std::make_unique<StdSource>(std::move(input));
}

std::unique_ptr<EventSink> write_std(std::unique_ptr<Output> output) {
  return std::make_unique<StdSink>(std::move(output));
}

}  // namespace omnium::trace
