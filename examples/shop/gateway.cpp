// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "gateway.h"

#include "annotations.h"

// The request and its reply belong together.
bool Gateway::authorise(long amount) {
  Connection& connection = pool_.acquire();
  OMNIUM_ATOMIC("Gateway::authorise");
  connection.send(amount);
#ifdef SHOP_FIXED
  const long reply = connection.reply();
  pool_.release(connection);
#else
  pool_.release(connection);
  rush_.let_another_pass();
  const long reply = connection.reply();  // Bug: the connection is somebody else's by now.
#endif
  return reply == amount + 1;
}

// Correct: gives the connection back when it is done with it.
bool Gateway::verify(long card) {
  Connection& connection = pool_.acquire();
  long reply = 0;
  {
    OMNIUM_ATOMIC("Gateway::verify");
    connection.send(card);
    reply = connection.reply();
    pool_.release(connection);
  }
  rush_.pass();
  return reply == card + 1;
}
