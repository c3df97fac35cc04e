// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Any text is a model or has a place where it is wrong; a model can be explored a little.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/compile.h"
#include "model/explorer.h"
#include "model/parser.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace omnium;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto program = model::parse(text, "fuzz.omp");
  if (!program) {
    CHECK(program.error().at.line > 0 && program.error().at.column > 0);
    return 0;
  }
  const auto compiled = model::compile(*program);
  if (!compiled) {
    CHECK(compiled.error().at.line > 0 && compiled.error().at.column > 0);
    return 0;
  }
  model::Options options;
  options.max_states = 200;
  options.workers = 1;
  const auto outcome = model::explore(*compiled, options);
  CHECK(!outcome || outcome->states <= 200 || outcome->answer != model::Answer::kSerializable);
  return 0;
}
