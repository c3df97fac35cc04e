// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Tables for objects of the program that need more than a shadow cell: semaphores, barriers,
// annotated addresses. They have a fixed size, and are looked up by address. If there is no room,
// an old entry is dropped: dependencies are lost then, but none is invented.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

// An Object has `const void* address` (null if it is free) and `void clear()`.
template <typename Object, std::size_t kSets, std::size_t kWays = 4>
class ObjectTable {
  // Tables are zero when the program starts, without code that touches all their pages.
  static_assert(std::is_trivially_default_constructible_v<Object>);

 public:
  // The object at the address; null if there is none.
  Object* find(const void* address) {
    for (Object& object : set_of(address)) {
      if (object.address == address) return &object;
    }
    return nullptr;
  }

  // A cleared object for the address.
  Object& insert(const void* address) {
    Object* place = find(address);
    if (place == nullptr) place = find_free(address);
    place->clear();
    place->address = address;
    return *place;
  }

  Object& find_or_insert(const void* address) {
    Object* object = find(address);
    return object != nullptr ? *object : insert(address);
  }

  void forget(const void* address) {
    Object* object = find(address);
    if (object == nullptr) return;
    object->clear();
    object->address = nullptr;
  }

  void forget_range(std::uintptr_t begin, std::uintptr_t end) {
    const std::uintptr_t lines = (end - 1) / kLine - begin / kLine + 1;
    for (std::uintptr_t i = 0; i < lines && i < kSets; ++i) {
      for (Object& object : sets_[(begin / kLine + i) % kSets].objects) {
        const auto address = reinterpret_cast<std::uintptr_t>(object.address);
        if (begin <= address && address < end) forget(object.address);
      }
    }
  }

 private:
  // Addresses in one line share a set, so a range needs few sets.
  static constexpr std::uintptr_t kLine = 64;

  struct Set {
    Object objects[kWays];
    Object* begin() { return objects; }
    Object* end() { return objects + kWays; }
    std::uint32_t next_victim;
  };

  Set& set_of(const void* address) {
    return sets_[reinterpret_cast<std::uintptr_t>(address) / kLine % kSets];
  }

  Object* find_free(const void* address) {
    Set& set = set_of(address);
    for (Object& object : set) {
      if (object.address == nullptr) return &object;
    }
    return &set.objects[set.next_victim++ % kWays];
  }

  Set sets_[kSets];
};

// One lock protects all tables of interpose/.
bool enter_objects();  // false if this thread holds the lock already
void leave_objects();

class ObjectsLock {
 public:
  ObjectsLock() : taken_(enter_objects()) {}
  ~ObjectsLock() {
    if (taken_) leave_objects();
  }
  ObjectsLock(const ObjectsLock&) = delete;
  ObjectsLock& operator=(const ObjectsLock&) = delete;
  explicit operator bool() const { return taken_; }

 private:
  bool taken_;
};

// For a thread that waits for another one which is about to say what it has just done. That one may
// be interrupted in between, but needs nothing else; should it be gone for good, the wait ends.
class Patience {
 public:
  // Pauses. False if it has lasted too long.
  bool pause();

 private:
  int rounds_ = 0;
  std::int64_t until_ = 0;  // in nanoseconds
};

// An object exists at this address, so forget_objects must look there.
void note_object(const void* address);
// False if there is certainly none.
bool may_be_object(const void* address);

// The memory is freed. Is it that of an object whose last reference this thread has just dropped?
// To free that is no access, since nobody can tell who did.
bool frees_unreferenced(const void* address);

// The memory is freed, and with it every object in it.
void forget_objects(const void* address, std::size_t size);

// The part of each table in forget_objects. Called under the lock.
void forget_conditions(std::uintptr_t begin, std::uintptr_t end);
void forget_handed_mutexes(std::uintptr_t begin, std::uintptr_t end);
void forget_references(std::uintptr_t begin, std::uintptr_t end);
void forget_once_flags(std::uintptr_t begin, std::uintptr_t end);
void forget_semaphores(std::uintptr_t begin, std::uintptr_t end);
void forget_barriers(std::uintptr_t begin, std::uintptr_t end);
void forget_cxx_barriers(std::uintptr_t begin, std::uintptr_t end);
void forget_annotations(std::uintptr_t begin, std::uintptr_t end);
void forget_dependences(std::uintptr_t begin, std::uintptr_t end);
void forget_openmp_locks(std::uintptr_t begin, std::uintptr_t end);

}  // namespace omnium::runtime
