// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Traces as bytes in memory: reading them all, writing them in any format, and making damaged .omt
// files whose checksums are right, so that what lies behind the checksums is tested too.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/read.h"
#include "trace/trace.h"

namespace omnium::test {

std::unique_ptr<EventSource> source_of(std::string bytes, TraceFormat format);

// Every event from where the source stands; `batch` at a time.
Result<std::vector<Event>> read_all(EventSource& source, std::size_t batch = 1000);

Result<std::string> written(std::span<const Event> events, const Names& names, TraceFormat format);

// Reads `bytes` with locations and writes them again as `to`.
Result<std::string> converted(std::string bytes, TraceFormat from, TraceFormat to);

// Where the chunks of an .omt file start, as far as its structure can be followed.
std::vector<std::size_t> omt_chunks(std::string_view bytes);
// Sets the checksums of every chunk to what they should be.
void seal_omt(std::string& bytes);

}  // namespace omnium::test
