// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that wants to harm the process that watches it: any packets, one after the other. Each
// is preceded by its length in two bytes and by a byte that says which process sends it.
#include <cstddef>
#include <cstdint>
#include <span>

#include "support/byte_sink.h"
#include "watch/channel.h"
#include "watch/watcher.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace omnium;
  static auto channel = watch::Channel::create();
  if (!channel) return 0;
  support::StringSink log;
  watch::WatchSettings settings;
  settings.program = "program";
  settings.functions_are_blocks = true;
  watch::Watcher watcher(std::move(settings), *channel, log);
  for (std::span left(data, size); left.size() > 3;) {
    const std::size_t length = std::min<std::size_t>(left[0] | left[1] << 8, left.size() - 3);
    watcher.receive({std::as_bytes(left.subspan(3, length)), left[2]});
    left = left.subspan(3 + length);
  }
  watcher.print_summary(true);
  watcher.warn_of_unused_rules();
  return 0;
}
