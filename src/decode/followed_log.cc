// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/followed_log.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace omnium::decode {

using wire::RawBlock;
using wire::RawKind;
using wire::RawRecord;

Result<std::unique_ptr<FollowedLog>> FollowedLog::open(const std::string& path) {
  support::Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (!file) return fail({path}, std::strerror(errno));
  void* const mapped = ::mmap(nullptr, sizeof(wire::RawHeader), PROT_READ | PROT_WRITE, MAP_SHARED,
                              file.get(), 0);
  if (mapped == MAP_FAILED) return fail({path}, std::strerror(errno));
  return std::unique_ptr<FollowedLog>(
      new FollowedLog(path, std::move(file), static_cast<wire::RawHeader*>(mapped)));
}

FollowedLog::~FollowedLog() { ::munmap(header_, sizeof *header_); }

// The header is mapped even if the file has no bytes yet; to look at it then would be a SIGBUS.
bool FollowedLog::has_begun() {
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) return false;
  if (static_cast<std::uint64_t>(status.st_size) < wire::kRawPieceBytes) return false;
  return std::memcmp(header_->magic, wire::kRawMagic, sizeof header_->magic) == 0 &&
         header_->version == wire::kRawVersion;
}

void FollowedLog::ask() { header_->asked.fetch_add(1, std::memory_order_relaxed); }

void FollowedLog::leave() {
  std::uint64_t running = 0;
  header_->stop_clock.compare_exchange_strong(running, limit_ + 1);
}

std::string FollowedLog::why_cut() const {
  if (header_->stop_clock.load() == 0) return "";
  return fmt::format("the end of the run was not checked: {}",
                     std::strerror(static_cast<int>(header_->stop_error.load())));
}

std::uint64_t FollowedLog::end_clock() const {
  const std::uint64_t stop = header_->stop_clock.load(std::memory_order_acquire);
  return stop == 0 ? ~std::uint64_t{0} : stop;
}

