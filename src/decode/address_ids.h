// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From addresses to ids.
#pragma once

#include <cstdint>
#include <set>

#include "support/id_map.h"

namespace omnium::decode {

using AddressIds = support::IdMap;

// Ids of objects that can be forgotten: the next object at the address gets a new id.
class ObjectIds {
 public:
  template <class Make>
  std::uint32_t find(std::uint64_t address, Make make) {
    return ids_.find(address, [&] {
      addresses_.insert(address);
      return make();
    });
  }
  void forget(std::uint64_t address, std::uint64_t size) {
    auto at = addresses_.lower_bound(address);
    while (at != addresses_.end() && *at - address < size) {
      ids_.erase(*at);
      at = addresses_.erase(at);
    }
  }
  void clear() {
    ids_.clear();
    addresses_.clear();
  }

 private:
  AddressIds ids_;
  std::set<std::uint64_t> addresses_;
};

}  // namespace omnium::decode
