// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The pools of <memory_resource>. They are in libstdc++, where nobody sees how memory changes
// hands: what a pool gives out again is another object. (Their blocks are parts of larger ones,
// which `new` has allocated and which have names.)
#include "runtime/interpose/allocation.h"
#include "runtime/interpose/objects.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

using Size = std::size_t;

OMNIUM_REAL_AS(real_allocate, void*(void*, Size, Size),
               "_ZNSt3pmr26synchronized_pool_resource11do_allocateEmm");
OMNIUM_REAL_AS(real_deallocate, void(void*, void*, Size, Size),
               "_ZNSt3pmr26synchronized_pool_resource13do_deallocateEPvmm");
OMNIUM_REAL_AS(real_allocate_alone, void*(void*, Size, Size),
               "_ZNSt3pmr28unsynchronized_pool_resource11do_allocateEmm");
OMNIUM_REAL_AS(real_deallocate_alone, void(void*, void*, Size, Size),
               "_ZNSt3pmr28unsynchronized_pool_resource13do_deallocateEPvmm");

void* given_out(void* block, Size size) {
  forget_range(block, size);
  return block;
}

void taken_back(void* block, Size size, Pc pc) {
  if (size >= kLargeFree) return;  // from `new`, and goes back there
  free_range(block, size, pc);
  forget_objects(block, size);
}

}  // namespace

OMNIUM_INTERPOSE void* _ZNSt3pmr26synchronized_pool_resource11do_allocateEmm(void* pool, Size size,
                                                                            Size alignment) {
  return given_out(real_allocate(pool, size, alignment), size);
}
OMNIUM_INTERPOSE void _ZNSt3pmr26synchronized_pool_resource13do_deallocateEPvmm(void* pool,
                                                                                void* block,
                                                                                Size size,
                                                                                Size alignment) {
  taken_back(block, size, OMNIUM_USER_PC());
  real_deallocate(pool, block, size, alignment);
}
OMNIUM_INTERPOSE void* _ZNSt3pmr28unsynchronized_pool_resource11do_allocateEmm(void* pool,
                                                                              Size size,
                                                                              Size alignment) {
  return given_out(real_allocate_alone(pool, size, alignment), size);
}
OMNIUM_INTERPOSE void _ZNSt3pmr28unsynchronized_pool_resource13do_deallocateEPvmm(void* pool,
                                                                                  void* block,
                                                                                  Size size,
                                                                                  Size alignment) {
  taken_back(block, size, OMNIUM_USER_PC());
  real_deallocate_alone(pool, block, size, alignment);
}

}  // namespace omnium::runtime
