// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which of the bugs take part in a run. The correct methods always do.
#pragma once

#include <array>
#include <string_view>

enum class Bug {
  kRefund,         // Ledger::refund
  kStatement,      // Account::statement
  kGetOrCreate,    // Cache::get_or_create
  kQuote,          // Settings::quote
  kCountSale,      // Statistics::count_sale
  kTakeFromShelf,  // Warehouse::take_from_shelf
  kTakeBag,        // Warehouse::take_bag
  kAuthorise,      // Gateway::authorise
  kPrint,          // PrintDesk::print
};

inline constexpr std::array<std::string_view, 9> kBugNames = {
    "refund",          "statement", "get_or_create", "quote", "count_sale",
    "take_from_shelf", "take_bag",  "authorise",     "print"};

class Plan {
 public:
  void include(Bug bug) { included_[static_cast<std::size_t>(bug)] = true; }
  void include_all() { included_.fill(true); }
  bool includes(Bug bug) const { return included_[static_cast<std::size_t>(bug)]; }

 private:
  std::array<bool, kBugNames.size()> included_{};
};
