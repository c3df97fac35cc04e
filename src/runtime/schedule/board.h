// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The board of this run (wire/serial_board.h).
#pragma once

#include "wire/serial_board.h"

namespace omnium::runtime {

// Maps the file. False if it cannot be used.
bool open_board(const char* path);
wire::SerialBoard& board();

}  // namespace omnium::runtime
