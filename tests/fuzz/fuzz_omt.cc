// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Mutated files get right checksums three times out of four; otherwise the fuzzer would never see
// beyond them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/fuzz/round_trip.h"
#include "tests/support/trace_bytes.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  size = LLVMFuzzerMutate(data, size, max_size);
  if (seed % 4 == 0) return size;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  omnium::test::seal_omt(bytes);
  std::copy(bytes.begin(), bytes.end(), data);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace omnium;
  test::check_reader({reinterpret_cast<const char*>(data), size}, TraceFormat::kOmt,
                     TraceFormat::kOmt);
  return 0;
}
