// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that crashes still tells what was found: perhaps that is why it crashes.
#pragma once

namespace omnium::runtime {

// Unless somebody handles the signals already. A program that sets handlers of its own later
// replaces these.
void handle_crashes();

}  // namespace omnium::runtime
