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

constexpr std::size_t kLocColumn = 3;

class OmtSource final : public EventSource {
 public:
  explicit OmtSource(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  Result<std::size_t> read(std::span<Event> out) override;
  const Names& names() const override { return names_; }
  Position position_of(std::size_t) const override { return at(chunk_offset_); }
  Result<EventIndex> seek(EventIndex target) override;
  std::string_view format() const override { return "omt"; }
  void want_locations(bool wanted) override { locations_wanted_ = wanted; }
  Result<void> want_variable_names(bool wanted) override;
  std::vector<std::string> warnings() const override { return warnings_; }

 private:
  Position at(std::uint64_t offset) const { return {input_->name(), 0, 0, offset}; }
  template <class Part>
  Result<bool> read_part(std::uint64_t offset, Part& part);
  Result<void> read_file_header();
  Result<void> next_chunk();
  Result<void> check_header(const ChunkHeader& header);
  Result<bool> read_payload(const ChunkHeader& header, std::uint64_t offset);
  Result<void> take_names(const ChunkHeader& header);
  Result<void> decode_names(const ChunkHeader& header);
  Result<void> load_names(std::vector<std::uint64_t>& unread);
  Result<void> take_events(const ChunkHeader& header);
  Result<void> open_column(std::size_t i);
  Result<void> take_index(const ChunkHeader& header);
  Result<std::size_t> decode(std::span<Event> out);
  template <bool kLocations>
  bool decode_columns(std::span<Event> out);
  void cut_off();

  std::unique_ptr<Input> input_;
  Names names_;
  bool locations_wanted_ = false;
  bool variable_names_wanted_ = true;
  bool ended_ = false;
  std::vector<std::string> warnings_;

  std::uint32_t version_ = kVersion;
  std::uint64_t next_offset_ = 0;   // of the chunk to read next; 0 before the file's header
  std::uint64_t known_until_ = 0;   // chunks before this offset were read before
  std::vector<IndexEntry> chunks_;  // of events, as far as read
  std::uint64_t events_known_ = 0;  // in them
  std::array<std::uint32_t, kNameSpaces> names_known_{};
  // Offsets of chunks of names that nobody has asked for yet.
  std::vector<std::uint64_t> unread_locations_, unread_variables_;

  // The chunk of events at hand; its payload is followed by the padding that columns need.
  std::string payload_;
  std::uint64_t chunk_offset_ = 0;
  std::uint32_t chunk_count_ = 0;
  std::uint32_t chunk_next_ = 0;  // first event of it that was not handed out
  std::array<ColumnHeader, kColumns> headers_{};
  std::array<std::string_view, kColumns> column_bytes_{};
  std::array<Column, kColumns> columns_{};
  bool loc_column_open_ = false;
  std::array<ColumnDecoder, kColumns> decoders_;
};

Result<std::size_t> OmtSource::read(std::span<Event> out) {
  if (next_offset_ == 0 && !ended_) {
    if (auto header = read_file_header(); !header) return tl::unexpected(header.error());
  }
  while (chunk_next_ == chunk_count_ && !ended_) {
    if (auto chunk = next_chunk(); !chunk) return tl::unexpected(chunk.error());
  }
  return decode(out.first(std::min<std::size_t>(out.size(), chunk_count_ - chunk_next_)));
}

// False if the file ends before the part does.
template <class Part>
Result<bool> OmtSource::read_part(std::uint64_t offset, Part& part) {
  auto got = input_->read_at(offset, {reinterpret_cast<char*>(&part), sizeof part});
  if (!got) return tl::unexpected(got.error());
  return *got == sizeof part;
}

void OmtSource::cut_off() {
  ended_ = true;
  warnings_ = {fmt::format("{}: truncated after {} events: the end of the file is missing",
                           printable(input_->name(), 4096), events_known_)};
}

Result<void> OmtSource::read_file_header() {
  FileHeader header;
  const auto whole = read_part(0, header);
  if (!whole) return tl::unexpected(whole.error());
  if (!*whole) return cut_off(), Result<void>{};
  if (std::string_view(header.magic, sizeof header.magic) != kMagic) {
    return fail(at(0), "not an .omt file");
  }
  if (header.version < kFirstVersion || header.version > kVersion) {
    return fail(at(8), fmt::format("unsupported version {} of the .omt format", header.version));
  }
  if (header.zero != 0) return fail(at(12), "damaged file header");
  version_ = header.version;
  next_offset_ = known_until_ = sizeof header;
  return {};
}

Result<void> OmtSource::next_chunk() {
  ChunkHeader header;
  const std::uint64_t offset = next_offset_;
  const auto whole = read_part(offset, header);
  if (!whole) return tl::unexpected(whole.error());
  if (!*whole) return cut_off(), Result<void>{};
  if (auto checked = check_header(header); !checked) return checked;
  const auto got = read_payload(header, offset + sizeof header);
  if (!got) return tl::unexpected(got.error());
  if (!*got) return cut_off(), Result<void>{};
  Result<void> taken;
  switch (header.type) {
    case ChunkType::kNames: taken = take_names(header); break;
    case ChunkType::kEvents: taken = take_events(header); break;
    case ChunkType::kIndex: taken = take_index(header); break;
  }
  if (!taken) return taken;
  next_offset_ = offset + sizeof header + header.payload_bytes;
  known_until_ = std::max(known_until_, next_offset_);
  return {};
}

// Everything that can be known without the payload; afterwards all sizes are bounded.
Result<void> OmtSource::check_header(const ChunkHeader& header) {
  const Position place = at(next_offset_);
  if (header.header_hash != header_hash_of(header)) return fail(place, "damaged chunk header");
  const bool fresh = next_offset_ >= known_until_;
  bool fine = header.zero == 0;
  switch (header.type) {
    case ChunkType::kNames: {
      const NameSpace last =
          version_ == kFirstVersion ? NameSpace::kLocations : NameSpace::kSignals;
      if (header.space > last) return fail(place, "unknown name space");
      const std::uint32_t known = names_known_[static_cast<std::size_t>(header.space)];
      if (header.count > max_names(header.space) - known && fresh) {
        return fail(place, fmt::format("more than {} {} names", max_names(header.space),
                                       name_of(header.space)));
      }
      fine = fine && header.count > 0 && (!fresh || header.first == known) &&
             header.raw_bytes <= kMaxRawNameBytes && header.raw_bytes / 4 >= header.count &&
             header.payload_bytes <= ZSTD_COMPRESSBOUND(header.raw_bytes);
      break;
    }
    case ChunkType::kEvents:
      fine = fine && header.space == NameSpace{} && header.raw_bytes == 0 && header.count > 0 &&
             header.count <= kChunkEvents && (!fresh || header.first == events_known_) &&
             header.payload_bytes >= kColumnHeaderBytes &&
             header.payload_bytes <= kColumnHeaderBytes + kColumns * 4 * std::size_t{header.count};
      break;
    case ChunkType::kIndex:
      fine =
          fine && header.space == NameSpace{} && header.raw_bytes == 0 &&
          header.count == chunks_.size() && header.first == events_known_ &&
          header.payload_bytes == index_count_bytes(version_) + sizeof(IndexEntry) * chunks_.size();
      break;
    default:
      return fail(place, fmt::format("unknown chunk type {}", static_cast<int>(header.type)));
  }
  if (!fine) return fail(place, "impossible chunk header");
  return {};
}

// False if the file ends within it.
Result<bool> OmtSource::read_payload(const ChunkHeader& header, std::uint64_t offset) {
  payload_.assign(header.payload_bytes + Column::kPadding, '\0');
  const auto got = input_->read_at(offset, {payload_.data(), header.payload_bytes});
  if (!got) return tl::unexpected(got.error());
  if (*got < header.payload_bytes) return false;
  if (hash_of({payload_.data(), header.payload_bytes}) != header.payload_hash) {
    return fail(at(offset), "damaged chunk: its checksum does not match");
  }
  return true;
}

Result<void> OmtSource::take_names(const ChunkHeader& header) {
  if (next_offset_ < known_until_) return {};
  names_known_[static_cast<std::size_t>(header.space)] += header.count;
  if (header.space == NameSpace::kLocations) {
    unread_locations_.push_back(next_offset_);
    return {};
  }
  if (header.space == NameSpace::kVariables && !variable_names_wanted_) {
    names_.variables.append_unknown(header.count);
    unread_variables_.push_back(next_offset_);
    return {};
  }
  return decode_names(header);
}

Result<void> OmtSource::decode_names(const ChunkHeader& header) {
  std::string raw(header.raw_bytes, '\0');
  if (!decompress(std::string_view(payload_.data(), header.payload_bytes), raw)) {
    return fail(at(next_offset_), "damaged chunk of names");
  }
  std::string_view rest(raw);
  rest.remove_prefix(header.count * sizeof(std::uint32_t));
  support::Interner& interner = interner_of(names_, header.space);
  for (std::uint32_t i = 0; i < header.count; ++i) {
    std::uint32_t length;
    std::memcpy(&length, raw.data() + i * sizeof length, sizeof length);
    if (length > rest.size()) return fail(at(next_offset_), "damaged chunk of names");
    const auto id = static_cast<std::uint32_t>(header.first + i);
    if (id < interner.size()) {  // its number was known before
      interner.put(id, rest.substr(0, length));
    } else {
      interner.append(rest.substr(0, length));
    }
    rest.remove_prefix(length);
  }
  if (!rest.empty()) return fail(at(next_offset_), "damaged chunk of names");
  return {};
}

// Locations are read only for who wants them: they alone may grow with the trace. So are names of
// variables, which take longer to read than the events of a small trace. The chunk at hand is read
// again if it has more events.
Result<void> OmtSource::load_names(std::vector<std::uint64_t>& unread) {
  const std::uint64_t after = next_offset_;
  const std::uint32_t resume = std::exchange(chunk_next_, 0);
  const bool has_more = resume < std::exchange(chunk_count_, 0);
  for (const std::uint64_t offset : unread) {
    ChunkHeader header;
    next_offset_ = offset;
    const auto whole = read_part(offset, header);
    if (!whole) return tl::unexpected(whole.error());
    if (!*whole || header.header_hash != header_hash_of(header)) {
      return fail(at(offset), "the file has changed while it was read");
    }
    const auto got = read_payload(header, offset + sizeof header);
    if (!got) return tl::unexpected(got.error());
    if (!*got) return fail(at(offset), "the file has changed while it was read");
    if (auto decoded = decode_names(header); !decoded) return decoded;
  }
  unread.clear();
  next_offset_ = after;
  if (!has_more) return {};
  next_offset_ = chunk_offset_;
  if (auto chunk = next_chunk(); !chunk) return chunk;
  chunk_next_ = resume;
  return {};
}

// Later is only possible if the input can surely be read again, and only pays off if it is small.
Result<void> OmtSource::want_variable_names(bool wanted) {
  variable_names_wanted_ = wanted || input_->whole().empty();
  if (!wanted || unread_variables_.empty()) return {};
  return load_names(unread_variables_);
}

Result<void> OmtSource::take_events(const ChunkHeader& header) {
  if (next_offset_ >= known_until_) {
    chunks_.push_back({header.first, next_offset_});
    events_known_ += header.count;
  }
  chunk_offset_ = next_offset_;
  std::memcpy(headers_.data(), payload_.data(), kColumnHeaderBytes);
  std::string_view rest(payload_.data() + kColumnHeaderBytes,
                        header.payload_bytes - kColumnHeaderBytes);
  for (std::size_t i = 0; i < kColumns; ++i) {
    if (headers_[i].bytes > rest.size()) return fail(at(chunk_offset_), "impossible column");
    column_bytes_[i] = rest.substr(0, headers_[i].bytes);
    rest.remove_prefix(headers_[i].bytes);
  }
  if (!rest.empty()) return fail(at(chunk_offset_), "impossible column");
  chunk_count_ = header.count;
  chunk_next_ = 0;
  loc_column_open_ = false;
  for (std::size_t i = 0; i < kLocColumn; ++i) {
    if (auto opened = open_column(i); !opened) {
      chunk_count_ = 0;
      return opened;
    }
  }
  return {};
}

Result<void> OmtSource::open_column(std::size_t i) {
  const auto column = decoders_[i].decode(headers_[i], column_bytes_[i], chunk_count_);
  if (!column) return fail(at(chunk_offset_), "impossible column");
  columns_[i] = *column;
  return {};
}

Result<void> OmtSource::take_index(const ChunkHeader& header) {
  const char* entries = payload_.data() + index_count_bytes(version_);
  for (const IndexEntry& chunk : chunks_) {
    if (std::memcmp(entries, &chunk, sizeof chunk) != 0) {
      return fail(at(next_offset_), "the index does not match the chunks");
    }
    entries += sizeof chunk;
  }
  struct {
    Trailer trailer;
    char beyond;
  } end;
  const std::uint64_t offset = next_offset_ + sizeof header + header.payload_bytes;
  const auto got = input_->read_at(offset, {reinterpret_cast<char*>(&end), sizeof(Trailer) + 1});
  if (!got) return tl::unexpected(got.error());
  if (*got < sizeof(Trailer)) return cut_off(), Result<void>{};
  if (*got > sizeof(Trailer)) return fail(at(offset + sizeof(Trailer)), "bytes after the end");
  if (end.trailer.index_offset != next_offset_ ||
      std::string_view(end.trailer.magic, sizeof end.trailer.magic) != kEndMagic) {
    return fail(at(offset), "damaged end of the file");
  }
  ended_ = true;
  return {};
}

Result<std::size_t> OmtSource::decode(std::span<Event> out) {
  if (out.empty()) return 0;
  if (locations_wanted_ && !unread_locations_.empty()) {
    if (auto loaded = load_names(unread_locations_); !loaded) return tl::unexpected(loaded.error());
  }
  if (locations_wanted_ && !std::exchange(loc_column_open_, true)) {
    if (auto opened = open_column(kLocColumn); !opened) return tl::unexpected(opened.error());
  }
  const bool fine = locations_wanted_ ? decode_columns<true>(out) : decode_columns<false>(out);
  if (!fine) return fail(at(chunk_offset_), "an event has an id without a name");
  chunk_next_ += static_cast<std::uint32_t>(out.size());
  return out.size();
}

// False if an id is out of range.
template <bool kLocations>
bool OmtSource::decode_columns(std::span<Event> out) {
  constexpr std::uint32_t kKindMask = 31;
  static_assert(kKinds <= kKindMask);
  std::array<std::uint32_t, kKindMask + 1> limits{};  // a kind that does not exist has no objects
  for (std::size_t kind = 0; kind < kinds_of(version_); ++kind) {
    limits[kind] = names_known_[static_cast<std::size_t>(kObjectSpace[kind])];
  }
  const std::uint32_t threads = names_known_[static_cast<std::size_t>(NameSpace::kThreads)];
  const std::uint32_t locations = names_known_[static_cast<std::size_t>(NameSpace::kLocations)];
  const std::array<Column, kColumns> columns = columns_;
  bool wrong = false;
  std::size_t i = chunk_next_;
  for (Event& event : out) {
    const std::uint32_t kind = columns[0].at(i);
    const std::uint32_t thread = columns[1].at(i);
    const std::uint32_t object = columns[2].at(i);
    const std::uint32_t loc_plus_one = kLocations ? columns[kLocColumn].at(i) : 0;
    wrong |= kind > kKindMask || thread >= threads || object >= limits[kind & kKindMask] ||
             loc_plus_one > locations;
    event.kind = static_cast<Kind>(kind & kKindMask);
    event.thread_id = static_cast<std::uint16_t>(thread);
    event.object = object;
    event.loc_id = loc_plus_one - 1;
    ++i;
  }
  return !wrong;
}

Result<EventIndex> OmtSource::seek(EventIndex target) {
  const auto after = std::upper_bound(
      chunks_.begin(), chunks_.end(), target,
      [](EventIndex event, const IndexEntry& chunk) { return event < chunk.first_event; });
  if (after == chunks_.begin()) return 0;
  const IndexEntry& chunk = *std::prev(after);
  next_offset_ = chunk.offset;
  ended_ = false;
  chunk_count_ = chunk_next_ = 0;
  if (auto read = next_chunk(); !read) return tl::unexpected(read.error());
  if (target - chunk.first_event >= chunk_count_) {
    return fail(at(chunk.offset), "the file has changed while it was read");
  }
  chunk_next_ = static_cast<std::uint32_t>(target - chunk.first_event);
  return target;
}

}  // namespace

bool looks_like_omt(std::string_view start) {
  const std::string_view magic = start.substr(0, kMagic.size());
  return !magic.empty() && kMagic.starts_with(magic);
}

std::unique_ptr<EventSource> read_omt(std::unique_ptr<Input> input) {
  return std::make_unique<OmtSource>(std::move(input));
}

}  // namespace omnium::trace
