// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The references that std::shared_ptr and std::weak_ptr count, through the header that stands
// before <bits/shared_ptr_base.h>.
#include "runtime/events/events.h"
#include "runtime/interpose/objects.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

struct References {
  const void* address;    // of the count
  std::uint64_t dropped;  // so far
  void clear() { dropped = 0; }
};
ObjectTable<References, 1 << 12> references;

// The count whose last reference the thread has dropped, until the thread frees it.
thread_local const void* tls_unreferenced __attribute__((tls_model("initial-exec"))) = nullptr;

}  // namespace

// libstdc++ keeps the counts behind the first pointer of the block. The next block at this address
// is another one.
bool frees_unreferenced(const void* address) {
  constexpr std::uintptr_t kCountsEnd = sizeof(void*) + 2 * sizeof(int);
  const auto count = reinterpret_cast<std::uintptr_t>(tls_unreferenced);
  const bool frees = count - reinterpret_cast<std::uintptr_t>(address) < kCountsEnd;
  if (frees) tls_unreferenced = nullptr;
  return frees || destroys_unreferenced();
}

void forget_references(std::uintptr_t begin, std::uintptr_t end) {
  references.forget_range(begin, end);
}

OMNIUM_INTERPOSE void __omnium_reference_dropping(const void* count) {
  tls_unreferenced = nullptr;  // weak pointers keep the counts of what it was
  if (!records_for_predictions()) return;
  const ObjectsLock lock;
  if (!lock) return;
  note_object(count);
  reference_dropped(references.find_or_insert(count).dropped, count, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE void __omnium_last_reference_dropped(const void* count) {
  tls_unreferenced = count;
  if (!records_for_predictions() || !may_be_object(count)) return;
  const ObjectsLock lock;
  if (!lock) return;
  References* const found = references.find(count);
  if (found == nullptr) return;
  last_reference_dropped(found->dropped, count, OMNIUM_USER_PC());
  references.forget(count);
}

OMNIUM_INTERPOSE void __omnium_destruction_begins() { destruction_begins(); }
OMNIUM_INTERPOSE void __omnium_destruction_ends() { destruction_ends(); }

}  // namespace omnium::runtime
