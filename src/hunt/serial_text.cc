// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Serial plans as lines of a schedule.
#include <charconv>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "hunt/serial_run.h"

namespace omnium::hunt {

namespace {

// Numbers of modules, and their lines.
class Modules {
 public:
  std::string add(const Code& code) {
    const auto [module, added] = numbers_.try_emplace(code.module, numbers_.size());
    if (added) lines_ += fmt::format("module {}\n", code.module);
    return fmt::format("{}:{:x}", module->second, code.address);
  }
  const std::string& lines() const { return lines_; }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::string lines_;
};

bool parse(std::string_view text, int base, std::uint64_t& value) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return failed == std::errc() && end == text.data() + text.size();
}

class PlanReader {
 public:
  // False if the line cannot be read.
  bool take(const std::string& line) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "module") {
      std::getline(words >> std::ws, word);
      modules_.push_back(word);
      return true;
    }
    if (word == "clock") return static_cast<bool>(words >> plan_.clock_start);
    if (word == "hasty") {
      plan_.hasty = true;
      return true;
    }
    if (word == "point") {
      Code code;
      const bool good = words >> word && take_code(word, code);
      if (good) plan_.places.insert(code);
      return good;
    }
    return take_switch(word, words);
  }
  // A step of a target: its codes become places. Gates are points anyway.
  bool take_step(const std::string& line) {
    std::istringstream words(line);
    std::string word, role, kind, codes;
    if (!(words >> word >> role >> kind >> codes) || word != "step") return take(line);
    std::istringstream list(codes);
    for (Code code; std::getline(list, word, ',');) {
      if (!take_code(word, code)) return false;
      plan_.places.insert(code);
    }
    return true;
  }
  SerialPlan plan() && { return std::move(plan_); }

 private:
  bool take_code(std::string_view text, Code& code) const {
    const std::size_t colon = text.find(':');
    std::uint64_t module = 0;
    if (colon == std::string_view::npos || !parse(text.substr(0, colon), 10, module) ||
        module >= modules_.size() || !parse(text.substr(colon + 1), 16, code.address)) {
      return false;
    }
    code.module = modules_[module];
    return true;
  }

  bool take_switch(const std::string& word, std::istringstream& words) {
    Switch one;
    std::string place;
    one.forced = word == "stop";
    if (!one.forced && word != "switch") return false;
    if (!(words >> one.from)) return false;
    if (!one.forced && !(words >> place && take_code(place, one.place))) return false;
    if (!(words >> one.visit >> one.to)) return false;
    plan_.switches.push_back(std::move(one));
    return true;
  }

  std::vector<std::string> modules_;
  SerialPlan plan_;
};

}  // namespace

std::string to_text(const SerialPlan& plan) {
  Modules modules;
  std::string lines = plan.hasty ? "hasty\n" : "";
  if (plan.clock_start != 0) lines += fmt::format("clock {}\n", plan.clock_start);
  for (const Code& code : plan.places) lines += fmt::format("point {}\n", modules.add(code));
  for (const Switch& one : plan.switches) {
    lines += one.forced ? fmt::format("stop {} {} {}\n", one.from, one.visit, one.to)
                        : fmt::format("switch {} {} {} {}\n", one.from, modules.add(one.place),
                                      one.visit, one.to);
  }
  return modules.lines() + lines;
}

Result<SerialPlan> read_plan(const std::string& lines) {
  PlanReader reader;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    if (!reader.take(line)) return fail({}, fmt::format("cannot read the line '{}'", line));
  }
  SerialPlan plan = std::move(reader).plan();
  plan.loose = false;
  return plan;
}

std::string comments_of(const std::string& lines) {
  std::string out;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) out += line + '\n';
  }
  return out;
}

std::set<Code> places_of_steps(const std::string& lines) {
  PlanReader reader;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('#')) reader.take_step(line);
  }
  return std::move(reader).plan().places;
}

}  // namespace omnium::hunt
