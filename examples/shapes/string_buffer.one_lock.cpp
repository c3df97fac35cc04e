// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// string_buffer.cpp mended: append() holds the lock of `other` from the length to the characters.
// Both locks are taken in the order of their addresses.
//
// expect: nothing
// functions: all
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>

class StringBuffer {
 public:
  explicit StringBuffer(const char* text) : length_(static_cast<int>(std::strlen(text))) {
    std::memcpy(text_, text, static_cast<std::size_t>(length_));
  }
  bool append(StringBuffer& other) {
    const bool in_order = std::less<StringBuffer*>{}(this, &other);
    std::lock_guard first(in_order ? mutex_ : other.mutex_);
    std::lock_guard second(in_order ? other.mutex_ : mutex_);
    if (length_ + other.length_ > 64) return false;
    std::memcpy(text_ + length_, other.text_, static_cast<std::size_t>(other.length_));
    length_ += other.length_;
    return true;
  }
  void erase() {
    std::lock_guard lock(mutex_);
    length_ = 0;
  }
  int length() {
    std::lock_guard lock(mutex_);
    return length_;
  }

 private:
  std::mutex mutex_;
  char text_[64] = {};
  int length_;
};

StringBuffer left("ab"), right("abc");

int main() {
  std::thread writer([] {
    for (int i = 0; i < 100; ++i) {
      if (!left.append(right)) left.erase();
    }
  });
  std::thread other([] {
    for (int i = 0; i < 100; ++i) {
      if (!right.append(left)) right.erase();
    }
  });
  writer.join();
  other.join();
  return left.length() <= 64 && right.length() <= 64 ? 0 : 1;
}
