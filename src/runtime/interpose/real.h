// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The real functions that ours replace.
//
//   OMNIUM_REAL(pthread_mutex_lock);
//   OMNIUM_INTERPOSE int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
//     const int result = real_pthread_mutex_lock(mutex);
//     ...
//
// All of them are looked up when the library is loaded, so that signal handlers and children of a
// fork need not do so. A call that comes earlier (from another library's constructor) looks its
// function up itself.
#pragma once

#include <atomic>

#include "runtime/events/events.h"

// OMNIUM_REAL takes only the signature from a declaration, not its attributes.
#pragma GCC diagnostic ignored "-Wignored-attributes"

#define OMNIUM_EXPORT __attribute__((visibility("default")))
#define OMNIUM_INTERPOSE extern "C" OMNIUM_EXPORT

namespace omnium::runtime {

struct RealSymbol {
  const char* name;
  std::atomic<void*> address{nullptr};

  // Looks the function up. If no library defines it, the program ends with a message.
  void* require();
};

template <typename Signature>
class Real;

template <typename Result, typename... Arguments, bool kNoexcept>
class Real<Result(Arguments...) noexcept(kNoexcept)> : public RealSymbol {
 public:
  constexpr explicit Real(const char* symbol) : RealSymbol{symbol} {}

  Result operator()(Arguments... arguments) {
    void* found = address.load(std::memory_order_relaxed);
    if (found == nullptr) [[unlikely]]
      found = require();
    return reinterpret_cast<Result (*)(Arguments...)>(found)(arguments...);
  }
};

}  // namespace omnium::runtime

// The section is an array of all RealSymbols: real.cc walks it.
#define OMNIUM_REAL_AS(variable, signature, symbol)                                              \
  [[gnu::section("omnium_real"), gnu::used]] static constinit ::omnium::runtime::Real<signature> \
      variable {                                                                                 \
    symbol                                                                                       \
  }
#define OMNIUM_REAL(name) OMNIUM_REAL_AS(real_##name, decltype(::name), #name)
