// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One packet of an instrumented program, after checks: every count, index and enumerator in it is
// valid. A program that overwrote its own memory can send anything.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "event/check_mode.h"
#include "support/error.h"
#include "wire/protocol.h"
#include "wire/share.h"

namespace omnium::watch {

struct HelloMessage {
  CheckMode mode = kDefaultMode;  // what the process checks
  bool functions_are_blocks = false;
  bool functions_by_default = false;  // because no block is annotated
  wire::Share share = wire::kWhole;   // of the blocks that it judges
  std::uint64_t seed = 0;             // of the choice
};
struct RefutedMessage {
  std::vector<std::uint64_t> functions;  // code of each
};
struct GoodbyeMessage {};
struct WarningMessage {
  std::string text;
};

struct ModulesMessage {
  struct Entry {
    wire::Module module;
    std::string path;
  };
  std::vector<Entry> modules;
  bool wants_functions = false;
};

struct FindingMessage {
  wire::Finding head{};
  std::vector<wire::Thread> threads;
  std::vector<wire::Label> labels;
  std::vector<wire::Block> blocks;
  std::vector<wire::Step> steps;
  std::vector<wire::Txn> txns;
  std::vector<wire::Entry> entries;
  std::vector<wire::HeapBlock> heap;
  std::vector<std::uint64_t> stack;
  std::string strings;

  // The string at an offset, which has been checked.
  std::string_view text(std::uint32_t offset) const { return strings.c_str() + offset; }
};

using Content = std::variant<HelloMessage, ModulesMessage, FindingMessage, WarningMessage,
                             GoodbyeMessage, RefutedMessage>;

struct Message {
  std::uint32_t process = 0;
  Content content;
};

// An error says what is wrong with the packet.
Result<Message> read_message(std::span<const std::byte> packet);

}  // namespace omnium::watch
