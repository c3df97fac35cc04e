// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/packing.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace omnium::model {

namespace {

class BitWriter {
 public:
  explicit BitWriter(std::uint64_t* out) : out_(out) {}

  void put(std::uint64_t value, std::uint32_t bits) {
    if (bits == 0) return;
    word_ |= value << filled_;
    if (filled_ + bits < 64) {
      filled_ += bits;
      return;
    }
    *out_++ = word_;
    word_ = filled_ == 0 ? 0 : value >> (64 - filled_);
    filled_ = filled_ + bits - 64;
  }
  void finish() {
    if (filled_ > 0) *out_ = word_;
  }

 private:
  std::uint64_t* out_;
  std::uint64_t word_ = 0;
  std::uint32_t filled_ = 0;
};

class BitReader {
 public:
  BitReader(const std::byte* in, std::size_t bytes) : in_(in), left_(bytes) {}

  std::uint64_t take(std::uint32_t bits) {
    if (bits == 0) return 0;
    std::uint64_t value = word_;
    if (have_ < bits) {
      const std::uint64_t next = load();
      value |= have_ == 64 ? 0 : next << have_;
      const std::uint32_t used = bits - have_;
      word_ = used == 64 ? 0 : next >> used;
      have_ = 64 - used;
    } else {
      word_ = bits == 64 ? 0 : word_ >> bits;
      have_ -= bits;
    }
    return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
  }

 private:
  std::uint64_t load() {
    std::uint64_t word = 0;
    const std::size_t count = std::min<std::size_t>(8, left_);
    std::memcpy(&word, in_, count);
    in_ += count;
    left_ -= count;
    return word;
  }

  const std::byte* in_;
  std::size_t left_;
  std::uint64_t word_ = 0;
  std::uint32_t have_ = 0;
};

std::uint32_t bits_for(std::uint64_t values) {
  return static_cast<std::uint32_t>(std::bit_width(values - 1));
}

}  // namespace

template <class AnyRow, class Visit>
void Packing::for_each_field(AnyRow&& row, Visit&& field) const {
  field(row.own_reads, objects_);
  field(row.own_writes, objects_);
  field(row.later_reads, objects_);
  field(row.later_writes, objects_);
  field(row.threads, threads_);
  field(row.forked, forked_);
  field(row.acted, acted_);
  field(row.signalled, signalled_);
  field(row.attempts.reads, attempts_);
  field(row.attempts.writes, attempts_);
  field(row.attempts.attempts, attempts_);
  field(row.attempts.object, attempted_);
  field(row.attempts.noticed, attempted_ == 0 ? 0 : 1);
}

Packing::Packing(const Model& model, const Layout& layout, const Futures& futures)
    : threads_(layout.threads()), objects_(futures.object_count()) {
  const auto add = [&](const Range& range) {
    const auto values = static_cast<std::uint64_t>(std::int64_t{range.high} - range.low + 1);
    fields_.push_back({range.low, bits_for(values)});
  };
  for (const Range& cell : model.cells) add(cell);
  for (std::uint32_t i = 0; i < layout.locks(); ++i) {
    add({0, static_cast<std::int32_t>(threads_), 0});
  }
  for (std::uint32_t i = 0; i < layout.locks(); ++i) {
    if (layout.readers(i) != Layout::kNoReaders) fields_.push_back({0, threads_});
  }
  for (std::uint32_t t = 0; t < threads_; ++t) {
    const Code& code = model.code_of(t);
    add({0, static_cast<std::int32_t>(code.unstarted()), 0});
    for (const Range& slot : code.slots) add(slot);
    const auto deepest = std::max_element(code.depth.begin(), code.depth.end());
    if (*deepest > 0) row_threads_.push_back(t);
  }
  if (futures.forks_in_blocks()) forked_ = threads_;
  if (futures.joins_cut()) acted_ = threads_;
  if (futures.awaits_cut()) signalled_ = objects_;
  if (futures.retries_cut()) {
    attempts_ = objects_;
    attempted_ = bits_for(objects_ + 1);
  }
  std::size_t bits = 0;
  for_each_field(Row{}, [&](const auto&, std::uint32_t field) { bits += field; });
  bits *= row_threads_.size();
  for (const Field& field : fields_) bits += field.bits;
  bytes_ = std::max<std::size_t>(1, (bits + 7) / 8);
}

void Packing::pack(const State& state, std::uint64_t* out) const {
  BitWriter writer(out);
  out[words() - 1] = 0;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const auto value = static_cast<std::uint32_t>(state.slots[i] - fields_[i].low);
    writer.put(value, fields_[i].bits);
  }
  for (const std::uint32_t t : row_threads_) {
    for_each_field(state.rows[t], [&](const auto& value, std::uint32_t bits) {
      writer.put(static_cast<std::uint64_t>(value), bits);
    });
  }
  writer.finish();
}

void Packing::unpack(const std::byte* in, State& state) const {
  BitReader reader(in, bytes_);
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    state.slots[i] = static_cast<std::int32_t>(reader.take(fields_[i].bits)) + fields_[i].low;
  }
  for (const std::uint32_t t : row_threads_) {
    for_each_field(state.rows[t], [&](auto& value, std::uint32_t bits) {
      value = static_cast<std::remove_reference_t<decltype(value)>>(reader.take(bits));
    });
  }
}

}  // namespace omnium::model
