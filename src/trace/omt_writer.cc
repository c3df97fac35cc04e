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
    CHECK(names_context_ != nullptr);
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
  std::array<std::uint64_t, kKinds> kind_counts_{};
  std::vector<IndexEntry> index_;
  std::uint64_t events_written_ = 0;
  ColumnEncoder encoder_;
  // The columns of the chunk at hand.
  std::vector<std::uint8_t> kinds_ = std::vector<std::uint8_t>(kChunkEvents);
  std::vector<std::uint16_t> threads_ = std::vector<std::uint16_t>(kChunkEvents);
  std::vector<std::uint32_t> objects_ = std::vector<std::uint32_t>(kChunkEvents);
  std::vector<std::uint32_t> locations_ = std::vector<std::uint32_t>(kChunkEvents);
  std::size_t pending_ = 0;  // events in them
  std::string payload_;
  std::string raw_names_;
  std::vector<char> compressed_names_;
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> names_context_{ZSTD_createCCtx(),
                                                                      ZSTD_freeCCtx};
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
    kinds_[to] = static_cast<std::uint8_t>(event.kind);
    threads_[to] = event.thread_id;
    objects_[to] = event.object;
    locations_[to] = event.loc_id + 1;
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
  for (std::size_t i = 0; i < pending_; ++i) ++kind_counts_[kinds_[i]];
  payload_.assign(kColumnHeaderBytes, '\0');
  std::size_t at = 0;
  const auto add_column = [&]<class Value>(const std::vector<Value>& column) {
    const ColumnHeader header = encoder_.encode(std::span(column).first(pending_), payload_);
    bytes_of(header).copy(payload_.data() + at, sizeof header);
    at += sizeof header;
  };
  add_column(kinds_);
  add_column(threads_);
  add_column(objects_);
  add_column(locations_);
  ChunkHeader header{};
  header.type = ChunkType::kEvents;
  header.count = static_cast<std::uint32_t>(pending_);
  header.first = events_written_;
  index_.push_back({events_written_, output_->size()});
  events_written_ += std::exchange(pending_, 0);
  return write_chunk(header, payload_);
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
  std::string& raw = raw_names_;
  raw.clear();
  for (std::uint32_t id = from; id < to; ++id) {
    raw.append(bytes_of(static_cast<std::uint32_t>(names.name(id).size())));
  }
  for (std::uint32_t id = from; id < to; ++id) raw.append(names.name(id));
  compressed_names_.resize(std::max(compressed_names_.size(), ZSTD_compressBound(raw.size())));
  const std::size_t size =
      ZSTD_compressCCtx(names_context_.get(), compressed_names_.data(), compressed_names_.size(),
                        raw.data(), raw.size(), kNameLevel);
  CHECK(!ZSTD_isError(size));
  ChunkHeader header{};
  header.type = ChunkType::kNames;
  header.space = space;
  header.count = to - from;
  header.raw_bytes = static_cast<std::uint32_t>(raw.size());
  header.first = from;
  return write_chunk(header, {compressed_names_.data(), size});
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
