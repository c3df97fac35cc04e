// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/events/fork.h"

#include "runtime/events/blocks.h"
#include "runtime/events/events.h"
#include "runtime/online/access.h"
#include "runtime/online/reach.h"
#include "runtime/online/report.h"
#include "runtime/online/slots.h"
#include "runtime/record/record.h"
#include "runtime/schedule/point.h"
#include "runtime/shadow/ownership.h"
#include "runtime/shadow/reader_lists.h"
#include "runtime/shadow/rows.h"
#include "runtime/state/library_code.h"
#include "runtime/state/modules.h"
#include "runtime/system/channel.h"

namespace omnium::runtime {

// Takes the locks in the order in which threads do. Signals wait meanwhile, since locks are held.
void before_fork() {
  lock_registry();
  lock_owners();  // before the rows, because threads that mark may wait for the rows
  reach_lock.lock();
  rows.lock_for_fork();
  reader_lists.lock_for_fork();
  lock_modules();
  lock_channel();
  lock_library_code();
  record::lock_logs();
}

void after_fork_in_parent() {
  record::unlock_logs();
  unlock_library_code();
  unlock_channel();
  unlock_modules();
  reader_lists.unlock_after_fork();
  rows.unlock_after_fork();
  reach_lock.unlock();
  unlock_owners();
  unlock_registry();
}

void after_fork_in_child() {
  stop_points();
  after_fork_in_parent();
  if (thread_count() == 0) return;  // before the first event
  // This process has only the current thread. The others may have stopped anywhere.
  for (std::uint32_t i = 0; i < thread_count(); ++i) {
    ThreadState& thread = thread_at(i);
    if (&thread == tls_thread || thread.life == Life::kGone) continue;
    set_log(thread, nullptr);
    unlock_cells(thread);
    abandon_blocks(thread);
    give_back_thread(thread);
  }
  record::abandon();
  if (ThreadState* const self = current_thread(); self != nullptr) {
    drop_findings(*self);
    begin_anew(*self, 0);
    set_log(*self, nullptr);
  }
  announce_process();
}

}  // namespace omnium::runtime
