// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a program that overwrote its own memory could send to the process that watches it.
#include <cstddef>
#include <cstdint>
#include <span>

#include "watch/live_finding.h"
#include "watch/message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace omnium;
  const auto message = watch::read_message(std::as_bytes(std::span(data, size)));
  if (!message) return 0;
  symbols::Binaries binaries;
  symbols::AddressSpace memory(binaries, {});
  if (const auto* finding = std::get_if<watch::FindingMessage>(&message->content)) {
    watch::confirm(*finding, memory, "program", omnium::kDefaultMode);
    watch::unexplained(*finding, memory, "program", omnium::kDefaultMode);
  }
  return 0;
}
