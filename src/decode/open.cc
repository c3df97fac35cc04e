// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/open.h"

#include <array>

#include "decode/file_kind.h"
#include "decode/raw_log.h"
#include "decode/source.h"
#include "trace/omt.h"
#include "trace/read.h"

namespace omnium {

Result<std::unique_ptr<EventSource>> open_trace(const std::string& path) {
  auto input = trace::open_input(path);
  if (!input) return tl::unexpected(input.error());
  return open_trace(std::move(*input));
}

Result<std::unique_ptr<EventSource>> open_trace(std::unique_ptr<trace::Input> input) {
  // Of thousands of small traces a long look would take as long as all the rest.
  std::array<char, 16> first;
  const auto some = input->read_at(0, first);
  if (!some) return tl::unexpected(some.error());
  if (trace::looks_like_omt({first.data(), *some})) {
    return trace::read_trace(std::move(input), TraceFormat::kOmt);
  }
  std::string_view start = input->whole();
  std::unique_ptr<char[]> room;
  if (start.empty()) {
    room = std::make_unique_for_overwrite<char[]>(trace::kSniffedBytes);
    const auto got = input->read_at(0, {room.get(), trace::kSniffedBytes});
    if (!got) return tl::unexpected(got.error());
    start = {room.get(), *got};
  }
  start = start.substr(0, trace::kSniffedBytes);
  const FileKind kind = file_kind(input->name(), start);
  const bool other = kind != FileKind::kUnknown && kind != FileKind::kTrace;
  if (other) return fail({input->name()}, advice(kind, input->name()));
  if (decode::looks_like_raw_log(start)) return decode::read_raw_log(std::move(input));
  return trace::read_trace(std::move(input), trace::format_of_content(start));
}

}  // namespace omnium
