// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What functions of the C library read and write for the program are its accesses: no more and no
// less. Each block looks twice at a byte, and in between another thread calls such a function.
//
// expect: read (with interfere#2), unrepeatable read on target[3]
// expect: fread (with interfere#2), unrepeatable read on target[3]
// expect: fgets (with interfere#2), unrepeatable read on target[3]
// expect: recv (with interfere#2), unrepeatable read on target[3]
// expect: strcpy (with interfere#2), unrepeatable read on target[3]
// expect: strncpy (with interfere#2), unrepeatable read on target[9]
// expect: strcat (with interfere#2), unrepeatable read on target[6]
// expect: sprintf (with interfere#2), unrepeatable read on target[4]
// expect: snprintf (with interfere#2), unrepeatable read on target[3]
// expect: qsort (with interfere#2), unrepeatable read on target[3]
// expect: write (with interfere#2), dirty read on target[3]
// expect: strcpy from it (with interfere#2), dirty read on target[1]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

constexpr int kSize = 16;
char target[2 * kSize];
int pipes[2], sockets[2];
FILE* file;

int by_value(const void* a, const void* b) {
  return *static_cast<const char*>(a) - *static_cast<const char*>(b);
}

struct Case {
  const char* name;
  int place;  // of the byte that the block looks at
  void (*call)();
};
const char* volatile text = "abc";
const char longer[kSize + 1] = "abcdefghijklmnop";

// Eight bytes to read or to receive.
void provide() {
  omnium_ignore_begin();
  (void)!write(pipes[1], longer, 8);
  send(sockets[1], longer, 8, 0);
  omnium_ignore_end();
}
void read_pipe() {
  provide();
  (void)!read(pipes[0], target, kSize);
}
void receive() {
  provide();
  recv(sockets[0], target, kSize, 0);
}

const Case kReaders[] = {
    {"read", 3, read_pipe},
    {"fread", 3, [] { (void)!fread(target, 1, kSize, file); }},
    {"fgets", 3, [] { (void)!fgets(target, kSize, file); }},
    {"recv", 3, receive},
    {"strcpy", 3, [] { strcpy(target, text); }},
    {"strncpy", 9, [] { strncpy(target, text, 10); }},
    {"strcat", 6, [] { strcat(target, text); }},
    {"sprintf", 4, [] { sprintf(target, "%s %d", text, 1); }},
    {"snprintf", 3, [] { snprintf(target, 5, "%d", 123456); }},
    {"qsort", 3, [] { qsort(target, 4, 1, by_value); }},
    // What lies behind is not touched.
    {"behind what is received", 8, receive},
    {"behind the string", 8, [] { strcpy(target, text); }},
    {"behind what is printed", 8, [] { snprintf(target, kSize, "%s", text); }},
    {"behind the items", 4, [] { qsort(target, 4, 1, by_value); }},
};
const Case kWriters[] = {
    {"write", 3, [] { (void)!write(pipes[1], target, 8); }},
    {"strcpy from it", 1, [] { strcpy(target + kSize, target); }},
    {"behind what is written", 8, [] { (void)!write(pipes[1], target, 8); }},
};

volatile char seen;

void observe() {
  int turns = 0;
  for (const Case& each : kReaders) {
    omnium_begin(each.name);
    seen = target[each.place];
    turn(turns + 1);
    turn(turns + 4);
    seen = target[each.place];
    omnium_end();
    turns += 4;
  }
  for (const Case& each : kWriters) {
    omnium_begin(each.name);
    target[each.place] = 1;
    turn(turns + 1);
    turn(turns + 4);
    target[each.place] = 2;
    omnium_end();
    turns += 4;
  }
}

void prepare() {
  omnium_ignore_begin();
  memcpy(target, "abc", 4);
  rewind(file);
  omnium_ignore_end();
}

void interfere() {
  int turns = 0;
  const auto call = [&](const Case& each) {
    turn(turns + 2);
    prepare();
    each.call();
    turn(turns + 3);
    turns += 4;
  };
  for (const Case& each : kReaders) call(each);
  for (const Case& each : kWriters) call(each);
}

int main() {
  file = tmpfile();
  if (pipe(pipes) != 0 || socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets) != 0 || file == nullptr) {
    return 1;
  }
  fwrite(longer, 1, kSize, file);
  fflush(file);
  std::thread first(observe), second(interfere);
  first.join();
  second.join();
}
