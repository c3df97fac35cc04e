// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace omnium;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  test::check_reader(bytes, TraceFormat::kRoadRunner, TraceFormat::kOmt);
  return 0;
}