Result<std::size_t> FollowedLog::read_at(std::uint64_t offset, void* bytes,
                                         std::size_t size) const {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(file_.get(), static_cast<char*>(bytes) + done, size - done,
                                static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail({name_, 0, 0, offset}, std::strerror(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

FollowedLog::Thread& FollowedLog::thread_with(std::uint32_t number) {
  std::unique_ptr<Thread>& thread = threads_[number];
  if (thread == nullptr) {
    thread = std::make_unique<Thread>();
    thread->number = number;
    thread->index = next_index_++;
  }
  return *thread;
}

// A piece of the file that nobody has looked at. False if it has no block yet.
Result<bool> FollowedLog::take_piece(std::uint64_t offset) {
  alignas(RawBlock) char bytes[sizeof(RawBlock)] = {};
  const auto got = read_at(offset, bytes, sizeof bytes);
  if (!got) return tl::unexpected(got.error());
  const auto& block = *reinterpret_cast<const RawBlock*>(bytes);
  if (*got != sizeof bytes || block.magic != wire::kRawBlockMagic) return false;
  if (block.sealed == 0) {
    open_pieces_.push_back(offset);
  } else {
    sealed_[block.thread][block.sequence] = offset;
    thread_with(block.thread);
  }
  return true;
}

// Threads whose events are complete up to the limit had a slot before. If such a thread has left
// its slot when find_slots looks there, its last block is sealed: so these are looked for again.
Result<void> FollowedLog::find_blocks() {
  if (auto found = find_pieces(); !found) return found;
  if (auto found = find_slots(); !found) return found;
  return find_pieces();
}

Result<void> FollowedLog::find_pieces() {
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) return fail({name_}, std::strerror(errno));
  for (; next_piece_ < static_cast<std::uint64_t>(status.st_size);
       next_piece_ += wire::kRawPieceBytes) {
    unknown_.push_back(next_piece_);
  }
  std::vector<std::uint64_t> still_unknown;
  for (const std::uint64_t offset : unknown_) {
    const auto taken = take_piece(offset);
    if (!taken) return tl::unexpected(taken.error());
    if (!*taken) still_unknown.push_back(offset);
  }
  unknown_ = std::move(still_unknown);
  return {};
}

Result<void> FollowedLog::find_slots() {
  open_piece_of_.clear();
  std::set<std::uint32_t> ended;
  for (const std::uint64_t offset : open_pieces_) {
    alignas(RawBlock) char bytes[sizeof(RawBlock)] = {};
    const auto got = read_at(offset, bytes, sizeof bytes);
    if (!got) return tl::unexpected(got.error());
    const std::uint32_t number = reinterpret_cast<const RawBlock*>(bytes)->thread;
    if (number == wire::kRawNoThread) continue;
    // A thread that has just ended: its last block was read, in the place where it was sealed.
    if (ended_.contains(number)) ended.insert(number);
    if (ended_.contains(number)) continue;
    open_piece_of_[number] = offset;
    thread_with(number);
  }
  ended_ = std::move(ended);
  return {};
}

// The blocks of a thread that are complete, and then the one that it is filling. A block that is
// neither sealed nor open has been sealed since the pieces were found.
Result<void> FollowedLog::read_thread(Thread& thread, std::uint64_t limit) {
  for (bool again = true;;) {
    const auto& sealed = sealed_[thread.number];
    const auto at = sealed.find(thread.sequence);
    if (at != sealed.end()) {
      const auto done = read_sealed(thread, at->second, limit);
      if (!done) return tl::unexpected(done.error());
      if (!*done) return {};
      continue;
    }
    const auto open = open_piece_of_.find(thread.number);
    if (open != open_piece_of_.end()) {
      const auto done = read_open(thread, open->second, limit);
      if (!done) return tl::unexpected(done.error());
      if (*done) return {};
    }
    if (!again || thread.has_ended) return {};
    again = false;
    if (auto found = find_blocks(); !found) return found;
  }
}

// True if all of the block was read. It is given back then.
Result<bool> FollowedLog::read_sealed(Thread& thread, std::uint64_t offset, std::uint64_t limit) {
  alignas(RawBlock) char bytes[sizeof(RawBlock)] = {};
  auto got = read_at(offset, bytes, sizeof bytes);
  if (!got) return tl::unexpected(got.error());
  const auto& block = *reinterpret_cast<const RawBlock*>(bytes);
  const std::uint32_t count =
      std::min(block.count.load(std::memory_order_relaxed), wire::kRawRecordsPerBlock);
  if (thread.next == 0) thread.clock = block.first_clock;
  const std::uint32_t first = std::min(thread.next, count);
  buffer_.resize(count - first);
  got = read_at(offset + sizeof(RawBlock) + first * sizeof(RawRecord), buffer_.data(),
                buffer_.size() * sizeof(RawRecord));
  if (!got) return tl::unexpected(got.error());
  if (!take_records(thread, buffer_, limit)) return false;
  sealed_[thread.number].erase(thread.sequence);
  give_back(offset);
  ++thread.sequence;
  thread.next = thread.texts_until = 0;
  return true;
}

// False if the thread has left the block meanwhile.
Result<bool> FollowedLog::read_open(Thread& thread, std::uint64_t offset, std::uint64_t limit) {
  alignas(RawBlock) char bytes[sizeof(RawBlock)] = {};
  const auto& block = *reinterpret_cast<const RawBlock*>(bytes);
  const auto is_still_there = [&]() -> Result<bool> {
    const auto got = read_at(offset, bytes, sizeof bytes);
    if (!got) return tl::unexpected(got.error());
    return block.thread == thread.number && block.sequence == thread.sequence;
  };
  auto there = is_still_there();
  if (!there || !*there) return there;
  const std::uint32_t count =
      std::min(block.count.load(std::memory_order_relaxed), wire::kRawRecordsPerBlock);
  const std::uint64_t first_clock = block.first_clock;
  const std::uint32_t first = std::min(thread.next, count);
  buffer_.resize(count - first);
  const auto got = read_at(offset + sizeof(RawBlock) + first * sizeof(RawRecord), buffer_.data(),
                           buffer_.size() * sizeof(RawRecord));
  if (!got) return tl::unexpected(got.error());
  there = is_still_there();
  if (!there || !*there) return there;
  if (thread.next == 0) thread.clock = first_clock;
  take_records(thread, buffer_, limit);
  return true;
}

void FollowedLog::take_text(const Thread& thread, const RawRecord& record) {
  const bool any = wire::text_records(record) != 0;
  texts_.push_back({0, thread.number, wire::kind_of(record), wire::object_of(record),
                    std::string(reinterpret_cast<const char*>(&record + 1),
                                any ? wire::size_of(record) : 0)});
}

// Returns how many of the records behind it belong to the event.
std::size_t FollowedLog::take_event(Thread& thread, std::span<const RawRecord> behind,
                                    const RawRecord& record, std::uint64_t clock,
                                    std::uint64_t operand) {
  Ready& ready = thread.ready.emplace_back();
  ready.clock = clock;
  ready.record = {thread.number, thread.index, record, nullptr, operand};
  thread.has_ended |= wire::kind_of(record) == RawKind::kThreadEnd;
  if (behind.empty() || wire::kind_of(behind[0]) != RawKind::kRepeat) return 0;
  ready.record.repeats = std::min(behind[0].more, wire::kRawMaxRepeats);
  ready.record.stride = wire::stride_of(behind[0]);
  return 1;
}

// `records` begin at thread.next. Takes the events with clocks below the limit, and all texts. True
// if no event is left.
bool FollowedLog::take_records(Thread& thread, std::span<const RawRecord> records,
                               std::uint64_t limit) {
  const std::uint32_t first = thread.next;
  std::uint64_t clock = thread.clock, operand = thread.operand;
  bool all = true;
  for (std::size_t i = 0; i < records.size();) {
    const RawRecord& record = records[i];
    const std::size_t here = first + i++;
    const RawKind kind = wire::kind_of(record);
    if (kind == RawKind::kOperand) operand = record.more;
    if (kind == RawKind::kClock) clock = record.more;
    if (kind == RawKind::kOperand || kind == RawKind::kClock || kind == RawKind::kRepeat) continue;
    if (kind == RawKind::kLoop) continue;  // only complete recordings have them
    clock += wire::clock_step_of(record);
    if (kind >= RawKind::kThreadStart) {
      if (i + wire::text_records(record) > records.size()) break;
      if (here >= thread.texts_until) take_text(thread, record);
      i += wire::text_records(record);
    } else if (clock < limit && all) {
      i += take_event(thread, records.subspan(i), record, clock, operand);
      operand = 0;
    } else {
      all = false;
    }
    if (!all) continue;
    thread.next = first + static_cast<std::uint32_t>(i);
    thread.clock = clock;
    thread.operand = operand;
  }
  const std::uint32_t end = first + static_cast<std::uint32_t>(records.size());
  thread.texts_until = std::max(thread.texts_until, end);
  if (!all) return false;
  // What is left is no event, but may belong to the first one of the next block.
  thread.next = end;
  thread.clock = clock;
  thread.operand = operand;
  return true;
}

// The space of the block is free again, for the disk and for the program.
void FollowedLog::give_back(std::uint64_t offset) {
  ::fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
              wire::kRawPieceBytes);
  header_->blocks_taken.fetch_add(1, std::memory_order_release);
}

// Puts the thread back into the heap if it has more records.
void FollowedLog::queue(Thread& thread) {
  if (thread.next_ready < thread.ready.size()) {
    turns_.push_back({thread.ready[thread.next_ready].clock, thread.index, &thread});
    std::push_heap(turns_.begin(), turns_.end(), std::greater<>());
    return;
  }
  thread.ready.clear();
  thread.next_ready = 0;
}

Result<bool> FollowedLog::look(bool over) {
  const std::uint64_t complete = header_->complete_clock.load(std::memory_order_acquire);
  const std::uint64_t limit = over ? end_clock() : std::min(end_clock(), complete);
  if (over ? std::exchange(over_, true) : limit <= limit_) return false;
  const std::uint64_t earlier = std::exchange(limit_, limit);
  if (auto found = find_blocks(); !found) return tl::unexpected(found.error());
  std::vector<std::uint32_t> numbers;
  for (const auto& [number, thread] : threads_) numbers.push_back(number);
  for (const std::uint32_t number : numbers) {
    if (auto read = read_thread(*threads_[number], limit); !read) {
      return tl::unexpected(read.error());
    }
  }
  for (auto at = threads_.begin(); at != threads_.end();) {
    Thread& thread = *at->second;
    if (!thread.ready.empty() && thread.ready.front().clock < earlier) {
      return fail({name_}, "an event came too late: this is a bug in Omnium, please report it");
    }
    if (!thread.ready.empty()) queue(thread);
    const bool is_done = thread.has_ended && thread.ready.empty() && sealed_[at->first].empty();
    if (is_done) sealed_.erase(at->first);
    if (is_done) ended_.insert(at->first);
    at = is_done ? threads_.erase(at) : std::next(at);
  }
  return true;
}

}  // namespace omnium::decode
