// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that says how the objects that it uses are called: it is compiled with the compilers'
// instrumentation, and has callbacks of its own.
//
//   bias ADDRESS
//   access RETURN-ADDRESS SIZE WRITE NAME
//   block RETURN-ADDRESS SIZE OFFSET NAME
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#define PLAIN __attribute__((no_sanitize("thread"), noinline))

extern "C" const char __ehdr_start[];

static const char* expected = nullptr;  // the name of what is accessed next
static const char* in_block = nullptr;  // the name of what lies in the next block
static std::size_t offset_in_block = 0;

PLAIN static void is(const char* name) {
  expected = name;
  __asm__ volatile("" ::: "memory");
}
PLAIN static void holds(const char* name, std::size_t offset) {
  in_block = name;
  offset_in_block = offset;
  __asm__ volatile("" ::: "memory");
}

PLAIN static void said(const void* pc, unsigned size, int write) {
  if (expected != nullptr) std::printf("access %p %u %d %s\n", pc, size, write, expected);
}
#define ACCESS(size)                                  \
  extern "C" PLAIN void __tsan_read##size(void*) {    \
    said(__builtin_return_address(0), size, 0);       \
  }                                                   \
  extern "C" PLAIN void __tsan_write##size(void*) {   \
    said(__builtin_return_address(0), size, 1);       \
  }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
extern "C" PLAIN void __tsan_unaligned_read8(void*) {}
extern "C" PLAIN void __tsan_unaligned_write8(void*) {}
extern "C" PLAIN void __tsan_unaligned_read16(void*) {}
extern "C" PLAIN void __tsan_unaligned_write16(void*) {}
extern "C" PLAIN void __tsan_init() {}
extern "C" PLAIN void __tsan_func_entry(void*) {}
extern "C" PLAIN void __tsan_func_exit() {}
extern "C" PLAIN void __tsan_vptr_update(void**, void*) {}
extern "C" PLAIN void __tsan_read_range(void*, unsigned long) {}
extern "C" PLAIN void __tsan_write_range(void*, unsigned long) {}

PLAIN static void* allocated(std::size_t size, const void* pc) {
  if (in_block != nullptr) {
    std::printf("block %p %zu %zu %s\n", pc, size, offset_in_block, in_block);
  }
  in_block = nullptr;
  return std::malloc(size);
}
PLAIN void* operator new(std::size_t size) { return allocated(size, __builtin_return_address(0)); }
PLAIN void* operator new[](std::size_t size) {
  return allocated(size, __builtin_return_address(0));
}
extern "C" PLAIN void* my_malloc(std::size_t size) {
  return allocated(size, __builtin_return_address(0));
}
#define malloc(size) my_malloc(size)
PLAIN void operator delete(void* block) noexcept { std::free(block); }
PLAIN void operator delete(void* block, std::size_t) noexcept { std::free(block); }
PLAIN void operator delete[](void* block) noexcept { std::free(block); }
PLAIN void operator delete[](void* block, std::size_t) noexcept { std::free(block); }


struct Point {
  int x = 0, y = 0;
};
struct Base {
  long version = 0;
};
template <class T>
struct Box : Base {
  T content{};
  Point points[3];
  std::array<short, 4> small{};
  union {
    float ratio;
    int bits;
  };
  struct {
    long in = 0, out = 0;
  } traffic;
  Point* place = nullptr;
  std::vector<Point> list;

  __attribute__((noinline)) void use(Box& other, int i);
};

volatile long sink;

template <class T>
void Box<T>::use(Box& other, int i) {
  is("Box::content");
  content = 3;
  is("Base::version");
  this->version = 4;
  is("Point::y");
  other.points[i].y = 5;
  is("Box::small[]");
  small[i] = 6;
  is("Box::ratio");
  ratio = 7;
  is("Box::traffic.out");
  other.traffic.out = 8;
  is(nullptr);
  Point* const to = other.place;
  is("Point::x");
  to->x = 9;
  is(nullptr);
}

__attribute__((noinline)) static void add(long& total, long* next, int i) {
  is("total in add");
  total = i;
  is("*next in add");
  *next = i;
  is("next[] in add");
  next[i] = i;
  is(nullptr);
}

struct Table {
  Point** places = nullptr;
  int* counts = nullptr;
  char* bytes = nullptr;

  __attribute__((noinline)) void grow(unsigned size) {
    holds("Table::places[2]", 16);
    Point** more_places = new Point*[size];
    holds("Table::counts[1]", 4);
    int* more_counts = new int[size]{};
    holds("more_bytes[1] in Table::grow", 1);
    char* more_bytes = new char[size];
    holds("other[2] in Table::grow", 8);
    int* other = new int[size];
    holds(nullptr, 0);
    for (unsigned i = 1; i < size; ++i) other[i] = more_counts[i - 1];
    delete[] counts;
    places = more_places;
    counts = more_counts;
    bytes = more_bytes;
    delete[] other;
  }
};
static Table table;

struct Node {
  Node* next;
  int value;
};
static Node* head;

static Box<int> one, two;
static long numbers[4];

int main() {
  std::printf("bias %p\n", static_cast<const void*>(__ehdr_start));
  Point place;
  two.place = &place;
  one.use(two, 1);
  add(numbers[0], numbers, 2);
  table.grow(7);
  holds("Node::value", 8);
  head = new Node{};
  holds("Point[2].y", 20);
  Point* points = new Point[5];
  holds("Node::value", 8);
  Node* second = (Node*)malloc(sizeof(Node));
  holds("Point[1].x", 8);
  Point* more = static_cast<Point*>(malloc(2 * sizeof *more));
  holds("*number in main", 0);
  long* number = new long(3);
  holds("Node::value", 8);
  auto owned = std::make_unique<Node>();
  holds("Point[0].y", 4);
  one.list.reserve(1);
  holds(nullptr, 0);
  sink = reinterpret_cast<long>(points) + reinterpret_cast<long>(more) + *number +
         reinterpret_cast<long>(second) + owned->value;
}
