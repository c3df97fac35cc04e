// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/lock_wrappers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <dwarf.h>

namespace omnium::symbols {

namespace {

enum class Operation { kTakes, kGivesBack, kWaits };

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Of the C library.
std::optional<Operation> c_operation(std::string_view function) {
  constexpr std::array kLocks{"pthread_mutex_", "pthread_rwlock_", "pthread_spin_", "mtx_"};
  constexpr std::array kConditions{"pthread_cond_", "cnd_"};
  const auto starts = [&](std::string_view prefix) { return function.starts_with(prefix); };
  if (std::ranges::any_of(kConditions, starts) && has(function, "wait")) return Operation::kWaits;
  if (!std::ranges::any_of(kLocks, starts) || !has(function, "lock")) return std::nullopt;
  return has(function, "unlock") ? Operation::kGivesBack : Operation::kTakes;
}

// Of a method of the C++ library that was not inlined, as the linker knows it.
std::optional<Operation> cxx_operation(std::string_view method) {
  constexpr std::array kGuards{"10lock_guard", "11unique_lock", "11scoped_lock", "11shared_lock"};
  if (!method.starts_with("_ZNSt")) return std::nullopt;
  if (has(method, "condition_variable")) {
    return has(method, "wait") ? std::optional(Operation::kWaits) : std::nullopt;
  }
  if (has(method, "6unlock") || has(method, "13unlock_shared")) return Operation::kGivesBack;
  if (std::ranges::any_of(kGuards, [&](std::string_view it) { return has(method, it); })) {
    if (has(method, "D1Ev") || has(method, "D2Ev")) return Operation::kGivesBack;
    const bool later = has(method, "adopt_lock") || has(method, "defer_lock");
    if ((has(method, "C1E") || has(method, "C2E")) && !later) return Operation::kTakes;
  } else if (!has(method, "mutex")) {
    return std::nullopt;
  }
  const bool takes = has(method, "4lock") || has(method, "try_lock") || has(method, "lock_shared");
  return takes ? std::optional(Operation::kTakes) : std::nullopt;
}

std::optional<Operation> operation_of(std::string_view function) {
  const auto of_c = c_operation(function);
  return of_c ? of_c : cxx_operation(function);
}

struct LockCall {
  Dwarf_Addr return_address;
  Operation operation;
};

// The operations of locks in the function, and in what is inlined into it.
std::vector<LockCall> lock_calls(Binary& binary, Dwarf_Die& function) {
  std::vector<LockCall> out;
  Dwarf_Addr base, low, high;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&function, at, &base, &low, &high)) > 0;) {
    binary.visit_calls(low, high, [&](Dwarf_Addr return_address, std::string_view callee) {
      if (const auto operation = operation_of(callee)) out.push_back({return_address, *operation});
    });
  }
  return out;
}

}  // namespace

std::size_t lock_wrappers(Binary& binary, Dwarf_Addr return_address) {
  std::size_t count = 0;
  Binary::Code code = binary.code(return_address - 1);
  for (CodeFrame& frame : code.frames) {
    if (dwarf_tag(&frame.function) != DW_TAG_inlined_subroutine) break;
    const std::vector<LockCall> calls = lock_calls(binary, frame.function);
    const auto call = std::ranges::find(calls, return_address, &LockCall::return_address);
    if (call == calls.end()) break;
    const auto other = [&](const LockCall& it) { return it.operation != call->operation; };
    if (std::ranges::any_of(calls, other)) break;
    ++count;
  }
  return count;
}

}  // namespace omnium::symbols
