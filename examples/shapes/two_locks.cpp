// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Two locks, the order of the table against the order of the log (write skew): checkpoint() reads
// the table, then writes the log; insert() writes the table, then reads the log. Each goes by what
// the other is about to change, and the new row is neither in the checkpoint nor in the log.
//
// expect: checkpoint (with insert), write skew on table.rows and log_file.rows_to_come
#include <pthread.h>

#include <cstdio>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "turns.h"

struct Table {
  std::mutex mutex;
  int rows = 1;
};
struct Log {
  std::mutex mutex;
  int rows_to_come = 9;  // what the next checkpoint will hold; no need to log these
  int logged = 0;
};

Table table;
Log log_file;

void checkpoint() {
  OMNIUM_ATOMIC("checkpoint");
  int rows = 0;
  {
    std::lock_guard lock(table.mutex);
    rows = table.rows;
  }
  turn(1);
  turn(4);
  std::lock_guard lock(log_file.mutex);
  log_file.rows_to_come = rows;
}

void insert() {
  OMNIUM_ATOMIC("insert");
  {
    std::lock_guard lock(table.mutex);
    table.rows = 2;
  }
  std::lock_guard lock(log_file.mutex);
  if (log_file.rows_to_come < 2) log_file.logged += 1;
}

int main() {
  std::thread saver([] {
    pthread_setname_np(pthread_self(), "saver");
    checkpoint();
  });
  std::thread client([] {
    pthread_setname_np(pthread_self(), "client");
    turn(2);
    insert();
    turn(3);
  });
  saver.join();
  client.join();
  std::printf("rows: %d in the table, %d in the checkpoint, %d in the log\n", table.rows,
              log_file.rows_to_come, log_file.logged);
}
