// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A state in as few bits as it needs: every slot as wide as its range, rows only for threads that
// have blocks, object sets as wide as there are objects that can conflict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/future.h"
#include "model/state.h"

namespace omnium::model {

class Packing {
 public:
  Packing(const Model& model, const Layout& layout, const Futures& futures);

  std::size_t bytes() const { return bytes_; }
  // Words of a buffer for pack(); the state is its first bytes().
  std::size_t words() const { return (bytes_ + 7) / 8; }

  void pack(const State& state, std::uint64_t* out) const;
  // `state` must have the right sizes.
  void unpack(const std::byte* in, State& state) const;

 private:
  struct Field {
    std::int32_t low;
    std::uint32_t bits;
  };

  // Calls `field(value, bits)` for everything in a row.
  template <class AnyRow, class Visit>
  void for_each_field(AnyRow&& row, Visit&& field) const;

  std::vector<Field> fields_;               // one per slot
  std::vector<std::uint32_t> row_threads_;  // threads that have blocks
  std::uint32_t threads_;
  std::uint32_t objects_;
  // What of a row there is, in bits.
  std::uint32_t forked_ = 0, acted_ = 0, signalled_ = 0, attempts_ = 0, attempted_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace omnium::model
