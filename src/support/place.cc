// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "support/place.h"

#include <cctype>

namespace omnium::support {

Place place_of(std::string_view location) {
  for (std::size_t at = 0; (at = location.find(kInFunction, at)) != std::string_view::npos; ++at) {
    // A file may have " in " in its name, but a line number stands before the function.
    if (at == 0 || std::isdigit(static_cast<unsigned char>(location[at - 1])) == 0) continue;
    std::string_view function = location.substr(at + kInFunction.size());
    const bool in_library = function.ends_with(kViaLibrary);
    if (in_library) function.remove_suffix(kViaLibrary.size());
    return {location.substr(0, at), function, in_library};
  }
  return {location, {}};
}

}  // namespace omnium::support
