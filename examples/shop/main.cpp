// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A small shop with nine bugs in it, and a correct method beside each one. No bug is a data race.
//
//   shop                  everything
//   shop --bug refund     one of the bugs (several times: several of them), and everything correct
//   shop --correct        only what is correct
//
// Built with -DSHOP_FIXED it has no bug, with -DSHOP_PLAIN no annotations.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "plan.h"
#include "shop.h"

namespace {

int show_usage() {
  std::fprintf(stderr, "usage: shop [--correct | --bug NAME...]\nbugs:");
  for (const std::string_view name : kBugNames)
    std::fprintf(stderr, " %.*s", static_cast<int>(name.size()), name.data());
  std::fprintf(stderr, "\n");
  return 2;
}

bool read_arguments(int count, char** arguments, Plan& plan) {
  if (count == 1) plan.include_all();
  for (int i = 1; i < count; ++i) {
    if (count == 2 && std::strcmp(arguments[i], "--correct") == 0) return true;
    if (std::strcmp(arguments[i], "--bug") != 0 || i + 1 == count) return false;
    const auto found = std::find(kBugNames.begin(), kBugNames.end(), arguments[++i]);
    if (found == kBugNames.end()) return false;
    plan.include(static_cast<Bug>(found - kBugNames.begin()));
  }
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  Plan plan;
  if (!read_arguments(count, arguments, plan)) return show_usage();
  Shop shop(plan);
  shop.open();
  shop.close();
  shop.print_figures();
}
