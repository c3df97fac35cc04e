// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The file of the raw log. The program may close or replace our descriptor, so each use checks that
// it is still the log.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/raw_log.h"

namespace omnium::runtime::record {

// Creates the file for this process and maps its header. Returns 0 or an errno; EEXIST if another
// process records into the file already.
int open_file(const char* path, wire::RawHeader*& header);
// Creates a file in the child of a fork; its name ends with the number of the process.
int open_file_of_child(wire::RawHeader*& header);

// The offset of a new piece.
std::uint64_t take_piece();

// Returns 0 or an errno.
int write_piece(std::uint64_t offset, const void* bytes, std::size_t size);

// Is there still a process that follows the log? It holds a lock on the file that was started with.
bool has_reader();
// Nobody needs the file any more.
void remove_file();

// Maps a new piece, with its space on the disk reserved. Null if that failed; `error` says why.
void* map_piece(int& error);

}  // namespace omnium::runtime::record
