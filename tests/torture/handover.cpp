// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <unistd.h>

#include <cstdlib>

#include "torture.h"

namespace torture {

void Handover::prepare(unsigned which) {
  kind = which;
  sem_init(&semaphore, 0, 0);
  if (kind == 8 && ::pipe(pipe) != 0) std::abort();
}

void Handover::give() {
  payload = 1;
  switch (kind) {
    case 0: sem_post(&semaphore); return;
    case 1: binary.release(); return;
    case 2: latch.count_down(); return;
    case 3:
      locked(mutex, [this] { ready = true; });
      changed.notify_all();
      return;
    case 4: flag.store(1, std::memory_order_release); return;
    case 5:
      flag = 1;
      flag.notify_one();
      return;
    case 6: promise.set_value(); return;
    case 7: locked(mutex, [this] { ready = true; }); return;
    default:
      if (write(pipe[1], "x", 1) != 1) std::abort();
  }
}

void Handover::take() {
  switch (kind) {
    case 0: sem_wait(&semaphore); break;
    case 1: binary.acquire(); break;
    case 2: latch.wait(); break;
    case 3: {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return ready; });
      break;
    }
    case 4:
      while (flag.load(std::memory_order_acquire) == 0) sched_yield();
      break;
    case 5: flag.wait(0); break;
    case 6: promise.get_future().wait(); break;
    case 7:
      for (bool is_ready = false; !is_ready; sched_yield()) {
        locked(mutex, [&] { is_ready = ready; });
      }
      break;
    default: {
      char byte;
      if (read(pipe[0], &byte, 1) != 1) std::abort();
      close(pipe[0]);
      close(pipe[1]);
    }
  }
  payload += 1;
}

}  // namespace torture
