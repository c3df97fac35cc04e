// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that crashes still reports what was found, which may be the reason of the crash.
#pragma once

namespace omnium::runtime {

// Sets handlers for the signals of crashes that have none yet. A program that sets its own handlers
// later replaces these.
void handle_crashes();

}  // namespace omnium::runtime
