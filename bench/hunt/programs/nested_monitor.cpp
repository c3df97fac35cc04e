// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: hang
// A consumer waits for an item with the lock of the queue, and keeps the lock of the shop, which
// the producer needs. It shows if the consumer comes first: both wait for ever.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex shop;
std::mutex queue;
std::condition_variable changed;
int items;

void produce() {
  std::lock_guard shop_lock(shop);
  std::lock_guard queue_lock(queue);
  ++items;
  changed.notify_one();
}

void consume() {
  std::unique_lock shop_lock(shop);
#ifdef FIXED
  shop_lock.unlock();
#endif
  std::unique_lock queue_lock(queue);
  while (items == 0) changed.wait(queue_lock);
  --items;
}

int main() {
  std::thread producer(produce);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // who opens the shop comes early
  std::thread consumer(consume);
  producer.join();
  consumer.join();
}
