// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The exact check and the Atomizer side by side, per block and over many traces [Velodrome table
// 2]: which blocks were violated, which does reduction warn about, and which of its warnings no
// trace shows.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "support/byte_sink.h"

namespace omnium::report {

class AtomizerTable {
 public:
  // In how many traces a block ...
  struct Block {
    std::uint64_t ran = 0;
    std::uint64_t violated = 0;
    std::uint64_t warned = 0;       // about by reduction
    std::uint64_t only_warned = 0;  // but not violated
    bool seen() const { return violated > 0; }
    // The exact check missed it in these traces and found it in others.
    std::uint64_t missed() const { return seen() ? only_warned : 0; }
    bool false_alarm() const { return !seen() && warned > 0; }
  };

  // The labels of outermost blocks in one trace.
  void add(const std::set<std::string>& ran, const std::set<std::string>& violated,
           const std::set<std::string>& warned);

  std::uint64_t traces() const { return traces_; }
  const std::map<std::string, Block>& blocks() const { return blocks_; }

 private:
  std::uint64_t traces_ = 0;
  std::map<std::string, Block> blocks_;  // by label
};

void render_text(const AtomizerTable& table, support::ByteSink& out);
void render_json(const AtomizerTable& table, support::ByteSink& out);

}  // namespace omnium::report
