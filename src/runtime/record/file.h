// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The file of the raw log. The program may close or replace descriptors as it likes: each use makes
// sure that the descriptor is still ours.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/raw_log.h"

namespace omnium::runtime::record {

// Makes the file this process's and maps its header. An errno; EEXIST: another process's already.
int open_file(const char* path, wire::RawHeader*& header);
// The same in a forked process, with its number behind the name.
int open_file_of_child(wire::RawHeader*& header);

// The place of a new piece.
std::uint64_t take_piece();

// 0, or the errno of what went wrong.
int write_piece(std::uint64_t offset, const void* bytes, std::size_t size);

// Maps a new piece, whose space on the disk is certain. Null with an errno if that failed.
void* map_piece(int& error);

}  // namespace omnium::runtime::record
