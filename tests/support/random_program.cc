// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_program.h"

#include <fmt/format.h>

#include "workload/dice.h"

namespace omnium::test {

namespace {

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : dice_(seed) {}

  std::string program() {
    variables_ = 1 + below(2);
    locks_ = below(3);
    array_ = below(4) == 0;
    const std::uint32_t shape = below(10);
    std::string out;
    for (std::uint32_t i = 0; i < variables_; ++i) {
      out += fmt::format("shared bool v{};\n", i);
    }
    out += "shared int[0..2] n = 0;\n";
    if (array_) out += "shared bool a[2] = true;\n";
    for (std::uint32_t i = 0; i < locks_; ++i) out += fmt::format("lock m{};\n", i);
    rich_ = below(2) == 0;
    if (rich_) out += "channel c0;\nchannel c1;\nghost int[0..1] g;\n";
    const std::uint32_t threads = shape < 5 ? 2 : shape < 8 ? 1 : 3;
    forks_ = threads == 3 && below(2) == 0;
    for (std::uint32_t t = 0; t < threads; ++t) {
      const bool copies = shape >= 5 && shape < 8;
      const std::uint32_t events = threads == 3 ? 3 : copies && below(3) == 0 ? 3 : 5;
      budget_ = static_cast<int>(events);
      out += fmt::format("thread t{}{} {{\n", t, copies ? (events == 3 ? "[3]" : "[2]") : "");
      out += "  local bool l;\n  local int[0..3] c;\n";
      const bool forks = forks_ && t == 0;
      const bool whole = below(2) == 0;
      const bool inside = whole && below(2) == 0;
      const bool joins = forks && below(2) == 0;
      if (forks && !inside) out += "  fork t1;\n";
      if (whole) out += "  atomic all {\n";
      if (forks && inside) out += "  fork t1;\n";
      out += statements(whole ? 2 : 1, false);
      const bool joins_inside = joins && whole && below(2) == 0;
      if (joins_inside) out += "  join t1;\n";
      if (whole) out += "  }\n";
      if (joins && !joins_inside) out += "  join t1;\n";
      out += "}\n";
    }
    return out;
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return dice_.below(bound); }

  std::string variable() {
    --budget_;
    if (array_ && below(4) == 0) return below(2) == 0 ? "a[0]" : "a[c % 2]";
    return fmt::format("v{}", below(variables_));
  }

  std::string condition() {
    switch (below(8)) {
      case 0: return "l";
      case 1: return fmt::format("!{}", variable());
      case 2: return fmt::format("{} && {}", variable(), variable());
      case 3: return fmt::format("{} || l", variable());
      case 4: --budget_; return "n == 0";
      case 5: return fmt::format("l || {}", variable());
      default: return variable();
    }
  }

  std::string block(int depth, bool locked) {
    return fmt::format(" {{\n{}{:{}}}}\n", statements(depth + 1, locked), "", depth * 2);
  }

  std::string statements(int depth, bool locked) {
    std::string out;
    const std::uint32_t count = 1 + below(3);
    for (std::uint32_t i = 0; i < count && budget_ > 0; ++i) {
      out += std::string(static_cast<std::size_t>(depth) * 2, ' ') + statement(depth, locked);
    }
    return out;
  }

  // The operations that recorded traces have besides.
  std::string rich() {
    --budget_;
    const std::string v = fmt::format("v{}", below(variables_));
    const std::string m = fmt::format("m{}", locks_ == 0 ? 0 : below(locks_));
    switch (below(locks_ == 0 ? 12 : 15)) {
      case 0: return fmt::format("load {};\n", v);
      case 1: return fmt::format("store {} = l;\n", v);
      case 2: return fmt::format("update {0} = !{0};\n", v);
      case 3: return "update n = n + 1;\n";
      case 4:
      case 5:
      case 6: return fmt::format("retry {};\n", v);
      case 7: return fmt::format("signal c{};\n", below(2));
      case 8: return fmt::format("await c{};\n", below(2));
      case 9: return fmt::format("store {} = true; g = {};\n", v, below(2));
      case 10: return fmt::format("load {}; if (g == {}) {{ halt; }}\n", v, below(2));
      case 11: return fmt::format("assume(g == {}); retry {};\n", below(2), v);
      case 12: return fmt::format("busy {};\n", m);
      case 13: return fmt::format("acquire {0}; wait {0}; resume {0}; release {0};\n", m);
      default: return fmt::format("acquire shared {0}; {1}release shared {0};\n", m, simple());
    }
  }

  std::string simple() {
    if (rich_ && below(2) == 0) return rich();
    switch (below(9)) {
      case 0: return fmt::format("l = {};\n", condition());
      case 1: return fmt::format("{} = true;\n", variable());
      case 2: return fmt::format("{} = !l;\n", variable());
      case 3: budget_ -= 2; return "n = n + 1;\n";
      case 4: --budget_; return "n = 0;\n";
      case 5: return fmt::format("assume({});\n", condition());
      case 6: return fmt::format("{} = {};\n", variable(), condition());
      case 7: return below(6) == 0 ? "assert(!l);\n" : "l = !l;\n";
      default: return fmt::format("l = {};\n", variable());
    }
  }

  std::string statement(int depth, bool locked) {
    if (depth > 4) return simple();
    switch (below(14)) {
      case 0:
      case 1:
      case 2:
      case 3: budget_ -= 1; return "atomic b" + std::to_string(below(3)) + block(depth, locked);
      case 4:
      case 5:
        if (locks_ == 0 || (locked && below(3) != 0)) return simple();
        return lock_section(depth);
      case 6: return fmt::format("if ({})", condition()) + block(depth, locked);
      case 7: return "choose" + block(depth, locked) + indent(depth) + "or" + block(depth, locked);
      case 8:
        --budget_;
        return fmt::format("loop 2 {{\n{}{:{}}}}\n",
                           std::string(static_cast<std::size_t>(depth + 1) * 2, ' ') + simple(), "",
                           depth * 2);
      case 9:
        --budget_;
        return fmt::format("while (*) {{\n{0}  assume(c < 1); c = c + 1;\n{0}  {1}{0}}}\n",
                           indent(depth), simple());
      default: return simple();
    }
  }

  std::string lock_section(int depth) {
    const std::uint32_t m = below(locks_);
    budget_ -= 1;
    std::string inner = statements(depth, true);
    return fmt::format("acquire m{};\n{}{}release m{};\n", m, inner, indent(depth), m);
  }

  static std::string indent(int depth) {
    return std::string(static_cast<std::size_t>(depth) * 2, ' ');
  }

  workload::Dice dice_;
  std::uint32_t variables_ = 1;
  std::uint32_t locks_ = 0;
  bool array_ = false;
  bool rich_ = false;
  bool forks_ = false;
  int budget_ = 0;
};

}  // namespace

std::string random_program(std::uint64_t seed) { return Writer(seed).program(); }

}  // namespace omnium::test
