// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The part of an interleaving that shows one violation, as a small trace of its own: everything
// from where the violated block begins, and before that only what is still open there (blocks,
// locks that are held, waits). What happens before a block cannot make it less atomic, so a check
// of the window says of the block what a check of the whole interleaving says. Blocks that are open
// there and may have several parts are included from their begin, unless that is very far away.
// What other threads do before they meet the block comes before it (early_work.h).
#pragma once

#include <functional>
#include <span>

#include "event/memory_trace.h"
#include "predict/predict.h"

namespace omnium::report {

struct InterleavingWindow {
  MemoryTrace trace;                  // its names are only those that occur in it
  EventIndex transaction = kNoEvent;  // where the warned transaction begins in it
};

// Calls visit(index of the warning, window) for each warning that has an interleaving, in any
// order. Reads the recording once, however many warnings there are.
void for_each_window(
    std::span<const predict::Warning> warnings, const predict::LoadedTrace& trace,
    const Names& names,
    const std::function<void(std::size_t warning, InterleavingWindow window)>& visit);

}  // namespace omnium::report
