// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The fixed parts of an .omt file, byte for byte (docs/formats/omt.md). All numbers are
// little-endian.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <xxhash.h>

#include "trace/name_space.h"

namespace omnium::trace::omt {

static_assert(std::endian::native == std::endian::little, "the structs below are the file's bytes");

inline constexpr std::string_view kMagic{"\x89OMT\r\n\x1a\n", 8};
inline constexpr std::string_view kEndMagic{"OMTEND\r\n", 8};
inline constexpr std::uint32_t kVersion = 2;
inline constexpr std::uint32_t kFirstVersion = 1;  // the eight core kinds of events, no signals

inline constexpr std::uint32_t kChunkEvents = 65'536;
inline constexpr std::uint32_t kMaxRawNameBytes = 2 * kMaxNameBytes;

struct FileHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t zero;
};
static_assert(sizeof(FileHeader) == 16);

enum class ChunkType : std::uint8_t { kNames = 1, kEvents = 2, kIndex = 3 };

struct ChunkHeader {
  ChunkType type;
  NameSpace space;  // names; else 0
  std::uint16_t zero;
  std::uint32_t payload_bytes;
  std::uint32_t count;         // of names, of events, of index entries
  std::uint32_t raw_bytes;     // names: before compression; else 0
  std::uint64_t first;         // first id, first event index; index: number of events in the file
  std::uint64_t payload_hash;  // XXH3-64 of the payload
  std::uint64_t header_hash;   // XXH3-64 of the bytes before this field
};
static_assert(sizeof(ChunkHeader) == 40);

enum class Encoding : std::uint8_t { kPacked = 0, kZstd = 1 };

// An event chunk starts with four of these: kind, thread, object, location + 1 (0: none).
struct ColumnHeader {
  std::uint32_t minimum;
  std::uint32_t bytes;  // in the payload
  Encoding encoding;
  std::uint8_t width;  // bits per value, 0 to 32
  std::uint16_t zero;
};
static_assert(sizeof(ColumnHeader) == 12);

inline constexpr std::size_t kColumns = 4;
inline constexpr std::size_t kColumnHeaderBytes = kColumns * sizeof(ColumnHeader);

// The index chunk: the number of events of each kind, then an entry per event chunk.
struct IndexEntry {
  std::uint64_t first_event;
  std::uint64_t offset;  // of the chunk's header in the file
  friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};
static_assert(sizeof(IndexEntry) == 16);

constexpr std::size_t kinds_of(std::uint32_t version) {
  return version == kFirstVersion ? kCoreKinds : kKinds;
}
constexpr std::size_t index_count_bytes(std::uint32_t version) {
  return kinds_of(version) * sizeof(std::uint64_t);
}

// The last bytes of the file.
struct Trailer {
  std::uint64_t index_offset;
  char magic[8];
};
static_assert(sizeof(Trailer) == 16);

inline std::uint64_t hash_of(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

template <class Part>
std::string_view bytes_of(const Part& part) {
  return {reinterpret_cast<const char*>(&part), sizeof part};
}

inline std::uint64_t header_hash_of(const ChunkHeader& header) {
  return hash_of(bytes_of(header).substr(0, offsetof(ChunkHeader, header_hash)));
}

}  // namespace omnium::trace::omt
