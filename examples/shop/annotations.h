// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// OMNIUM_ATOMIC says what the shop promises to be atomic. With -DSHOP_PLAIN nothing is said, as in
// a program whose author has never heard of Omnium.
#pragma once

#include <omnium/atomic.h>

#ifdef SHOP_PLAIN
#undef OMNIUM_ATOMIC
#define OMNIUM_ATOMIC(name) static_assert(true)
#endif
