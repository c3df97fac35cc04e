// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// If functions are blocks and the body of a thread calls only one, which loops, that one does the
// body's work: it is no block [docs/runtime/online.md]. That is known when the thread has ended.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "decode/raw_log.h"

namespace omnium::decode {

class BodyCalls {
 public:
  void take(const Text& text);
  // Is it such a call, the block that the thread begins as its n-th?
  bool does_all_work(std::uint32_t thread, std::uint64_t block) const;

 private:
  struct Call {
    std::uint64_t function = 0;
    bool loops = false, alone = true;
  };
  bool loops(const Call& call) const;

  std::map<std::pair<std::uint32_t, std::uint64_t>, Call> calls_;  // by thread and block
};

}  // namespace omnium::decode
