// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Packets on a socket, with or without a descriptor. These are plain system calls: the functions of
// the C library are cancellation points, and a thread must not be cancelled inside the runtime.
#pragma once

#include <cstddef>

namespace omnium::runtime {

// Sends a packet, and the descriptor with it if that is not -1. False if nobody receives it.
bool send_packet(int socket, const void* bytes, std::size_t size, int descriptor = -1);

// Receives a packet. Returns its size, 0 if there will be none. `descriptor`, if it is not null,
// becomes the one that came with it, or -1.
std::size_t receive_packet(int socket, void* bytes, std::size_t size, int* descriptor = nullptr);

}  // namespace omnium::runtime
