// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Opens what commands read: a trace in any format, or the raw log of a recording.
#pragma once

#include <memory>
#include <string>

#include "support/error.h"
#include "trace/input.h"
#include "trace/trace.h"

namespace omnium::cli {

Result<std::unique_ptr<EventSource>> open_events(const std::string& path);
Result<std::unique_ptr<EventSource>> open_events(std::unique_ptr<trace::Input> input);

}  // namespace omnium::cli
