// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One order for the events of several threads.
#pragma once

#include <optional>
#include <vector>

#include "watch/history.h"

namespace omnium::watch {

// The order keeps program order, forks before and joins after their threads, sources of steps
// before their sinks, and stamps. None if these contradict each other.
std::optional<std::vector<ItemIndex>> interleave(const Histories& histories,
                                                 const std::vector<wire::Thread>& threads);

}  // namespace omnium::watch
