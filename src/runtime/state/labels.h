// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Names of annotated blocks. A name is a string of the program, which may be gone when a finding
// mentions the block: its library may have been unloaded.
#pragma once

namespace omnium::runtime {

// The string itself if it is part of the executable, otherwise a copy that stays: always the same
// one for the same text.
const char* lasting_label(const char* label);

// Finds out where the executable lies. Until then every label is copied.
void find_executable();

}  // namespace omnium::runtime
