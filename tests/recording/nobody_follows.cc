// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The recorder asks for the program's threads if somebody reads its log while it is written. Here
// nobody does: what the recorder would ask is not part of this test program.
#include <cstdlib>

#include "runtime/shadow/ownership.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

constinit thread_local ThreadState* tls_thread = nullptr;
std::atomic<void (*)()> wait_outside{nullptr};

ThreadState& thread_at(std::uint32_t) { std::abort(); }
std::uint32_t thread_count() { std::abort(); }
bool order_all_threads() { std::abort(); }

}  // namespace omnium::runtime
