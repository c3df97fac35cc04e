// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The handlers of signals, and the threads that may be cancelled at any time.
#pragma once

namespace omnium::runtime {

// Around a fork.
void lock_signal_handlers();
void unlock_signal_handlers();
void lock_cancellation();
void unlock_cancellation();
void keep_only_this_thread();  // in the child, under the lock

}  // namespace omnium::runtime
