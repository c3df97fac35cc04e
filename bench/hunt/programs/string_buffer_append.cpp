// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: StringBuffer::append
// functions: all
// Appending one buffer to another asks the other for its length, then for its characters. It shows
// if the other is cleared in between: there are fewer characters than were asked for.
#include <cassert>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

class StringBuffer {
 public:
  explicit StringBuffer(const char* text) : text_(text) {}
  std::size_t length() {
    std::lock_guard lock(mutex_);
    return text_.size();
  }
  void copy_to(char* out, std::size_t count) {
    std::lock_guard lock(mutex_);
    assert(count <= text_.size());
    std::memcpy(out, text_.data(), count);
  }
  void append(StringBuffer& other) {
#ifdef FIXED
    std::scoped_lock lock(mutex_, other.mutex_);
    text_ += other.text_;
#else
    char copy[64];
    const std::size_t count = other.length();
    other.copy_to(copy, count);
    std::lock_guard lock(mutex_);
    text_.append(copy, count);
#endif
  }
  void clear() {
    std::lock_guard lock(mutex_);
    text_.clear();
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

StringBuffer greeting("hello, ");
StringBuffer name("world");

int main() {
  std::thread writer([] {
    greeting.length();
    greeting.append(name);
  });
  std::thread cleaner([] {
    name.length();
    name.clear();
  });
  writer.join();
  cleaner.join();
}
