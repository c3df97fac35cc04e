// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What every fuzzer of a reader checks: no crash; the same events again after seek(), in other
// batches; and what reads without error is the same after it was written and read back.
#pragma once

#include <string>

#include "trace/trace.h"

namespace omnium::test {

// `rewritten` is a format that can hold everything that `format` can.
void check_reader(const std::string& bytes, TraceFormat format, TraceFormat rewritten);

}  // namespace omnium::test
