// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// operator new and delete, so that a block is named by the line with `new`. The C++ library does
// the rest that the language demands: new handlers, bad_alloc, and programs that replace some of
// these operators and expect the others to use them.
#include <dlfcn.h>

#include <new>

#include "runtime/interpose/allocation.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

using NoThrow = const std::nothrow_t&;
using Size = std::size_t;
using Align = std::align_val_t;

OMNIUM_REAL_AS(real_new, void*(Size), "_Znwm");
OMNIUM_REAL_AS(real_new_array, void*(Size), "_Znam");
OMNIUM_REAL_AS(real_new_nothrow, void*(Size, NoThrow), "_ZnwmRKSt9nothrow_t");
OMNIUM_REAL_AS(real_new_array_nothrow, void*(Size, NoThrow), "_ZnamRKSt9nothrow_t");
OMNIUM_REAL_AS(real_new_aligned, void*(Size, Align), "_ZnwmSt11align_val_t");
OMNIUM_REAL_AS(real_new_array_aligned, void*(Size, Align), "_ZnamSt11align_val_t");
OMNIUM_REAL_AS(real_new_aligned_nothrow, void*(Size, Align, NoThrow),
               "_ZnwmSt11align_val_tRKSt9nothrow_t");
OMNIUM_REAL_AS(real_new_array_aligned_nothrow, void*(Size, Align, NoThrow),
               "_ZnamSt11align_val_tRKSt9nothrow_t");
OMNIUM_REAL_AS(real_delete_array, void(void*), "_ZdaPv");
OMNIUM_REAL_AS(real_delete_sized, void(void*, Size), "_ZdlPvm");
OMNIUM_REAL_AS(real_delete_array_sized, void(void*, Size), "_ZdaPvm");
OMNIUM_REAL_AS(real_delete_nothrow, void(void*, NoThrow), "_ZdlPvRKSt9nothrow_t");
OMNIUM_REAL_AS(real_delete_array_nothrow, void(void*, NoThrow), "_ZdaPvRKSt9nothrow_t");
OMNIUM_REAL_AS(real_delete_array_aligned, void(void*, Align), "_ZdaPvSt11align_val_t");
OMNIUM_REAL_AS(real_delete_aligned_sized, void(void*, Size, Align), "_ZdlPvmSt11align_val_t");
OMNIUM_REAL_AS(real_delete_array_aligned_sized, void(void*, Size, Align), "_ZdaPvmSt11align_val_t");
OMNIUM_REAL_AS(real_delete_aligned_nothrow, void(void*, Align, NoThrow),
               "_ZdlPvSt11align_val_tRKSt9nothrow_t");
OMNIUM_REAL_AS(real_delete_array_aligned_nothrow, void(void*, Align, NoThrow),
               "_ZdaPvSt11align_val_tRKSt9nothrow_t");

// Does the program define operators of its own? Then the array, sized and nothrow forms that it
// does not define must be those of the C++ library, which call the program's.
bool program_defines_operators = false;

}  // namespace

#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmissing-attributes"
#endif
extern "C" {
__attribute__((visibility("hidden"), alias("_Znwm"))) void* omnium_own_new(Size size);
__attribute__((visibility("hidden"), alias("_ZdlPv"))) void omnium_own_delete(void* block);
__attribute__((visibility("hidden"), alias("_ZnwmSt11align_val_t"))) void* omnium_own_new_aligned(
    Size size, Align alignment);
__attribute__((visibility("hidden"), alias("_ZdlPvSt11align_val_t"))) void
omnium_own_delete_aligned(void* block, Align alignment);
}

namespace {

template <typename Function>
bool is_meant(Function* own, const char* name) {
  return dlsym(RTLD_DEFAULT, name) == reinterpret_cast<void*>(own);
}

[[gnu::constructor(101)]] void look_for_operators() {
  program_defines_operators = !is_meant(omnium_own_new, "_Znwm") ||
                              !is_meant(omnium_own_delete, "_ZdlPv") ||
                              !is_meant(omnium_own_new_aligned, "_ZnwmSt11align_val_t") ||
                              !is_meant(omnium_own_delete_aligned, "_ZdlPvSt11align_val_t");
}

void* allocate_unless_defined(Size size, Pc pc) {
  return program_defines_operators ? nullptr : allocate(size, pc);
}

void* allocate_unless_defined(Size size, Align alignment, Pc pc) {
  if (program_defines_operators) return nullptr;
  return allocate_aligned(static_cast<Size>(alignment), size, pc);
}

template <typename Delete, typename... Arguments>
[[gnu::always_inline]] inline void free_unless_defined(Delete& real, void* block,
                                                       Arguments... arguments) {
  if (program_defines_operators) {
    real(block, arguments...);
  } else {
    free_block(block, OMNIUM_USER_PC());
  }
}

}  // namespace
}  // namespace omnium::runtime

