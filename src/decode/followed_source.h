// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The events of a program while it runs. read() waits for them. The last ones are kept, so that a
// finding can be looked at again.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "decode/followed_log.h"
#include "decode/lowering.h"
#include "event/source.h"

namespace omnium::decode {

class FollowedSource final : public EventSource {
 public:
  static constexpr std::size_t kKept = std::size_t{1} << 20;  // events: 12 MB

  // The log has begun. `over` becomes true when the program has ended.
  FollowedSource(std::unique_ptr<FollowedLog> log, const std::atomic<bool>& over);

  Result<std::size_t> read(std::span<Event> out) override;
  const Names& names() const override { return lowering_.names(); }
  Position position_of(std::size_t) const override { return {log_->name()}; }
  // Only to events that are still kept.
  Result<EventIndex> seek(EventIndex target) override;
  void want_locations(bool) override {}  // they are always there
  bool is_well_formed() const override { return true; }
  std::vector<std::string> warnings() const override;

  // Is something not known that the whole log would tell?
  // Nobody reads on; the program goes on without being checked.
  void leave() { log_->leave(); }
  bool is_complete() const { return lowering_.lost() == 0 && log_->why_cut().empty(); }

 private:
  Result<bool> wait_for_more();
  std::size_t hand_out(std::span<const Event> events, std::span<Event> out);

  std::unique_ptr<FollowedLog> log_;
  const std::atomic<bool>& over_;
  Lowering lowering_;
  EventBuffer ready_;
  std::size_t next_ready_ = 0;
  std::vector<Event> kept_;  // by index modulo kKept
  EventIndex end_ = 0;       // events that were handed out
  EventIndex next_ = 0;      // the next one to read
};

}  // namespace omnium::decode
