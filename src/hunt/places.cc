// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/places.h"

#include "support/place.h"

namespace omnium::hunt {

void Places::add(const EventSource& recording) {
  const support::Interner& locations = recording.names().locations;
  for (std::uint32_t id = 0; id < locations.size(); ++id) {
    auto& codes = codes_[std::string(support::place_of(locations.name(id)).position)];
    for (Code& code : recording.codes_at({id})) codes.insert(std::move(code));
  }
}

const std::set<Code>& Places::at(std::string_view position) const {
  static const std::set<Code> nothing;
  const auto found = codes_.find(position);
  return found == codes_.end() ? nothing : found->second;
}

}  // namespace omnium::hunt
