// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/events/functions.h"

#include "runtime/events/access.h"
#include "runtime/events/blocks.h"
#include "runtime/events/events.h"
#include "runtime/events/specification.h"
#include "runtime/online/report.h"
#include "runtime/record/record.h"
#include "runtime/state/refuted_functions.h"
#include "runtime/state/stack.h"
#include "runtime/state/waiting_signals.h"
#include "runtime/system/options.h"

namespace omnium::runtime {

void note_call(ThreadState& thread, Pc site) {
  if (thread.marks_used == 0 || thread.marks_used > kMaxMarks) return;
  const Mark& caller = thread.marks[thread.marks_used - 1];
  if (!caller.at_risk || !caller.own) return;
  const bool looped = thread.body_callee_sites.repeated();
  thread.body_callee_sites.add(site);
  if (!looped && thread.body_callee_sites.repeated() && thread.log != nullptr) {
    record::body_call_is(*thread.log, wire::RawBodyCallFact::kLoops);
  }
}

namespace {

// If all functions are blocks, what is the one that the thread enters? The first function of the
// program in a thread is its body (main, a lambda), and not a block. If the body calls only one
// function, and that loops, it does the body's work, and is not a block either: nobody can know
// before the body calls another one or ends. What comes after the body is another one: the
// destructor of what the thread was started with.
void classify(ThreadState& thread, Mark& mark, Pc call_site) {
  note_call(thread, call_site);
  if (!mark.own) return;
  if (thread.own_depth == 0) {
    mark.atomic = false;
    settle_held_findings(thread);
    thread.body_calls = 0;
    if (thread.log != nullptr) record::body_begins(*thread.log);
  } else if (thread.own_depth == 1) {
    mark.at_risk = ++thread.body_calls == 1;
    if (mark.at_risk) {
      thread.body_callee = mark.function;
      thread.body_callee_sites.clear();
    }
    if (thread.body_calls == 2) {
      release_findings(thread);
      if (thread.log != nullptr) {
        record::body_call_is(*thread.log, wire::RawBodyCallFact::kIsNotAlone);
      }
    }
  }
  // If a block is around it, one that was dropped shows whether that is refuted by itself.
  const bool is_outermost = thread.depth.load(std::memory_order_relaxed) == 0;
  if (options.refines && is_outermost && is_dropped(mark.function)) mark.atomic = false;
  if (mark.at_risk && mark.atomic && thread.log != nullptr) {
    record::body_calls(*thread.log, mark.function);
  }
}

}  // namespace

void enter_function(Pc code, const void* frame, Pc call_site) {
  const FoundFunction found = find_function(code);
  const bool all = options.block_mode == Blocks::kFunctions;
  if (found.block == 0 && !all) return;
  const Inside inside;
  if (!inside) return;
  Mark mark{.kind = Mark::Kind::kFunction,
            .atomic = found.block != 0,
            .own = all && !found.library,
            .function = found.block,
            .frame = frame,
            .pc = code};
  if (all) classify(inside.thread(), mark, call_site);
  push_block(inside.thread(), mark);
}

void leave_function(Pc code, Stack frame, Pc pc) {
  const Pc function = find_function(code).block;
  const Inside inside;
  if (!inside) return;
  ThreadState& thread = inside.thread();
  if (is_coroutine_code(code)) pop_coroutine(thread, with_arguments(frame), pc);
  if (options.block_mode == Blocks::kFunctions) {
    return options.sections_are_blocks ? pop_latest_function(thread, pc) : pop_mark(thread, pc);
  }
  if (function != 0) pop_function(thread, function, pc);
}

void unwind_to(const void* frame) {
  // A handler that could not wait leaves the runtime. (A program's function that the runtime calls
  // is called under a lock.)
  if (tls_gate.closed == 0 && is_inside_runtime()) abandon_event();
  const void* const here = __builtin_frame_address(0);
  Stack left;
  {
    const Inside inside;
    if (!inside) return;
    pop_left_frames(inside.thread(), here, frame);
    left = stack_around(inside.thread(), here);
    left.begin = reinterpret_cast<std::uintptr_t>(here);
    if (left.contains(frame)) {
      left.end = reinterpret_cast<std::uintptr_t>(frame);
    } else if (!signal_stack().contains(here)) {
      return;  // a fiber may go on later
    }
  }
  forget_frame(left);
}

}  // namespace omnium::runtime
