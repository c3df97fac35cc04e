// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Marks functions that the code of the program calls by name.
#pragma once

#define OMNIUM_EXPORTED extern "C" __attribute__((visibility("default"), used))
