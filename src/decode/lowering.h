// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Turns records into events with ids and names. Meetings become signals, and a range becomes one
// event per variable. What a trace must not contain (a release by a thread that does not hold the
// lock) is left out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "decode/address_ids.h"
#include "decode/addresses.h"
#include "decode/body_calls.h"
#include "decode/event_buffer.h"
#include "decode/memory_map.h"
#include "decode/merge.h"
#include "decode/numbered_names.h"
#include "event/names.h"
#include "event/source.h"
#include "event/well_formed.h"

namespace omnium::decode {

// What a log says of itself.
struct LogFacts {
  wire::RawKeeps keeps = wire::RawKeeps::kShared;
  bool takes_undeclared = false;
};

class Lowering {
 public:
  explicit Lowering(LogFacts facts) : facts_(facts) {}

  // Reads the whole log once: texts, modules, and which memory threads share.
  Result<void> prepare(RawLog& log);
  // Instead, for a log that is not complete yet: all memory counts as shared.
  void prepare_live();
  // A text must be known before the first record that needs it.
  void take_text(const Text& text);
  // Adds the events of the next records, until there are `wanted` of them or no more records. They
  // come from a Merge or a FollowedLog.
  template <class Records>
  Result<void> lower(Records& records, std::size_t wanted, EventBuffer& events);
  // Starts again at the first record. Ids stay the same.
  void restart();

  void want_locations(bool wanted) { locations_wanted_ = wanted; }
  const Names& names() const { return names_; }
  std::vector<Code> codes_at(LocId location) const;
  std::uint64_t left_out() const { return left_out_; }
  // Reads that a later write of another thread does not depend on, although it should: the write
  // used a part of their bytes. Only of a log that was not complete.
  std::uint64_t lost() const { return lost_; }
  const std::set<std::string>& changed_files() const { return addresses_.changed_files(); }
  // More threads than a trace can have: the trace ends before the first that does not fit.
  bool too_many_threads() const { return too_many_threads_; }

 private:
  struct Bytes {
    std::uint64_t address;
    std::uint32_t size;
    std::uint64_t place;  // of the access
  };
  struct Thread {
    std::vector<std::uint32_t> open_labels;  // kNoBlock: of what does the work of the thread's body
    bool has_body = false;                   // its body is a block, and that was said
    std::uint64_t begun = 0;                 // blocks so far
  };

  std::uint32_t thread_id(std::uint32_t number);
  std::uint32_t other_thread(const wire::RawRecord& record);
  std::uint32_t thread_of(const MergedRecord& record);
  std::uint32_t new_thread(std::uint32_t number);
  std::uint32_t location(std::uint64_t place);
  void at(std::uint64_t place) {
    place_ = place;
    is_located_ = false;
  }
  template <class AddName>
  std::uint32_t new_variable(AddName add_name);  // calls add_name if the variable has no name yet
  std::uint32_t label(const wire::RawRecord& record);
  std::uint32_t lock(const wire::RawRecord& record);
  std::uint32_t variable_of(std::uint64_t address, const Bytes& bytes, bool write);
  void lower(const MergedRecord& record);
  template <Kind kKind>
  void lower_access(const MergedRecord& record);
  template <Kind kKind>
  bool quick_access(std::uint64_t address, std::uint32_t size);
  template <Kind kKind>
  bool access(Bytes bytes, bool again = false);
  template <Kind kKind>
  void accesses(const Bytes& bytes);
  template <Kind kKind>
  void repeated_accesses(const MergedRecord& record);
  void follow_former(const Bytes& bytes, bool write);
  void loop(const MergedRecord& record);
  std::uint64_t private_rounds(const MergedRecord& record, std::uint64_t round);
  void free(const MergedRecord& record);
  void forget(std::uint64_t address, std::uint64_t size);
  void give_back(const MemoryMap::Variable& variable);
  std::optional<std::uint32_t> take_back(BlockKind* kind, std::uint64_t offset);
  void forget_locks(std::uint64_t address, std::uint64_t size);
  void busy(const wire::RawRecord& record);
  std::uint32_t signal(const MergedRecord& record);
  void collect(const MergedRecord& record);
  void follow(const MergedRecord& record);
  void remark(std::string_view text);
  std::uint32_t signal_of_thread(std::string_view what);
  std::uint32_t signal_of_try(std::uint32_t lock);
  std::uint32_t new_signal(std::string name);
  void begin(const MergedRecord& record);
  bool is_body(const MergedRecord& record);
  void end(std::vector<std::uint32_t>& open);
  template <Kind kKind>
  void emit(std::uint32_t object);

  static constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};

  LogFacts facts_;
  Names names_;
  NumberedNames thread_names_used_, variable_names_, lock_names_, signal_names_;
  Addresses addresses_;
  MemoryMap memory_;
  std::multimap<std::uint32_t, std::uint64_t> places_;  // by location: return addresses
  bool locations_wanted_ = false;

  // By the number of a thread. Known from the texts.
  std::unordered_map<std::uint32_t, std::string> thread_names_;
  std::unordered_map<std::uint32_t, std::uint64_t> thread_starts_;
  std::unordered_map<std::uint64_t, std::string> label_texts_;
  BodyCalls body_calls_;

  // Ids that stay the same after a restart: by number, by address or function, by place.
  std::unordered_map<std::uint32_t, std::uint32_t> thread_ids_;
  std::vector<std::uint32_t> thread_ids_by_index_;
  AddressIds label_ids_;
  AddressIds location_ids_;

  // Ids that are given anew, in the same order, after a restart.
  std::uint32_t next_variable_ = 0;
  std::uint32_t next_lock_ = 0;
  std::uint32_t next_signal_ = 0;
  ObjectIds locks_;                                             // by address
  std::unordered_map<std::uint64_t, std::uint32_t> meetings_;   // their signals, by number
  std::unordered_map<std::uint32_t, std::uint32_t> tries_;      // their signals, by lock
  std::unordered_map<std::uint32_t, std::uint32_t> followers_;  // of signals: those behind them
  std::vector<Thread> threads_;                                 // by id
  WellFormed well_formed_;
  std::uint64_t left_out_ = 0;
  std::uint64_t lost_ = 0;

  // Ids to use again, of a log that is not complete: by the only thread whose accesses matter to a
  // new variable with the id, and by the kind of block and the offset, which make its name.
  using Kindred = std::tuple<std::uint32_t, BlockKind*, std::uint64_t>;
  std::map<Kindred, std::vector<std::uint32_t>> free_ids_;
  std::unordered_map<std::uint32_t, std::pair<BlockKind*, std::uint64_t>> kinds_;  // by id
  bool live_ = false;
  bool too_many_threads_ = false;

  // The record that is being lowered.
  std::uint32_t thread_ = 0;
  std::uint64_t place_ = 0;     // of the events that follow
  std::uint32_t location_ = 0;  // the same, once an event needs it
  bool is_located_ = false;
  EventBuffer* events_ = nullptr;
};

}  // namespace omnium::decode
