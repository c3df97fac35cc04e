// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A lending library: members borrow books, give them back and pay fines while an auditor counts.
// Correct as it is. bench/hunt/inject.py takes out one lock statement at a time.
#include <array>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

constexpr int kTitles = 3;
constexpr int kMembers = 3;
constexpr int kCopies = 4;

struct Shelf {
  std::mutex mutex;
  int copies = kCopies;
};

struct Member {
  std::mutex mutex;
  std::array<int, kTitles> loans{};
  long fine = 0;
};

struct Till {
  std::mutex mutex;
  long cash = 0;
  int payments = 0;
};

std::array<Shelf, kTitles> shelves;
std::array<Member, kMembers> members;
Till till;

bool borrow_book(int member, int title) {
  OMNIUM_ATOMIC("borrow_book");
  std::lock_guard member_lock(members[member].mutex);
  std::lock_guard shelf_lock(shelves[title].mutex);
  if (shelves[title].copies == 0) return false;
  --shelves[title].copies;
  ++members[member].loans[title];
  return true;
}

void give_back(int member, int title) {
  OMNIUM_ATOMIC("give_back");
  std::lock_guard member_lock(members[member].mutex);
  if (members[member].loans[title] == 0) return;
  --members[member].loans[title];
  members[member].fine += 3;
  std::lock_guard shelf_lock(shelves[title].mutex);
  ++shelves[title].copies;
}

void remind(int member) {
  OMNIUM_ATOMIC("remind");
  std::lock_guard lock(members[member].mutex);
  for (const int loans : members[member].loans) members[member].fine += loans;
}

void pay_fine(int member) {
  OMNIUM_ATOMIC("pay_fine");
  std::lock_guard member_lock(members[member].mutex);
  std::lock_guard till_lock(till.mutex);
  till.cash += members[member].fine;
  ++till.payments;
  members[member].fine = 0;
}

long empty_till() {
  OMNIUM_ATOMIC("empty_till");
  std::lock_guard lock(till.mutex);
  const long cash = till.cash;
  till.cash = 0;
  till.payments = 0;
  return cash;
}

void add_copy(int title) {
  OMNIUM_ATOMIC("add_copy");
  std::lock_guard lock(shelves[title].mutex);
  ++shelves[title].copies;
}

int count_copies() {
  OMNIUM_ATOMIC("count_copies");
  std::scoped_lock lock(shelves[0].mutex, shelves[1].mutex, shelves[2].mutex);
  return shelves[0].copies + shelves[1].copies + shelves[2].copies;
}

void visit(int member) {
  for (int title = 0; title < kTitles; ++title) borrow_book(member, title);
  for (int title = 0; title < kTitles; ++title) give_back(member, title);
  pay_fine(member);
}

void open_desk() {
  for (int member = 0; member < kMembers; ++member) remind(member);
  add_copy(1);
  count_copies();
  empty_till();
}

int main() {
  std::thread first(visit, 0);
  std::thread second(visit, 1);
  std::thread desk(open_desk);
  first.join();
  second.join();
  desk.join();
  return count_copies() == kTitles * kCopies + 1 ? 0 : 1;
}
