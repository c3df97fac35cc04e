// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a thread does again in the block around a nested one is nothing new, unless a block has
// begun since, or a dependency has arrived.
//
// expect: asker (with helper), torn update on request and shown
// expect: second asker (with second helper), torn update on second_request and second_shown
// expect: after empty (with changer of value), unrepeatable read on value
// expect: middle (with changer of depth), unrepeatable read on depth
// expect: around (with changer of head), unrepeatable read on word.head
#include <atomic>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

volatile int request, shown, second_shown, value, depth;
std::atomic<int> second_request;
struct alignas(4) {
  volatile char head, tail;
} word;

template <typename First, typename Second>
void together(First one, Second other) {
  turns_taken = 0;
  std::thread first(one), second(other);
  first.join();
  second.join();
}

// The dependency arrives in the nested block, so the second read of `shown` is another event than
// the first.
void arrives_in_a_nested_block() {
  together(
      [] {
        OMNIUM_ATOMIC("asker");
        request = 1;
        turn(1);
        turn(4);
        shown = 1;
      },
      [] {
        OMNIUM_ATOMIC("helper");
        (void)shown;
        turn(2);
        {
          OMNIUM_ATOMIC("nested");
          (void)request;
        }
        (void)shown;
        turn(3);
      });
}

// The dependency arrives at a time that nobody has seen, because a block began and did nothing. (A
// plain read is about to show its time, so that one advances.)
void arrives_at_a_new_time() {
  together(
      [] {
        OMNIUM_ATOMIC("second asker");
        second_request.store(1);
        turn(1);
        turn(4);
        second_shown = 1;
      },
      [] {
        OMNIUM_ATOMIC("second helper");
        (void)second_shown;
        turn(2);
        { OMNIUM_ATOMIC("nothing"); }
        second_request.load();
        (void)second_shown;
        turn(3);
      });
}

// The block begins at a time that nobody has seen.
void begins_at_a_new_time() {
  together(
      [] {
        OMNIUM_ATOMIC("before empty");
        (void)value;
        { OMNIUM_ATOMIC("empty"); }
        OMNIUM_ATOMIC("after empty");
        (void)value;
        turn(1);
        turn(4);
        (void)value;
      },
      [] {
        OMNIUM_ATOMIC("changer of value");
        turn(2);
        value = 1;
        turn(3);
      });
}

// The innermost block has ended; the one around it goes on, and not the outermost one.
void goes_on_in_the_middle() {
  together(
      [] {
        OMNIUM_ATOMIC("outermost");
        (void)depth;
        OMNIUM_ATOMIC("middle");
        { OMNIUM_ATOMIC("innermost"); }
        (void)depth;
        turn(1);
        turn(4);
        (void)depth;
      },
      [] {
        OMNIUM_ATOMIC("changer of depth");
        turn(2);
        depth = 1;
        turn(3);
      });
}

// The nested block reads another byte of the word, so it does not read the first one twice.
void other_bytes_keep_their_time() {
  together(
      [] {
        OMNIUM_ATOMIC("around");
        (void)word.head;
        OMNIUM_ATOMIC("inside");
        (void)word.tail;
        turn(1);
        turn(4);
        (void)word.head;
      },
      [] {
        OMNIUM_ATOMIC("changer of head");
        turn(2);
        word.head = 1;
        turn(3);
      });
}

int main() {
  arrives_in_a_nested_block();
  arrives_at_a_new_time();
  begins_at_a_new_time();
  goes_on_in_the_middle();
  other_bytes_keep_their_time();
}
