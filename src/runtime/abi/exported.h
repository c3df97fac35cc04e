// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Functions that the program's code calls by name.
#pragma once

#define OMNIUM_EXPORTED extern "C" __attribute__((visibility("default"), used))
