// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/target.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace omnium::hunt {

namespace {

// As many as the runtime has room for (runtime/schedule/target.h).
constexpr std::size_t kMostSteps = 16, kMostRoles = 8, kMostCodes = 16, kMostModules = 8;

std::string_view to_string(Step::Kind kind) {
  switch (kind) {
    case Step::Kind::kRead: return "read";
    case Step::Kind::kWrite: return "write";
    case Step::Kind::kEither: return "either";
    case Step::Kind::kAcquire: return "acquire";
  }
  return "";
}

std::string_view in_words(Step::Kind kind) {
  switch (kind) {
    case Step::Kind::kRead: return "reads";
    case Step::Kind::kWrite: return "writes";
    case Step::Kind::kEither: return "uses memory";
    case Step::Kind::kAcquire: return "takes a lock";
  }
  return "";
}

// The accesses of the cycle, by their event.
class Steps {
 public:
  explicit Steps(const report::Picture& picture) : picture_(picture) {
    for (const report::Sentence& sentence : picture.sentences) {
      add(sentence.first);
      add(sentence.second);
    }
  }

  std::optional<std::vector<Step>> in_order() {
    if (broken_ || rows_.empty() || rows_.size() > kMostSteps) return std::nullopt;
    std::map<EventIndex, std::size_t> numbers;
    for (const auto& [event, row] : rows_) numbers.emplace(event, numbers.size());
    std::vector<Step> out;
    for (const auto& [event, row] : rows_) out.push_back(step_at(row));
    for (const report::Sentence& sentence : picture_.sentences) {
      const std::size_t first = numbers[sentence.first.index];
      const std::size_t second = numbers[sentence.second.index];
      if (first < second) out[second].same = first;
    }
    return out;
  }

 private:
  void add(const report::EventView& event) {
    const auto row = std::ranges::find_if(
        picture_.rows, [&](const report::Row& it) { return it.event.index == event.index; });
    const bool usable = row != picture_.rows.end() && is_access(event.kind) &&
                        !event.location.empty() && row->column < kMostRoles;
    if (!usable) broken_ = true;
    if (usable) rows_[event.index] = static_cast<std::size_t>(row - picture_.rows.begin());
  }

  bool is_step(std::size_t row) const {
    return std::ranges::any_of(rows_, [&](const auto& entry) { return entry.second == row; });
  }

  // Of the locks that the thread holds at the access, the one that it took first since its step
  // before: there it can be stopped without keeping others from what they need.
  std::string gate_of(std::size_t access) const {
    std::vector<std::size_t> held;  // rows
    for (std::size_t i = 0; i < access; ++i) {
      const report::Row& row = picture_.rows[i];
      if (row.column != picture_.rows[access].column) continue;
      if (is_step(i)) held.clear();
      const Kind kind = row.event.kind;
      if (kind == Kind::kAcquire || kind == Kind::kSharedAcquire) held.push_back(i);
      if (gives_lock_back(kind)) {
        std::erase_if(held, [&](std::size_t taken) {
          return picture_.rows[taken].event.object == row.event.object;
        });
      }
    }
    return held.empty() ? "" : std::string(picture_.rows[held.front()].event.location);
  }

  Step step_at(std::size_t row) const {
    const report::Row& access = picture_.rows[row];
    return {access.column,
            kind_of(access.event.kind),
            std::string(access.event.location),
            gate_of(row),
            std::nullopt,
            false};
  }

  const report::Picture& picture_;
  std::map<EventIndex, std::size_t> rows_;  // by event
  bool broken_ = false;
};

// Numbers the modules, and writes "0:1f40,0:1f80".
class Codes {
 public:
  std::string add(const std::set<Code>& codes) {
    std::string out;
    std::size_t count = 0;
    for (const Code& code : codes) {
      if (count++ == kMostCodes) break;
      const auto [module, added] = numbers_.try_emplace(code.module, numbers_.size());
      if (added) modules_ += fmt::format("module {}\n", code.module);
      out += fmt::format("{}{}:{:x}", out.empty() ? "" : ",", module->second, code.address);
    }
    return out;
  }
  const std::string& modules() const { return modules_; }
  bool fits() const { return numbers_.size() <= kMostModules; }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::string modules_;
};

}  // namespace

Step::Kind kind_of(Kind kind) {
  if (kind == Kind::kRetry) return Step::Kind::kEither;
  return is_write(kind) ? Step::Kind::kWrite : Step::Kind::kRead;
}

std::optional<Target> target_of(const report::Cause& cause) {
  auto steps = Steps(cause.picture).in_order();
  if (!steps) return std::nullopt;
  return Target{cause.id, std::move(*steps)};
}

std::optional<std::string> to_text(const Target& target, const Places& places) {
  Codes codes;
  std::string steps;
  for (const Step& step : target.steps) {
    const auto& access = places.at(step.access);
    if (access.empty()) return std::nullopt;
    steps += fmt::format("step {} {} {}", step.role, to_string(step.kind), codes.add(access));
    if (const auto& gate = places.at(step.gate); !gate.empty()) {
      steps += fmt::format(" gate {}", codes.add(gate));
    }
    if (step.same) steps += fmt::format(" same {}", *step.same);
    if (step.late) steps += " late";
    if (step.hold) steps += " hold";
    steps +=
        fmt::format("\n# thread {} {} at {}\n", step.role + 1, in_words(step.kind), step.access);
  }
  if (!codes.fits()) return std::nullopt;
  return codes.modules() + steps;
}

}  // namespace omnium::hunt
