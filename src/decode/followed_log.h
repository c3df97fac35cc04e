// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A raw log that is read while the program writes it (docs/runtime/following.md): the records of
// all threads in one order, as far as the program has said that the log is complete. Blocks that
// were read are given back to the file system, so the file never has much in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "decode/merge.h"
#include "support/descriptor.h"
#include "support/error.h"
#include "wire/raw_log.h"

namespace omnium::decode {

class FollowedLog {
 public:
  // Opens the log of a process, which may still be empty.
  static Result<std::unique_ptr<FollowedLog>> open(const std::string& path);
  ~FollowedLog();
  FollowedLog(const FollowedLog&) = delete;
  FollowedLog& operator=(const FollowedLog&) = delete;

  // Has the program begun to write it? Nothing else may be called before.
  bool has_begun();
  // Reads what is complete now; `over`: the process has ended, so that is everything. False if
  // nothing is new.
  Result<bool> look(bool over);
  // Asks the program to say how far the log is complete.
  void ask();
  // Nobody reads on: the program stops writing, and does not wait for a reader any more.
  void leave();
  // Calls take(record) for the next records that look() has found, until it returns false or no
  // records are left.
  template <class Take>
  Result<void> read(Take take);
  // The texts that look() has found since the last call.
  std::vector<Text> take_texts() { return std::move(texts_); }

  wire::RawKeeps keeps() const { return static_cast<wire::RawKeeps>(header_->keeps); }
  bool takes_undeclared() const { return header_->takes_undeclared != 0; }
  // Why the end of the run is missing; empty if it is not.
  std::string why_cut() const;
  const std::string& name() const { return name_; }

 private:
  struct Ready {
    std::uint64_t clock;
    MergedRecord record;
  };
  struct Thread {
    std::uint32_t number = 0, index = 0;
    std::uint64_t sequence = 0;         // of the block that is being read
    std::uint32_t next = 0;             // its first record that was not read
    std::uint32_t texts_until = 0;      // its texts before this record were found
    std::uint64_t clock = 0, operand = 0;  // after the records that were read
    std::vector<Ready> ready;
    std::size_t next_ready = 0;
    bool has_ended = false;
  };
  struct Turn {
    std::uint64_t clock;
    std::uint32_t index;
    Thread* thread;
    bool operator>(const Turn& other) const {
      return clock != other.clock ? clock > other.clock : index > other.index;
    }
  };

  FollowedLog(std::string name, support::Descriptor file, wire::RawHeader* header)
      : name_(std::move(name)), file_(std::move(file)), header_(header) {}
  Result<void> find_blocks();
  Result<void> find_pieces();
  Result<bool> take_piece(std::uint64_t offset);
  Result<void> find_slots();
  Result<void> read_thread(Thread& thread, std::uint64_t limit);
  Result<bool> read_sealed(Thread& thread, std::uint64_t offset, std::uint64_t limit);
  Result<bool> read_open(Thread& thread, std::uint64_t offset, std::uint64_t limit);
  bool take_records(Thread& thread, std::span<const wire::RawRecord> records, std::uint64_t limit);
  std::size_t take_event(Thread& thread, std::span<const wire::RawRecord> behind,
                         const wire::RawRecord& record, std::uint64_t clock,
                         std::uint64_t operand);
  void take_text(const Thread& thread, const wire::RawRecord& record);
  void give_back(std::uint64_t offset);
  Thread& thread_with(std::uint32_t number);
  void queue(Thread& thread);
  Result<std::size_t> read_at(std::uint64_t offset, void* bytes, std::size_t size) const;
  std::uint64_t end_clock() const;

  std::string name_;
  support::Descriptor file_;
  wire::RawHeader* header_;                               // mapped
  std::uint64_t next_piece_ = wire::kRawPieceBytes;       // offset
  std::vector<std::uint64_t> unknown_;                    // pieces that were not begun yet
  std::vector<std::uint64_t> open_pieces_;                // that threads fill, one after the other
  std::map<std::uint32_t, std::uint64_t> open_piece_of_;  // by thread
  std::map<std::uint32_t, std::map<std::uint64_t, std::uint64_t>> sealed_;  // thread, sequence
  std::map<std::uint32_t, std::unique_ptr<Thread>> threads_;
  std::set<std::uint32_t> ended_;  // threads that may still be named by the piece that they filled
  std::uint32_t next_index_ = 0;
  std::vector<Turn> turns_;  // a heap of the threads with records that are ready
  std::vector<Text> texts_;
  std::vector<wire::RawRecord> buffer_;
  std::uint64_t limit_ = 0;
  bool over_ = false;
};

template <class Take>
Result<void> FollowedLog::read(Take take) {
  while (!turns_.empty()) {
    std::pop_heap(turns_.begin(), turns_.end(), std::greater<>());
    Thread& thread = *turns_.back().thread;
    turns_.pop_back();
    bool wanted = true;
    while (wanted && thread.next_ready < thread.ready.size()) {
      const Ready& ready = thread.ready[thread.next_ready];
      if (!turns_.empty() && Turn{ready.clock, thread.index, &thread} > turns_.front()) break;
      ++thread.next_ready;
      wanted = take(ready.record);
    }
    queue(thread);
    if (!wanted) return {};
  }
  return {};
}

}  // namespace omnium::decode
