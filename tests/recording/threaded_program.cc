// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/recording/programs.h"

#include <pthread.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

#include "runtime/record/record.h"
#include "support/check.h"

namespace omnium::test {

namespace record = runtime::record;
using wire::RawKind;

namespace {

constexpr std::uint32_t kMaxLocks = 8;
constexpr std::uint32_t kGroups = 5;
constexpr const char* kLabels[] = {"transfer", "deposit", "audit"};

// Bytes that one lock protects; neighbours belong to other locks.
struct Piece {
  std::uint32_t offset, size, lock;
};

// The program's memory. Its addresses name the objects.
struct Memory {
  alignas(64) char protected_bytes[8 * kGroups];
  alignas(64) char constants[64];
  alignas(64) char own[kMaxProgramThreads][4];
  alignas(64) char atomics[16];
  alignas(64) char unprotected[16];
  alignas(64) pthread_mutex_t locks[kMaxLocks];
  alignas(64) pthread_rwlock_t shared_locks[2];
  alignas(64) char behind_shared_locks[2][8];
};

class Runner {
 public:
  Runner(const ProgramShape& shape, Notes& notes) : shape_(shape), notes_(notes) {
    std::mt19937_64 random(shape.seed);
    for (std::uint32_t at = 0; at < sizeof memory_.protected_bytes;) {
      const std::uint32_t size = 1u << random() % 4;
      const std::uint32_t start = (at + size - 1) / size * size;
      if (start + size > sizeof memory_.protected_bytes) break;
      pieces_.push_back({start, size, static_cast<std::uint32_t>(random() % shape.locks)});
      at = start + size;
    }
    for (auto& lock : memory_.locks) pthread_mutex_init(&lock, nullptr);
    for (auto& lock : memory_.shared_locks) pthread_rwlock_init(&lock, nullptr);
  }

  void run() {
    Worker main(*this, 0, record::new_thread(0, nullptr, 0, 0));
    main.access(memory_.constants, sizeof memory_.constants, true);
    std::uint32_t number = 1;
    for (std::uint32_t round = 0; round < shape_.rounds; ++round) {
      pthread_barrier_t barrier;
      pthread_barrier_init(&barrier, nullptr, shape_.threads + 1);
      std::uint64_t& meeting = meetings_[round];
      std::vector<record::ThreadEnd> ends(shape_.threads);
      std::vector<std::thread> threads;
      for (std::uint32_t i = 0; i < shape_.threads; ++i, ++number) {
        record::ThreadLog& log = main.fork(number);
        threads.emplace_back([&, i, number] {
          Worker worker(*this, number, log);
          worker.note_begin();
          worker.work(barrier, meeting);
          worker.note_end();
          ends[i] = record::thread_ended(log);
        });
      }
      main.work(barrier, meeting);
      for (std::uint32_t i = 0; i < shape_.threads; ++i) {
        threads[i].join();
        main.join(ends[i]);
      }
      pthread_barrier_destroy(&barrier);
    }
  }

 private:
  class Worker {
   public:
    Worker(Runner& runner, std::uint32_t number, record::ThreadLog& log)
        : runner_(runner),
          number_(number),
          log_(log),
          random_(runner.shape_.seed * 7919 + number) {}

    void work(pthread_barrier_t& barrier, std::uint64_t& meeting) {
      for (std::uint32_t i = 0; i < runner_.shape_.steps; ++i) {
        if (i == runner_.shape_.steps / 2) pass(barrier, meeting);
        step();
      }
      while (depth_ != 0) end();
    }

    record::ThreadLog& fork(std::uint32_t child) {
      const auto place = note(RawKind::kFork, child, 0);
      return record::new_thread(child, &log_, 0, place);
    }
    void join(const record::ThreadEnd& end) {
      record::thread_joined(log_, end, note(RawKind::kJoin, end.number, 0));
    }

    void note_begin() {
      note(RawKind::kThreadBegin, 0, 0);
      record::thread_began(log_);
    }
    void note_end() { note(RawKind::kThreadEnd, 0, 0); }

    void access(const void* address, std::uint32_t size, bool write) {
      const auto place = note(write ? RawKind::kWrite : RawKind::kRead,
                              reinterpret_cast<std::uintptr_t>(address), size);
      record::access(log_, address, size, write, place);
    }

   private:
    std::uint64_t pick(std::uint64_t count) { return random_() % count; }

    // Takes the operation's number; returns its place.
    std::uint64_t note(RawKind kind, std::uint64_t object, std::uint32_t size) {
      return runner_.notes_.add(number_, kind, object, size);
    }

    void sync(RawKind kind, const void* object) {
      record::sync(log_, kind, object, note(kind, reinterpret_cast<std::uintptr_t>(object), 0));
    }

    void step() {
      if (pick(3) == 0) std::this_thread::yield();
      switch (pick(12)) {
        case 0: return begin();
        case 1: return depth_ != 0 ? end() : begin();
        case 2: return use_atomic();
        case 3: return use_shared_lock();
        case 4: return use_constant();
        case 5: return use_own();
        case 6:
        case 7:
        case 8: return use_unprotected();
        default: return use_lock();
      }
    }

    void begin() {
      if (depth_ == 3) return;
      const char* label = kLabels[pick(std::size(kLabels))];
      record::begin(log_, label, note(RawKind::kBegin, 0, 0));
      ++depth_;
    }
    void end() {
      record::end(log_, note(RawKind::kEnd, 0, 0));
      --depth_;
    }

