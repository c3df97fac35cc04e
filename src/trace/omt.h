// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// .omt, our binary format (docs/formats/omt.md): chunks of names and of events, each with a
// checksum, and an index at the end. A file cut off anywhere is read up to its last whole chunk.
//
// Events lie in four columns (kind, thread, object, location), each as narrow as its values allow,
// so that a chunk of 65,536 events decodes by one load, shift and mask per value: 2 to 4 bytes and
// about 3 ns per event.
#pragma once

#include <memory>
#include <string_view>

#include "event/source.h"
#include "trace/input.h"
#include "trace/output.h"

namespace omnium::trace {

// `start` begins as an .omt file does, or is such a file cut off within its first bytes.
bool looks_like_omt(std::string_view start);

std::unique_ptr<EventSource> read_omt(std::unique_ptr<Input> input);
std::unique_ptr<EventSink> write_omt(std::unique_ptr<Output> output);

}  // namespace omnium::trace