using omnium::runtime::Align;
using omnium::runtime::NoThrow;
using omnium::runtime::Size;
namespace runtime = omnium::runtime;

// The operator of the C++ library: used if there is no memory, or if the program has its own
// operators.
#define OMNIUM_OR(block, real) \
  void* const made = block;    \
  return made != nullptr ? made : real

OMNIUM_EXPORT void* operator new(Size size) {
  OMNIUM_OR(runtime::allocate(size, OMNIUM_USER_PC()), runtime::real_new(size));
}
OMNIUM_EXPORT void* operator new(Size size, Align alignment) {
  OMNIUM_OR(runtime::allocate_aligned(static_cast<Size>(alignment), size, OMNIUM_USER_PC()),
            runtime::real_new_aligned(size, alignment));
}
OMNIUM_EXPORT void* operator new(Size size, NoThrow tag) noexcept {
  OMNIUM_OR(runtime::allocate_unless_defined(size, OMNIUM_USER_PC()),
            runtime::real_new_nothrow(size, tag));
}
OMNIUM_EXPORT void* operator new(Size size, Align alignment, NoThrow tag) noexcept {
  OMNIUM_OR(runtime::allocate_unless_defined(size, alignment, OMNIUM_USER_PC()),
            runtime::real_new_aligned_nothrow(size, alignment, tag));
}
OMNIUM_EXPORT void* operator new[](Size size) {
  OMNIUM_OR(runtime::allocate_unless_defined(size, OMNIUM_USER_PC()),
            runtime::real_new_array(size));
}
OMNIUM_EXPORT void* operator new[](Size size, NoThrow tag) noexcept {
  OMNIUM_OR(runtime::allocate_unless_defined(size, OMNIUM_USER_PC()),
            runtime::real_new_array_nothrow(size, tag));
}
OMNIUM_EXPORT void* operator new[](Size size, Align alignment) {
  OMNIUM_OR(runtime::allocate_unless_defined(size, alignment, OMNIUM_USER_PC()),
            runtime::real_new_array_aligned(size, alignment));
}
OMNIUM_EXPORT void* operator new[](Size size, Align alignment, NoThrow tag) noexcept {
  OMNIUM_OR(runtime::allocate_unless_defined(size, alignment, OMNIUM_USER_PC()),
            runtime::real_new_array_aligned_nothrow(size, alignment, tag));
}

OMNIUM_EXPORT void operator delete(void* block) noexcept {
  runtime::free_block(block, OMNIUM_USER_PC());
}
OMNIUM_EXPORT void operator delete(void* block, Align) noexcept {
  runtime::free_block(block, OMNIUM_USER_PC());
}
OMNIUM_EXPORT void operator delete(void* block, Size size) noexcept {
  runtime::free_unless_defined(runtime::real_delete_sized, block, size);
}
OMNIUM_EXPORT void operator delete(void* block, NoThrow tag) noexcept {
  runtime::free_unless_defined(runtime::real_delete_nothrow, block, tag);
}
OMNIUM_EXPORT void operator delete(void* block, Size size, Align alignment) noexcept {
  runtime::free_unless_defined(runtime::real_delete_aligned_sized, block, size, alignment);
}
OMNIUM_EXPORT void operator delete(void* block, Align alignment, NoThrow tag) noexcept {
  runtime::free_unless_defined(runtime::real_delete_aligned_nothrow, block, alignment, tag);
}
OMNIUM_EXPORT void operator delete[](void* block) noexcept {
  runtime::free_unless_defined(runtime::real_delete_array, block);
}
OMNIUM_EXPORT void operator delete[](void* block, Size size) noexcept {
  runtime::free_unless_defined(runtime::real_delete_array_sized, block, size);
}
OMNIUM_EXPORT void operator delete[](void* block, NoThrow tag) noexcept {
  runtime::free_unless_defined(runtime::real_delete_array_nothrow, block, tag);
}
OMNIUM_EXPORT void operator delete[](void* block, Align alignment) noexcept {
  runtime::free_unless_defined(runtime::real_delete_array_aligned, block, alignment);
}
OMNIUM_EXPORT void operator delete[](void* block, Size size, Align alignment) noexcept {
  runtime::free_unless_defined(runtime::real_delete_array_aligned_sized, block, size, alignment);
}
OMNIUM_EXPORT void operator delete[](void* block, Align alignment, NoThrow tag) noexcept {
  runtime::free_unless_defined(runtime::real_delete_array_aligned_nothrow, block, alignment, tag);
}
