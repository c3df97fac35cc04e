// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/trace_bytes.h"

#include <cstring>
#include <utility>

#include "trace/csv.h"
#include "trace/omt.h"
#include "trace/omt_layout.h"
#include "trace/std.h"

namespace omnium::test {

using namespace trace;

std::unique_ptr<EventSource> source_of(std::string bytes, TraceFormat format) {
  return trace::read_trace(input_from_memory("trace", std::move(bytes)), format);
}

Result<std::vector<Event>> read_all(EventSource& source, std::size_t batch) {
  std::vector<Event> events;
  std::vector<Event> out(batch);
  while (true) {
    const auto got = source.read(out);
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) return events;
    events.insert(events.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(*got));
  }
}

Result<std::string> written(std::span<const Event> events, const Names& names, TraceFormat format) {
  std::string bytes;
  auto output = std::make_unique<trace::Output>(bytes);
  auto sink = format == TraceFormat::kStd   ? write_std(std::move(output))
              : format == TraceFormat::kCsv ? write_csv(std::move(output))
                                            : write_omt(std::move(output));
  if (auto result = sink->write(events, names); !result) return tl::unexpected(result.error());
  if (auto result = sink->finish(names); !result) return tl::unexpected(result.error());
  return bytes;
}

Result<std::string> converted(std::string bytes, TraceFormat from, TraceFormat to) {
  const auto source = source_of(std::move(bytes), from);
  source->want_locations(true);
  const auto events = read_all(*source);
  if (!events) return tl::unexpected(events.error());
  return written(*events, source->names(), to);
}

std::vector<std::size_t> omt_chunks(std::string_view bytes) {
  std::vector<std::size_t> chunks;
  std::size_t at = sizeof(omt::FileHeader);
  while (at + sizeof(omt::ChunkHeader) <= bytes.size()) {
    omt::ChunkHeader header;
    std::memcpy(&header, bytes.data() + at, sizeof header);
    if (header.payload_bytes > bytes.size() - at - sizeof header) break;
    chunks.push_back(at);
    at += sizeof header + header.payload_bytes;
    if (header.type == omt::ChunkType::kIndex) break;
  }
  return chunks;
}

void seal_omt(std::string& bytes) {
  for (const std::size_t at : omt_chunks(bytes)) {
    omt::ChunkHeader header;
    std::memcpy(&header, bytes.data() + at, sizeof header);
    header.payload_hash =
        omt::hash_of(std::string_view(bytes).substr(at + sizeof header, header.payload_bytes));
    header.header_hash = omt::header_hash_of(header);
    std::memcpy(bytes.data() + at, &header, sizeof header);
  }
}

}  // namespace omnium::test
