// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The scrubber removes dead epochs from all cells, so that slots and rows can be used again. It
// runs once in some hundred million events, and does not stop the program.
#pragma once

namespace omnium::runtime {

// Called under the registry's lock, by a thread that does not count as inside the runtime.
void scrub();

}  // namespace omnium::runtime
