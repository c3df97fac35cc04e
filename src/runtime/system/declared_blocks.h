// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Does the program say which of its blocks should be atomic?
#pragma once

namespace omnium::runtime {

// Does a module that is loaded now begin annotated blocks (<omnium/atomic.h>)?
bool declares_blocks();

}  // namespace omnium::runtime
