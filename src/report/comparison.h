// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The engines side by side, as the papers' tables have them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/comparison.h"
#include "event/check_mode.h"
#include "support/byte_sink.h"

namespace omnium::report {

struct Comparison {
  std::string path;
  CheckMode mode;
  std::vector<ComparedEngine> engines;
  std::vector<std::string> disagreements;
};

// What engines said and needed on average, over the traces that they finished [Davida tables IV to
// VI].
class ComparisonMeans {
 public:
  struct Mean {
    double sum = 0;
    std::uint64_t count = 0;
    std::optional<double> value() const {
      if (count == 0) return std::nullopt;
      return sum / static_cast<double>(count);
    }
  };
  struct Engine {
    const EngineInfo* info;
    std::map<std::string_view, Mean> means;  // by key in JSON
  };

  void add(const Comparison& comparison);
  std::uint64_t traces() const { return traces_; }
  const std::vector<Engine>& engines() const { return engines_; }

 private:
  std::uint64_t traces_ = 0;
  std::vector<Engine> engines_;
};

void render_text(const ComparisonMeans& means, support::ByteSink& out);
void render_json(const ComparisonMeans& means, support::ByteSink& out);
void render_text(const Comparison& comparison, support::ByteSink& out);
void render_json(const Comparison& comparison, support::ByteSink& out);

}  // namespace omnium::report
