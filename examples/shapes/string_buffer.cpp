// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// StringBuffer::append(other) as it was in Java's library: it asks `other` for its length, then for
// its characters. Each call holds the lock of `other`, and still the characters may be gone. Here
// the specification string_buffer.spec says what ought to be atomic; the program itself says
// nothing.
//
// expect: StringBuffer::append (with StringBuffer::erase), unrepeatable read on suffix.length_
// functions: all
#include <pthread.h>

#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>

#include "turns.h"

class StringBuffer {
 public:
  explicit StringBuffer(const char* text) : length_(static_cast<int>(std::strlen(text))) {
    std::memcpy(text_, text, static_cast<std::size_t>(length_));
  }
  int length() {
    std::lock_guard lock(mutex_);
    return length_;
  }
  bool get_chars(int count, char* to) {
    std::lock_guard lock(mutex_);
    if (count > length_) return false;  // StringIndexOutOfBoundsException
    std::memcpy(to, text_, static_cast<std::size_t>(count));
    return true;
  }
  bool append(StringBuffer& other) {
    std::lock_guard lock(mutex_);
    const int count = other.length();
    turn(1);
    turn(4);
    if (!other.get_chars(count, text_ + length_)) return false;
    length_ += count;
    return true;
  }
  void erase() {
    std::lock_guard lock(mutex_);
    length_ = 0;
  }

 private:
  std::mutex mutex_;
  char text_[64] = {};
  int length_;
};

StringBuffer greeting("hello, ");
StringBuffer suffix("world");

int main() {
  std::thread writer([] {
    pthread_setname_np(pthread_self(), "writer");
    if (!greeting.append(suffix)) std::printf("index out of bounds\n");
  });
  std::thread eraser([] {
    pthread_setname_np(pthread_self(), "eraser");
    turn(2);
    suffix.erase();
    turn(3);
  });
  writer.join();
  eraser.join();
}
