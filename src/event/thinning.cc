// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "event/thinning.h"

#include <bit>

namespace omnium {

// There is room: each of them was taken out since the last time. They are in no order, as each one
// concerns only its thread.
void Thinning::put_back() {
  for (; gone_ != 0; gone_ &= gone_ - 1) {
    batch_[left_++] = last_gone_[static_cast<std::size_t>(std::countr_zero(gone_))];
  }
}

}  // namespace omnium
