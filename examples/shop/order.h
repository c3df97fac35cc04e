// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a customer wants.
#pragma once

struct Order {
  int customer = 0;
  int product = 0;
  long price = 0;
};
