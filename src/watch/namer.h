// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Names for the things that a finding mentions. They are the same in the next run, so they contain
// no addresses of memory, which change from run to run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/report.h"
#include "symbols/address_space.h"
#include "symbols/object_names.h"
#include "watch/message.h"

namespace omnium::watch {

class Namer {
 public:
  Namer(const FindingMessage& message, symbols::AddressSpace& memory)
      : message_(message), memory_(memory) {}

  // The thread's own name, what it runs, or its number. `index` is that of a Thread.
  std::string thread(std::uint32_t index);
  // The annotation's name, or the function.
  std::string label(std::uint32_t index);
  // The stack of the violating thread, innermost frame first.
  std::vector<report::StackFrame> stack();
  // The place that a return address belongs to; empty if it is not known.
  std::string place(std::uint64_t pc);
  // The same with the function: "bank.cpp:44 in Account::deposit".
  std::string place_and_function(std::uint64_t pc);
  // "account.balance", "Order::count" (docs/runtime/names.md). Different objects with the same name
  // get numbers. `pc` is an instruction that uses the object.
  std::string object(std::uint64_t address, std::uint64_t pc);

 private:
  std::string plain_object(std::uint64_t address, std::uint64_t pc);
  std::vector<symbols::Use> uses_of(std::uint64_t address, std::uint64_t pc) const;
  void add_uses_in_steps(std::uint64_t address, std::vector<symbols::Use>& uses) const;
  const wire::HeapBlock* heap_block(std::uint64_t address) const;

  const FindingMessage& message_;
  symbols::AddressSpace& memory_;
  std::map<std::uint64_t, std::string> objects_;
  std::map<std::string, int> used_;
};

}  // namespace omnium::watch
