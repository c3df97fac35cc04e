// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Removes from all cells what cannot matter any more, so that slots and rows can be used again.
// Happens once in some hundred million events, while the program runs on.
#pragma once

namespace omnium::runtime {

// Under the registry's lock, by a thread that is outside.
void scrub();

}  // namespace omnium::runtime
