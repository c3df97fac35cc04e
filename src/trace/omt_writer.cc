// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <zstd.h>

#include "support/check.h"
#include "trace/omt.h"
#include "trace/omt_column.h"
#include "trace/omt_layout.h"

namespace omnium::trace {

namespace {

using namespace omt;

constexpr std::size_t kNameChunkBytes = 1 << 20;
constexpr int kNameLevel = 3;

class OmtSink final : public EventSink {
 public:
  explicit OmtSink(std::unique_ptr<Output> output) : output_(std::move(output)) {
    for (auto& column : columns_) column.resize(kChunkEvents);
  }

  Result<void> write(std::span<const Event> events, const Names& names) override;
  Result<void> finish(const Names& names) override;

 private:
  std::size_t take(std::span<const Event> events);
  Result<void> start();
  Result<void> flush(const Names& names);
  Result<void> write_new_names(NameSpace space, const support::Interner& names);
  Result<void> write_names(NameSpace space, const support::Interner& names, std::uint32_t from,
                           std::uint32_t to);
  Result<void> write_index();
  Result<void> write_chunk(ChunkHeader header, std::string_view payload);

  std::unique_ptr<Output> output_;
  bool started_ = false;
  std::array<std::uint32_t, kNameSpaces> names_written_{};
  std::array<std::uint64_t, kCoreKinds> kind_counts_{};
  std::vector<IndexEntry> index_;
  std::uint64_t events_written_ = 0;
  ColumnEncoder encoder_;
  std::array<std::vector<std::uint32_t>, kColumns> columns_;
  std::size_t pending_ = 0;  // events in columns_
};

Result<void> OmtSink::write(std::span<const Event> events, const Names& names) {
  while (!events.empty()) {
    events = events.subspan(take(events));
    if (pending_ < kChunkEvents) continue;
    if (auto flushed = flush(names); !flushed) return flushed;
  }
  return {};
}

// As many events as fit into the chunk go there; returns how many.
std::size_t OmtSink::take(std::span<const Event> events) {
  const std::size_t count = std::min(events.size(), kChunkEvents - pending_);
  std::size_t to = pending_;
  for (const Event& event : events.first(count)) {
    columns_[0][to] = static_cast<std::uint32_t>(event.kind);
    columns_[1][to] = event.thread_id;
    columns_[2][to] = event.object;
    columns_[3][to] = event.loc_id + 1;
    to += event.kind != Kind::kSkip;
  }
  pending_ = to;
  return count;
}

Result<void> OmtSink::finish(const Names& names) {
  if (auto flushed = flush(names); !flushed) return flushed;
  if (auto written = write_index(); !written) return written;
  return output_->finish();
}

Result<void> OmtSink::start() {
  if (std::exchange(started_, true)) return {};
  FileHeader header{{}, kVersion, 0};
  kMagic.copy(header.magic, sizeof header.magic);
  return output_->append(bytes_of(header));
}

// Names come before the events that use them, so that a file that is cut off can be read.
Result<void> OmtSink::flush(const Names& names) {
  if (auto started = start(); !started) return started;
  for (std::size_t i = 0; i < kNameSpaces; ++i) {
    const auto space = static_cast<NameSpace>(i);
    auto written = write_new_names(space, interner_of(names, space));
    if (!written) return written;
  }
  if (pending_ == 0) return {};
  for (std::size_t i = 0; i < pending_; ++i) ++kind_counts_[columns_[0][i]];
  std::string payload(kColumnHeaderBytes, '\0');
  for (std::size_t i = 0; i < kColumns; ++i) {
    const ColumnHeader header = encoder_.encode(std::span(columns_[i]).first(pending_), payload);
    bytes_of(header).copy(payload.data() + i * sizeof header, sizeof header);
  }
  ChunkHeader header{};
  header.type = ChunkType::kEvents;
  header.count = static_cast<std::uint32_t>(pending_);
  header.first = events_written_;
  index_.push_back({events_written_, output_->size()});
  events_written_ += std::exchange(pending_, 0);
  return write_chunk(header, payload);
}

Result<void> OmtSink::write_new_names(NameSpace space, const support::Interner& names) {
  std::uint32_t& from = names_written_[static_cast<std::size_t>(space)];
  while (from < names.size()) {
    std::size_t bytes = 0;
    std::uint32_t to = from;
    while (to < names.size() && bytes < kNameChunkBytes) {
      const std::string_view name = names.name(to++);
      if (name.size() > kMaxNameBytes) {
        return fail({output_->name()},
                    fmt::format("cannot write {} name '{}': longer than {} bytes", name_of(space),
                                printable(name), kMaxNameBytes));
      }
      bytes += name.size() + sizeof(std::uint32_t);
    }
    if (auto written = write_names(space, names, from, to); !written) return written;
    from = to;
  }
  return {};
}

Result<void> OmtSink::write_names(NameSpace space, const support::Interner& names,
                                  std::uint32_t from, std::uint32_t to) {
  std::string raw;
  for (std::uint32_t id = from; id < to; ++id) {
    raw.append(bytes_of(static_cast<std::uint32_t>(names.name(id).size())));
  }
  for (std::uint32_t id = from; id < to; ++id) raw.append(names.name(id));
  std::string payload(ZSTD_compressBound(raw.size()), '\0');
  const std::size_t size =
      ZSTD_compress(payload.data(), payload.size(), raw.data(), raw.size(), kNameLevel);
  CHECK(!ZSTD_isError(size));
  payload.resize(size);
  ChunkHeader header{};
  header.type = ChunkType::kNames;
  header.space = space;
  header.count = to - from;
  header.raw_bytes = static_cast<std::uint32_t>(raw.size());
  header.first = from;
  return write_chunk(header, payload);
}

Result<void> OmtSink::write_index() {
  std::string payload(bytes_of(kind_counts_));
  for (const IndexEntry& entry : index_) payload.append(bytes_of(entry));
  ChunkHeader header{};
  header.type = ChunkType::kIndex;
  header.count = static_cast<std::uint32_t>(index_.size());
  header.first = events_written_;
  Trailer trailer{output_->size(), {}};
  kEndMagic.copy(trailer.magic, sizeof trailer.magic);
  if (auto written = write_chunk(header, payload); !written) return written;
  return output_->append(bytes_of(trailer));
}

Result<void> OmtSink::write_chunk(ChunkHeader header, std::string_view payload) {
  header.payload_bytes = static_cast<std::uint32_t>(payload.size());
  header.payload_hash = hash_of(payload);
  header.header_hash = header_hash_of(header);
  if (auto appended = output_->append(bytes_of(header)); !appended) return appended;
  return output_->append(payload);
}

}  // namespace

std::unique_ptr<EventSink> write_omt(std::unique_ptr<Output> output) {
  return std::make_unique<OmtSink>(std::move(output));
}

}  // namespace omnium::trace
