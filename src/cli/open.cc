// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/open.h"

#include <array>

#include "decode/raw_log.h"
#include "decode/source.h"
#include "trace/open.h"

namespace omnium::cli {

Result<std::unique_ptr<EventSource>> open_events(const std::string& path) {
  auto input = trace::open_input(path);
  if (!input) return tl::unexpected(input.error());
  return open_events(std::move(*input));
}

Result<std::unique_ptr<EventSource>> open_events(std::unique_ptr<trace::Input> input) {
  std::array<char, sizeof wire::kRawMagic> start{};
  const auto got = input->read_at(0, start);
  if (!got) return tl::unexpected(got.error());
  if (decode::looks_like_raw_log({start.data(), *got})) {
    return decode::read_raw_log(std::move(input));
  }
  return trace::open_trace(std::move(input));
}

}  // namespace omnium::cli
