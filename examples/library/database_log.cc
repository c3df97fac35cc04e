// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A database's log of reads and writes, one line per operation ("session begin|read|write|commit
// [row]"), on standard input. Were the transactions serializable? Write skew under snapshot
// isolation is not.
#include <cstdio>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>

#include "omnium/monitor.h"

int main() {
  std::uint64_t transactions = 0;
  omnium::MonitorOptions options;
  options.on_not_serializable = [](std::uint64_t event) {
    std::printf("not serializable from operation %llu on\n",
                static_cast<unsigned long long>(event));
  };
  omnium::Monitor monitor(
      [](const omnium::MonitoredViolation& v) {
        std::printf("transaction %llu of session %llu was not atomic\n",
                    static_cast<unsigned long long>(v.transaction.label.value_or(0)),
                    static_cast<unsigned long long>(v.transaction.thread));
      },
      options);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::uint64_t session = 0;
    std::string operation, row;
    words >> session >> operation >> row;
    const std::uint64_t variable = std::hash<std::string>{}(row);
    const bool fine = operation == "begin"    ? monitor.begin(session, ++transactions)
                      : operation == "commit" ? monitor.end(session)
                      : operation == "read"   ? monitor.read(session, variable)
                                              : monitor.write(session, variable);
    if (!fine) std::printf("'%s': %s\n", line.c_str(), monitor.error().c_str());
  }
  std::printf("%llu transactions, serializable: %s\n",
              static_cast<unsigned long long>(transactions), monitor.finish() ? "yes" : "no");
}
