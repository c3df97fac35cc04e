// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Functions of a program that only take a lock for their caller, or only give it back: the methods
// of its own mutex and of its guard. A person wants to read where the critical section begins and
// ends, and that is in the caller. Such a function takes a lock and gives none back (or the other
// way round, or waits for a condition). Known are those that the compiler inlined, by the calls in
// their code.
#pragma once

#include <cstddef>

#include "symbols/binary.h"

namespace omnium::symbols {

// How many of the functions around the call that ends before `return_address`, innermost first,
// are such wrappers: 0 if it is no operation of a lock.
std::size_t lock_wrappers(Binary& binary, Dwarf_Addr return_address);

}  // namespace omnium::symbols
