// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From a program to steps: resolves names, checks types, unfolds copies of threads.
#pragma once

#include "model/program.h"
#include "model/steps.h"
#include "support/error.h"

namespace omnium::model {

Result<Model> compile(const Program& program);

}  // namespace omnium::model
