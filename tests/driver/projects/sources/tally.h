// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#ifdef __cplusplus
extern "C"
#endif
    int
    tally_add(int amount);
