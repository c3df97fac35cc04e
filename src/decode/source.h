// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A raw log as a trace: records in merged order, lowered to the eight core events.
#pragma once

#include <memory>

#include "event/source.h"
#include "trace/input.h"

namespace omnium::decode {

// Reads the log once for what must be known before the first event: texts, and which memory is
// shared.
Result<std::unique_ptr<EventSource>> read_raw_log(std::unique_ptr<trace::Input> input);

}  // namespace omnium::decode
