// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Typed dense ids: a ThreadId cannot be passed where a VarId is meant.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace omnium {

template <class Tag>
struct Id {
  static constexpr std::uint32_t kNoneValue = ~std::uint32_t{0};

  std::uint32_t v = kNoneValue;

  static constexpr Id none() { return Id{}; }
  constexpr bool is_none() const { return v == kNoneValue; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

// A flat table over dense ids. Handlers index without a check; tables grow once per batch.
template <class Key, class Value>
class IdTable {
 public:
  void grow_to(std::size_t size, const Value& fill = Value{}) {
    if (size > values_.size()) values_.resize(size, fill);
  }
  std::size_t size() const { return values_.size(); }
  Value& operator[](Key key) { return values_[key.v]; }
  const Value& operator[](Key key) const { return values_[key.v]; }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

 private:
  std::vector<Value> values_;
};

}  // namespace omnium
