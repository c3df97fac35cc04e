// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The rules of SARIF: one per pattern of docs/formats/patterns.md, with what a person has to know.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace omnium::report {

inline constexpr std::string_view kNotSerializableRule = "not-serializable";

// "lost update" -> "lost-update". Cycles of all lengths have one rule, and so has what has no name.
std::string rule_of_pattern(std::string_view pattern);

// The reporting descriptor of a rule. `homepage` is where the documentation can be read; empty: it
// has no address, so there is no link.
nlohmann::ordered_json sarif_rule(const std::string& id, std::string_view homepage);

}  // namespace omnium::report
