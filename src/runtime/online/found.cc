// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/found.h"

#include <cstring>

#include "runtime/online/finding_draft.h"
#include "runtime/system/channel.h"

// A debugger stops the program here.
extern "C" __attribute__((visibility("default"), noinline)) void __omnium_found() {
  __asm__ volatile("");  // not to be left out
}

namespace omnium::runtime {

Found found[kMostFound];
std::uint32_t found_count;

namespace {

template <std::size_t kRoom>
void copy_text(char (&to)[kRoom], const char* from) {
  std::strncpy(to, from, kRoom - 1);
  to[kRoom - 1] = '\0';
}

}  // namespace

void FindingDraft::set_name(std::uint32_t label, char (&block)[64], Pc& function) const {
  function = labels_[label].function;
  copy_text(block, function == 0 ? strings_ + labels_[label].name : "");
}

FoundEnd FindingDraft::end(std::uint32_t thread, std::uint32_t txn, Pc pc,
                           wire::Atomicity access) const {
  FoundEnd end{};
  end.pc = pc;
  end.thread = threads_[thread].number;
  end.access = access;
  copy_text(end.thread_name, strings_ + threads_[thread].name);
  if (txn < txn_count_) set_name(txns_[txn].label, end.block, end.function);
  return end;
}

void FindingDraft::shorten(Found& out) const {
  out = {};
  out.seen = &counters().seen[number_];
  out.blamed = increasing_;
  out.thread = threads_[thread_count_ - 1].number;
  out.step_count = step_count_;
  std::uint32_t blamed = 0;
  for (std::uint32_t i = 0; i < block_count_; ++i) {
    if (blocks_[i].refuted) blamed = i;
  }
  set_name(blocks_[blamed].label, out.block, out.function);
  out.pc = blocks_[blamed].begin_pc;
  const std::uint32_t first = step_count_ > Found::kSteps ? step_count_ - Found::kSteps : 0;
  for (std::uint32_t i = first; i < step_count_; ++i) {
    const wire::Step& step = steps_[i];
    FoundStep& shown = out.steps[i - first];
    shown = {step.object, static_cast<std::uint32_t>(step.kind), step.size,
             end(step.from_thread, step.from_txn, step.from_pc, step.from_access),
             end(step.to_thread, step.to_txn, step.to_pc, step.to_access)};
    // The step that closes the cycle leads back into the outermost block.
    if (i + 1 == step_count_) set_name(blocks_[0].label, shown.to.block, shown.to.function);
  }
}

void note_found(const FindingDraft& draft) {
  draft.shorten(found[found_count % kMostFound]);
  ++found_count;
  __omnium_found();
}

}  // namespace omnium::runtime
