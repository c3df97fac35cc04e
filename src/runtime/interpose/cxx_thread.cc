// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// std::thread: the C++ library creates the thread, but reports should name the line of the program
// that makes the std::thread.
#include "runtime/interpose/real.h"
#include "runtime/interpose/thread.h"

// std::thread::_M_start_thread(std::unique_ptr<_State>, void (*)()). A unique_ptr comes by
// reference.
#define OMNIUM_START_THREAD \
  _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE
#define OMNIUM_STRING_OF(name) #name
#define OMNIUM_NAME_OF(name) OMNIUM_STRING_OF(name)

namespace omnium::runtime {
namespace {

OMNIUM_REAL_AS(real_start_thread, void(void*, void*, void (*)()),
               OMNIUM_NAME_OF(OMNIUM_START_THREAD));

}  // namespace

OMNIUM_INTERPOSE void OMNIUM_START_THREAD(void* thread, void* state, void (*depend)()) {
  tls_asked_for_thread = OMNIUM_USER_PC();
  real_start_thread(thread, state, depend);
}

}  // namespace omnium::runtime
