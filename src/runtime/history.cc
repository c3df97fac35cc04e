// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/history.h"

#include "runtime/mapped.h"

namespace omnium::runtime {

void History::map() {
  if (entries_ == nullptr) entries_ = map_array<HistoryEntry>(kCapacity);
}

}  // namespace omnium::runtime
