// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: use
// A table gives out references to an object; who gives the last one back frees it. A lookup adds
// its reference without a look whether any is left. It shows if the lookup comes between the last
// release and the removal from the table: the object is used while it is freed.
#include <atomic>
#include <cassert>
#include <thread>

#include <omnium/atomic.h>

struct Object {
  std::atomic<int> references{1};
  std::atomic<bool> alive{true};
};

Object object;
std::atomic<Object*> table{&object};

Object* look_up() {
  Object* found = table.load();
  if (found == nullptr) return nullptr;
#ifdef FIXED
  int count = found->references.load();
  while (count != 0) {
    if (found->references.compare_exchange_weak(count, count + 1)) return found;
  }
  return nullptr;
#else
  found->references.fetch_add(1);
  return found;
#endif
}

void release(Object* used) {
  if (used->references.fetch_sub(1) != 1) return;
  table.store(nullptr);
  used->alive.store(false);
}

void use(Object* used) {
  OMNIUM_ATOMIC("use");
  assert(used->alive.load());
  assert(used->alive.load());
}

int main() {
  std::thread reader([] {
    Object* found = look_up();
    if (found == nullptr) return;
    use(found);
    release(found);
  });
  std::thread owner([] { release(&object); });
  reader.join();
  owner.join();
}
