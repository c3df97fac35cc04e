// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The start of the process, loaded modules, and entry and exit of functions.
#include "runtime/abi/exported.h"
#include "runtime/events/access.h"
#include "runtime/events/events.h"
#include "runtime/system/environment.h"
#include "runtime/system/fork_server.h"
#include "wire/inlined.h"

using omnium::runtime::Pc;

namespace {

// Runs before all other constructors (the library is linked with -z initfirst, and its other ones
// come later in the library).
__attribute__((constructor(101))) void start(int, char**, char** variables) {
  omnium::runtime::serve_forks(variables);
  omnium::runtime::set_environment(variables);
  omnium::runtime::process_starts();
}

}  // namespace

OMNIUM_EXPORTED void __tsan_init() { omnium::runtime::process_starts(); }

OMNIUM_EXPORTED void __omnium_module_loaded(const void* begin, const void* end) {
  omnium::runtime::process_starts();
  omnium::runtime::module_loaded(reinterpret_cast<Pc>(begin), reinterpret_cast<Pc>(end));
}

namespace {

[[gnu::noinline]] void meet_unknown_thread(Pc code) {
  const auto meet = omnium::runtime::on_unknown_thread.load(std::memory_order_relaxed);
  if (meet != nullptr) meet(code);
}

[[gnu::always_inline]] inline void meet_if_unknown(Pc code) {
  if (omnium::runtime::tls_thread == &omnium::runtime::nobody) [[unlikely]]
    meet_unknown_thread(code);
}

[[gnu::always_inline]] inline void entering(Pc code, const void* own_frame, const void* call_site) {
  using namespace omnium::runtime;
  meet_if_unknown(code);
  if (!functions_matter.load(std::memory_order_relaxed)) return;
  enter_function(code, own_frame, reinterpret_cast<Pc>(call_site));
}
[[gnu::always_inline]] inline void leaving(Pc code, const void* own_frame, Pc call_site) {
  using namespace omnium::runtime;
  if (!functions_matter.load(std::memory_order_relaxed)) return;
  leave_function(code, caller_frame(own_frame), call_site);
}

}  // namespace

OMNIUM_EXPORTED void __cyg_profile_func_enter(void* function, void* call_site) {
  entering(reinterpret_cast<Pc>(function) + 1, __builtin_frame_address(0), call_site);
}
// The function has at most one access, so it is no block (src/assembler/single_access.h).
OMNIUM_EXPORTED void __omnium_entered(const void* function) __asm__(OMNIUM_INLINED_ENTERED);
void __omnium_entered(const void* function) {
  meet_if_unknown(reinterpret_cast<Pc>(function) + 1);
}
OMNIUM_EXPORTED void __cyg_profile_func_exit(void* function, void* call_site) {
  leaving(reinterpret_cast<Pc>(function) + 1, __builtin_frame_address(0),
          reinterpret_cast<Pc>(call_site));
}

// The compilers' usual hooks, which only functions that were not inlined call: each has a frame of
// its own.
OMNIUM_EXPORTED void __tsan_func_entry(void* call_site) {
  entering(OMNIUM_CALLER_PC(), __builtin_frame_address(0), call_site);
}
OMNIUM_EXPORTED void __tsan_func_exit() {
  omnium::runtime::leave_frame(omnium::runtime::caller_frame(__builtin_frame_address(0)));
  leaving(OMNIUM_CALLER_PC(), __builtin_frame_address(0), OMNIUM_CALLER_PC());
}
