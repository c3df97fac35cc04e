// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The start of the process, loaded modules, and entry and exit of functions.
#include "runtime/abi/exported.h"
#include "runtime/events/events.h"
#include "runtime/system/environment.h"

using omnium::runtime::Pc;

namespace {

// Runs before all other constructors (the library is linked with -z initfirst).
__attribute__((constructor(101))) void start(int, char**, char** variables) {
  omnium::runtime::set_environment(variables);
  omnium::runtime::process_starts();
}

}  // namespace

OMNIUM_EXPORTED void __tsan_init() { omnium::runtime::process_starts(); }

OMNIUM_EXPORTED void __omnium_module_loaded(const void* begin, const void* end) {
  omnium::runtime::process_starts();
  omnium::runtime::module_loaded(reinterpret_cast<Pc>(begin), reinterpret_cast<Pc>(end));
}

OMNIUM_EXPORTED void __cyg_profile_func_enter(void* function, void* call_site) {
  omnium::runtime::enter_function(reinterpret_cast<Pc>(function), __builtin_frame_address(0),
                                  reinterpret_cast<Pc>(call_site));
}
OMNIUM_EXPORTED void __cyg_profile_func_exit(void* function, void* call_site) {
  omnium::runtime::leave_function(reinterpret_cast<Pc>(function), reinterpret_cast<Pc>(call_site));
}

// The compilers' usual hooks, which only functions that were not inlined call.
OMNIUM_EXPORTED void __tsan_func_entry(void* call_site) {
  omnium::runtime::enter_function(OMNIUM_CALLER_PC(), __builtin_frame_address(0),
                                  reinterpret_cast<Pc>(call_site));
}
OMNIUM_EXPORTED void __tsan_func_exit() {
  omnium::runtime::leave_function(OMNIUM_CALLER_PC(), OMNIUM_CALLER_PC());
}
