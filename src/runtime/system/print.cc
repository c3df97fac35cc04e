// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/system/print.h"

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>

namespace omnium::runtime {

Line& Line::operator<<(const char* text) {
  while (*text != '\0' && size_ < sizeof(text_)) text_[size_++] = *text++;
  return *this;
}

Line& Line::operator<<(std::uint64_t number) {
  char digits[21] = {};
  char* first = digits + 20;
  do {
    *--first = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return *this << first;
}

void print_line(const Line& line) {
  char prefix[] = "omnium: ", end[] = "\n";
  iovec parts[] = {
      {prefix, sizeof(prefix) - 1}, {const_cast<char*>(line.data()), line.size()}, {end, 1}};
  syscall(SYS_writev, STDERR_FILENO, parts, 3);
}

void print_line(const char* text) { print_line(Line() << text); }

void end_process(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

void stop_program(const char* why) {
  print_line(Line() << "error: " << why);
  end_process(2);
}

}  // namespace omnium::runtime
