// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A block checks an object and uses it later; in between another block frees it. There is no write
// but the freeing one.
// expect: use (with drop), read skew on Object::valid and Object::value
// record: no
#include <cstdlib>
#include <thread>

#include <unistd.h>

#include <omnium/atomic.h>

struct Object {
  int valid, value;
};

Object* object;
int used;

int main() {
  object = static_cast<Object*>(std::malloc(sizeof(Object)));
  *object = {1, 7};
  std::thread user([] {
    OMNIUM_ATOMIC("use");
    if (object->valid == 0) return;
    usleep(60'000);
    used = object->value;
  });
  std::thread owner([] {
    usleep(20'000);
    OMNIUM_ATOMIC("drop");
    std::free(object);
  });
  user.join();
  owner.join();
}
