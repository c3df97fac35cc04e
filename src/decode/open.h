// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Opens everything that is a trace: any format of src/trace, or the raw log of a recording. Which
// one it is is found out from the content.
#pragma once

#include <memory>
#include <string>

#include "event/source.h"
#include "support/error.h"
#include "trace/input.h"

namespace omnium {

// "-" is standard input. Memory does not grow with the trace, only with its threads, variables,
// locks and names.
Result<std::unique_ptr<EventSource>> open_trace(const std::string& path);
Result<std::unique_ptr<EventSource>> open_trace(std::unique_ptr<trace::Input> input);

}  // namespace omnium
