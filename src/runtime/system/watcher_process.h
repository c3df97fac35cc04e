// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Starts `omnium watch` for a program that was started without `omnium run`.
#pragma once

namespace omnium::runtime {

// Returns our end of a new channel, or -1 with a message.
int start_watcher(int counters_file);

}  // namespace omnium::runtime
