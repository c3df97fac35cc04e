// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Messages for the person who runs the program, printed without the C library's streams.
#pragma once

#include <cstddef>
#include <cstdint>

namespace omnium::runtime {

// A line of text in a fixed buffer. What does not fit is cut off.
class Line {
 public:
  Line& operator<<(const char* text);
  Line& operator<<(std::uint64_t number);
  const char* data() const { return text_; }
  std::size_t size() const { return size_; }

 private:
  char text_[512];
  std::size_t size_ = 0;
};

// Prints "omnium: TEXT" to standard error.
void print_line(const Line& line);
void print_line(const char* text);

// Ends the process at once. (The C library's _exit is interposed and would enter the runtime
// again.)
[[noreturn]] void end_process(int status);

// Ends the program with an error message, because the runtime cannot go on.
[[noreturn]] void stop_program(const char* why);

}  // namespace omnium::runtime
