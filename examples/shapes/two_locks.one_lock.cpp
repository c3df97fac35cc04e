// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// two_locks.cpp mended: who needs both the table and the log takes the lock of the table first and
// holds it to the end, so that both orders are the same.
//
// expect: nothing
#include <mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

struct Table {
  std::mutex mutex;
  int rows = 0;
};
struct Log {
  std::mutex mutex;
  int rows_in_checkpoint = 0;
  int logged = 0;
};

Table table;
Log log_file;

void checkpoint() {
  OMNIUM_ATOMIC("checkpoint");
  std::lock_guard table_lock(table.mutex);
  std::lock_guard log_lock(log_file.mutex);
  log_file.rows_in_checkpoint = table.rows;
  log_file.logged = 0;
}

void insert() {
  OMNIUM_ATOMIC("insert");
  std::lock_guard table_lock(table.mutex);
  table.rows += 1;
  std::lock_guard log_lock(log_file.mutex);
  log_file.logged += 1;
}

int main() {
  std::vector<std::thread> clients;
  for (int i = 0; i < 3; ++i) {
    clients.emplace_back([] {
      for (int row = 0; row < 50; ++row) insert();
    });
  }
  for (int i = 0; i < 50; ++i) checkpoint();
  for (std::thread& client : clients) client.join();
  return table.rows == log_file.rows_in_checkpoint + log_file.logged ? 0 : 1;
}
