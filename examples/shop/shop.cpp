// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "shop.h"

#include <pthread.h>

#include <chrono>
#include <cstdio>

#include "catalogue.h"
#include "print_desk.h"
#include "settings.h"

namespace {

constexpr int kCustomers = 3;
constexpr int kClerks = 2;
constexpr int kOrdersOfEach = 10;  // at least
constexpr int kAudits = 8;
constexpr int kProducts = 8;
constexpr int kConnections = 2;
constexpr std::size_t kQueueLength = 4;
constexpr long kSmallBag = 1, kLargeBag = 1000000;

void take_a_break() { std::this_thread::sleep_for(std::chrono::microseconds(300)); }

}  // namespace

Shop::Shop(const Plan& plan)
    : plan_(plan),
      ledger_(kCustomers),
      orders_(kQueueLength),
      cache_(std::make_unique<Cache>()),
      gateway_(std::make_unique<Gateway>(kConnections)) {}

void Shop::open() {
  others_.emplace_back(&PrintDesk::run_printer, &print_desk);
  others_.emplace_back(&Shop::accountant, this);
  others_.emplace_back(&Shop::auditor, this);
  others_.emplace_back([this] {
    pthread_setname_np(pthread_self(), "manager");
    manager();
  });
  for (int i = 0; i < kClerks; ++i) clerks_.emplace_back([this] { clerk(); });
  for (int i = 0; i < kCustomers; ++i) customers_.emplace_back(&Shop::customer, this, i);
}

void Shop::close() {
  for (std::thread& customer : customers_) customer.join();
  orders_.close();
  for (std::thread& clerk : clerks_) clerk.join();
  closing_ = true;
  print_desk.close();
  for (std::thread& other : others_) other.join();
}

void Shop::customer(int number) {
  for (int i = 0; i < kOrdersOfEach || in_back_office_ > 0; ++i) {
    const int product = (i + number) % kProducts;
    orders_.push(std::make_unique<Order>(Order{number, product, price_of(product)}));
    ledger_.account(number).pay(10);
    take_a_break();
  }
}

void Shop::clerk() {
  while (const std::unique_ptr<Order> order = orders_.pop()) serve(*order);
}

void Shop::serve(const Order& order) {
  statistics_.count_visit(5);
  if (plan_.includes(Bug::kGetOrCreate)) cache_->get_or_create(order.product);
  cache_->get(order.product + 1);

  const Rates rates = Settings::instance().snapshot();
  long price = order.price * (100 - rates.discount + rates.tax) / 100;
  if (plan_.includes(Bug::kQuote)) price = Settings::instance().quote(order.price);

  warehouse_.take_from_back_room();
  if (plan_.includes(Bug::kTakeFromShelf)) warehouse_.take_from_shelf();
  warehouse_.reserve_bag(kSmallBag);
  // No two have the same weight: what is left was never left before, not even by take_bag()'s bug.
  if (plan_.includes(Bug::kTakeBag)) warehouse_.take_bag(kLargeBag * ++receipts_);

  gateway_->verify(order.customer);
  if (plan_.includes(Bug::kAuthorise)) gateway_->authorise(price);
  ledger_.book(price);
  ledger_.account(order.customer).pay(price);
  if (plan_.includes(Bug::kCountSale)) statistics_.count_sale(price);

  print_desk.print_and_wait(++receipts_);
  if (plan_.includes(Bug::kPrint)) print_desk.print(++receipts_);
}

void Shop::accountant() {
  for (int i = 0; i < kAudits; ++i) {
    if (plan_.includes(Bug::kRefund)) ledger_.refund(1);
    gateway_->verify(i);
    take_a_break();
  }
  --in_back_office_;
}

void Shop::auditor() {
  for (int i = 0; i < kAudits; ++i) {
    Account& account = ledger_.account(i % kCustomers);
    if (plan_.includes(Bug::kStatement)) account.statement();
    account.summary();
    take_a_break();
  }
  --in_back_office_;
}

void Shop::manager() {
  for (int i = 0; !closing_; ++i) {
    Settings::instance().reload();
    if (i % kProducts == 0) cache_->evict_all();
    cache_->get(i % kProducts);
    warehouse_.deliver();
    warehouse_.reserve_bag(kSmallBag);
    gateway_->verify(0);
    statistics_.report();
    take_a_break();
  }
}

void Shop::print_figures() {
  const Figures figures = statistics_.report();
  std::printf("%ld visits, %ld sales\n", figures.visits, figures.sales);
}
