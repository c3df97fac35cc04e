// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The shop: customers order, clerks serve them, and others look after money, stock and prices.
#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "cache.h"
#include "gateway.h"
#include "ledger.h"
#include "order_queue.h"
#include "plan.h"
#include "statistics.h"
#include "warehouse.h"

class Shop {
 public:
  explicit Shop(const Plan& plan);

  void open();
  void close();  // when all customers have been served
  void print_figures();

 private:
  void customer(int number);
  void clerk();
  void serve(const Order& order);
  void accountant();
  void auditor();
  void manager();

  const Plan plan_;
  Ledger ledger_;
  Statistics statistics_;
  Warehouse warehouse_;
  OrderQueue orders_;
  std::unique_ptr<Cache> cache_;
  std::unique_ptr<Gateway> gateway_;
  std::atomic<int> in_back_office_{2};  // the accountant and the auditor; customers keep coming
  std::atomic<bool> closing_{false};
  std::atomic<long> receipts_{0};
  std::vector<std::thread> customers_;
  std::vector<std::thread> clerks_;
  std::vector<std::thread> others_;
};
