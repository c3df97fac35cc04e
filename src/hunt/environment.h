// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a schedule keeps of the environment: a few variables that change what programs do and that
// nobody keeps a secret in, and those that the user has named (docs/formats/schedules.md).
#pragma once

#include <string>
#include <vector>

#include "support/error.h"

namespace omnium::hunt {

// Each "NAME=VALUE".
using Variables = std::vector<std::string>;

// The values of `--env`, each NAME or NAME=VALUE. Those with a value are set in our environment,
// which programs inherit. Returns their names; it is an error if one has no value.
Result<std::vector<std::string>> take_variables(const std::vector<std::string>& given);

// The variables of our environment with these names.
Variables variables_named(const std::vector<std::string>& names);
// These, and the known ones that are set, sorted. It is an error if they do not fit in a schedule.
Result<Variables> variables_to_keep(const std::vector<std::string>& names);

// Our environment as it was when the schedule was made: known variables that it does not have are
// not set afterwards. Those with the names in `but` stay as they are.
void restore_variables(const Variables& kept, const std::vector<std::string>& but);

}  // namespace omnium::hunt
