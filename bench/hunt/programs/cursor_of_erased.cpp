// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: List::sum
// functions: all
// A list is walked by calls that each take the lock. It shows if the element that the walk stands
// on is erased between two calls: the walk goes on from an element that is no longer in the list.
#include <cassert>
#include <mutex>
#include <thread>

struct Element {
  int value;
  bool erased;
  Element* next;
};

Element elements[3] = {{1, false, &elements[1]}, {2, false, &elements[2]}, {3, false, nullptr}};

class List {
 public:
  Element* after(const Element* element) {
    std::lock_guard lock(mutex_);
    return next_of(element);
  }
  int value_of(const Element* element) {
    std::lock_guard lock(mutex_);
    assert(!element->erased);
    return element->value;
  }
  int sum() {
    int total = 0;
#ifdef FIXED
    std::lock_guard lock(mutex_);
    for (Element* at = next_of(nullptr); at != nullptr; at = next_of(at)) total += at->value;
#else
    for (Element* at = after(nullptr); at != nullptr; at = after(at)) total += value_of(at);
#endif
    return total;
  }
  void erase_after(Element* element) {
    std::lock_guard lock(mutex_);
    element->next->erased = true;
    element->next = element->next->next;
  }

 private:
  Element* next_of(const Element* element) { return element == nullptr ? first_ : element->next; }

  std::mutex mutex_;
  Element* first_ = &elements[0];
};

List list;

int main() {
  std::thread reader([] {
    list.after(nullptr);
    list.sum();
  });
  std::thread writer([] {
    list.after(nullptr);
    list.erase_after(&elements[0]);
  });
  reader.join();
  writer.join();
}