    // A part of a piece.
    void use_piece(const Piece& piece) {
      std::uint32_t size = piece.size, offset = piece.offset;
      if (pick(4) == 0) {
        size = 1u << pick(static_cast<std::uint64_t>(std::countr_zero(size)) + 1);
        offset += static_cast<std::uint32_t>(pick(piece.size / size)) * size;
      }
      const auto repeats = pick(3);
      const bool write = pick(2) == 0;
      for (std::uint64_t i = 0; i <= repeats; ++i) {
        access(runner_.memory_.protected_bytes + offset, size, write != (pick(4) == 0));
      }
    }

    // Locks are nested in the order of their numbers.
    void use_lock(std::uint32_t least = 0) {
      if (least >= runner_.shape_.locks) return;
      const auto lock = least + static_cast<std::uint32_t>(pick(runner_.shape_.locks - least));
      pthread_mutex_t& mutex = runner_.memory_.locks[lock];
      pthread_mutex_lock(&mutex);
      sync(RawKind::kAcquire, &mutex);
      for (auto i = pick(8); i != 0; --i) use_what_is_protected(lock);
      sync(RawKind::kRelease, &mutex);
      pthread_mutex_unlock(&mutex);
    }

    void use_what_is_protected(std::uint32_t lock) {
      const Piece& piece = runner_.pieces_[pick(runner_.pieces_.size())];
      switch (pick(13)) {
        case 0: return std::this_thread::yield();
        case 1: return use_atomic();
        case 2: return use_lock(lock + 1);
        case 3: return begin();
        case 4: return depth_ != 0 ? end() : begin();
        case 5: return use_shared_lock();
        case 6: return piece.lock == lock ? forget(piece) : use_own();
        case 7: return use_unprotected();
        default:
          if (piece.lock == lock) use_piece(piece);
      }
    }

    void forget(const Piece& piece) {
      const char* bytes = runner_.memory_.protected_bytes + piece.offset;
      const auto place = note(RawKind::kFree, reinterpret_cast<std::uintptr_t>(bytes), piece.size);
      record::free_range(log_, bytes, piece.size, place);
    }

    void use_shared_lock() {
      const auto which = pick(2);
      pthread_rwlock_t& lock = runner_.memory_.shared_locks[which];
      const char* bytes = runner_.memory_.behind_shared_locks[which];
      const bool write = pick(3) == 0;
      (write ? pthread_rwlock_wrlock : pthread_rwlock_rdlock)(&lock);
      sync(write ? RawKind::kAcquire : RawKind::kSharedAcquire, &lock);
      access(bytes + 4 * pick(2), 4, write);
      if (pick(2) == 0) access(bytes, 8, write);
      sync(write ? RawKind::kRelease : RawKind::kSharedRelease, &lock);
      pthread_rwlock_unlock(&lock);
    }

    void use_atomic() {
      const char* const address = runner_.memory_.atomics + 4 * pick(3);
      const std::uint32_t size = pick(4) == 0 ? 8 : 4;
      constexpr RawKind kKinds[] = {RawKind::kAtomicRead, RawKind::kAtomicWrite, RawKind::kUpdate};
      const RawKind kind = kKinds[pick(std::size(kKinds))];
      record::atomic_begin(log_, address, size);
      const auto place = note(kind, reinterpret_cast<std::uintptr_t>(address), size);
      record::atomic_end(log_, address, size, kind, place);
    }

    // Races as the recorder sees them: it is not told of this lock.
    void use_unprotected() {
      for (auto i = pick(4) + 1; i != 0; --i) {
        const std::uint32_t size = 1u << pick(4);
        const std::lock_guard guard(runner_.hidden_);
        access(runner_.memory_.unprotected + size * pick(sizeof runner_.memory_.unprotected / size),
               size, pick(3) == 0);
      }
    }

    void use_constant() {
      const std::uint32_t size = 1u << pick(4);
      access(runner_.memory_.constants + size * pick(sizeof runner_.memory_.constants / size), size,
             false);
    }

    void use_own() {
      access(runner_.memory_.own[number_] + pick(2), 1 + static_cast<std::uint32_t>(pick(2)),
             pick(2) == 0);
    }

    void pass(pthread_barrier_t& barrier, std::uint64_t& meeting) {
      record::contribute(log_, {meeting, wire::RawMeeting::kAwaited}, &barrier,
                         note(RawKind::kContribute, reinterpret_cast<std::uintptr_t>(&meeting), 0));
      pthread_barrier_wait(&barrier);
      record::collect(log_, {meeting, wire::RawMeeting::kAwaited}, &barrier,
                      note(RawKind::kCollect, reinterpret_cast<std::uintptr_t>(&meeting), 0));
      pthread_barrier_wait(&barrier);
    }

    Runner& runner_;
    std::uint32_t number_;
    record::ThreadLog& log_;
    std::mt19937_64 random_;
    std::uint32_t depth_ = 0;
  };

  const ProgramShape& shape_;
  Notes& notes_;
  Memory memory_{};
  std::mutex hidden_;
  std::vector<Piece> pieces_;
  std::vector<std::uint64_t> meetings_ = std::vector<std::uint64_t>(shape_.rounds);
};

}  // namespace

void run_threads(const ProgramShape& shape, Notes& notes) {
  std::make_unique<Runner>(shape, notes)->run();
}

}  // namespace omnium::test
