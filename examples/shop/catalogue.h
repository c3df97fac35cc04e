// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the shop sells. It is loaded when it is first needed.
#pragma once

int price_of(int product);
