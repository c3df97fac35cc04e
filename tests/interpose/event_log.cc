// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Called from malloc and from threads that begin or end: no allocation, no C++ library.
#include "tests/interpose/event_log.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "runtime/events/crash.h"
#include "runtime/events/events.h"
#include "runtime/schedule/freed.h"
#include "runtime/schedule/runners.h"
#include "runtime/schedule/point.h"
#include "runtime/schedule/serial.h"
#include "runtime/schedule/virtual_clock.h"
#include "runtime/state/heap.h"
#include "runtime/system/options.h"
#include "runtime/system/spin_lock.h"
#include "wire/inlined.h"

namespace omnium::runtime {

bool points_matter = false;
constinit thread_local std::uint32_t tls_no_points = 0;
void at_point(const Point&) {}
void nothing_changed() {}

// No run is serial or steered here.
bool is_serial_here() { return false; }
void serial_yield(Pc) {}
SerialWait serial_wait(const void*, std::uint64_t) { return SerialWait::kReal; }
bool serial_wait_for_end(const ThreadState*) { return false; }
void serial_released(const void*, bool) {}
void serial_sleeps(bool) {}
void serial_away() {}
void serial_back() {}
void serial_created(const ThreadState*) {}
void serial_not_created(const ThreadState*) {}
void serial_begins() {}
void serial_ends() {}
void runner_created() {}
void runner_not_created() {}
void runner_ends(const void*) {}
Blocked::Blocked(const void*) {}
void Blocked::goes_on() {}
void release_runners(const void*, bool) {}
bool pass_time_alone(std::uint64_t) { return false; }

// Time is real, freed memory is given back at once, and no option is set.
bool time_is_virtual() { return false; }
timespec real_time_now(clockid_t clock) {
  timespec time{};
  syscall(SYS_clock_gettime, clock, &time);
  return time;
}
timespec time_now(clockid_t clock) { return real_time_now(clock); }
timespec real_deadline(clockid_t, const timespec& deadline) { return deadline; }
void clock_is_read(Pc) {}
bool keep_freed(void*, std::size_t, Pc, void (*)(void*)) { return false; }
Freeing::Freeing(const void*, Pc) {}
Freeing::~Freeing() = default;
Options options;
// Nothing that these options allow looks at the state of a thread.
[[gnu::tls_model("initial-exec"), gnu::visibility("default")]] constinit thread_local void*
    no_state __asm__(OMNIUM_INLINED_THREAD) = nullptr;

struct ThreadState {
  int number;
};

namespace {

constexpr int kThreads = 4096, kNames = 256, kText = 1 << 16;

struct Name {
  const void* object;
  const char* name;
};

SpinLock log_lock;
ThreadState threads[kThreads];
int threads_used = 1;
Name names[kNames];
int names_used = 0;
char text[kText];
int text_size = 0;
std::uint64_t meetings_used = 0;
constexpr std::size_t kBlocks = 16;
wire::HeapBlock blocks[kBlocks];  // the latest ones
std::size_t blocks_used = 0;
bool blocks_wanted = false;
int end_file = -1;
Pc program_begin = 0, program_end = 0;  // nothing is the program before main()
thread_local ThreadState* tls_self __attribute__((tls_model("initial-exec"))) = nullptr;

const char* name_of(const void* object) {
  for (int i = names_used; i-- > 0;) {
    if (names[i].object == object) return names[i].name;
  }
  return nullptr;
}

// What does not fit is not written.
[[gnu::format(printf, 2, 3)]] void write_line(Pc pc, const char* format, ...) {
  char event[200];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(event, sizeof(event), format, arguments);
  va_end(arguments);
  const bool known = pc == 0 || (program_begin <= pc && pc < program_end);
  const int room = kText - text_size;
  const int size =
      std::snprintf(text + text_size, static_cast<std::size_t>(room), "T%d %s%s\n",
                    tls_self == nullptr ? 0 : tls_self->number, event, known ? "" : " elsewhere");
  if (size < room) text_size += size;
  text[text_size] = '\0';
}

void log_object(const char* event, const void* object, Pc pc) {
  const SpinGuard guard(log_lock);
  const char* name = name_of(object);
  if (name != nullptr) write_line(pc, "%s %s", event, name);
}

void log_range(const char* event, const void* object, std::size_t size, Pc pc) {
  const SpinGuard guard(log_lock);
  const char* name = name_of(object);
  if (name != nullptr) write_line(pc, "%s %s[%zu]", event, name, size);
}

void log_meeting(const char* event, const Meeting& meeting, const void* object, Pc pc) {
  const char* name = name_of(object);
  if (name == nullptr) return;
  write_line(pc, "%s %s #%llu", event, name, static_cast<unsigned long long>(meeting.number));
}

void log_plain(const char* event, const char* what, Pc pc) {
  const SpinGuard guard(log_lock);
  write_line(pc, "%s%s%s", event, *what != '\0' ? " " : "", what);
}

void log_thread(const char* event, const ThreadState* thread) {
  const SpinGuard guard(log_lock);
  write_line(0, "%s T%d", event, thread->number);
}

ThreadState* new_thread() {
  ThreadState* made = &threads[threads_used];
  made->number = threads_used++;
  return made;
}

}  // namespace

void read_range(const void* address, std::size_t size, Pc pc) {
  log_range("read", address, size, pc);
}
void write_anew(const void* address, std::size_t size, Pc pc) {
  log_range("write anew", address, size, pc);
}
void write_range(const void* address, std::size_t size, Pc pc) {
  log_range("write", address, size, pc);
}
void forget_range(const void* address, std::size_t size) { log_range("forget", address, size, 0); }
void free_range(const void* address, std::size_t size, Pc pc) {
  log_range("free", address, size, pc);
}
void read_atomically(const void* address, std::size_t size, Pc pc) {
  log_range("atomic read", address, size, pc);
}

void block_allocated(const void* address, std::size_t size, Pc pc) {
  const SpinGuard guard(log_lock);
  blocks[blocks_used++ % kBlocks] = {reinterpret_cast<Pc>(address), size, pc, 0, 0};
  if (blocks_wanted) write_line(pc, "allocated %zu", size);
}
bool find_heap_block(std::uintptr_t address, wire::HeapBlock& found, std::uintptr_t) {
  const SpinGuard guard(log_lock);
  for (std::size_t i = blocks_used; i-- > 0 && i + kBlocks >= blocks_used;) {
    found = blocks[i % kBlocks];
    if (found.address == address) return true;
  }
  return false;
}
void block_freed(const void*) {
  const SpinGuard guard(log_lock);
  if (blocks_wanted) write_line(0, "freed");
}

void acquire(const void* lock, Pc pc) { log_object("acquire", lock, pc); }
void release(const void* lock, Pc pc) { log_object("release", lock, pc); }
void read_acquire(const void* lock, Pc pc) { log_object("read_acquire", lock, pc); }
void read_release(const void* lock, Pc pc) { log_object("read_release", lock, pc); }
void write_acquire(const void* lock, Pc pc) { log_object("write_acquire", lock, pc); }
void write_release(const void* lock, Pc pc) { log_object("write_release", lock, pc); }
void acquire_token(const void* token, Pc pc) { log_object("acquire_token", token, pc); }
void release_token(const void* token, Pc pc) { log_object("release_token", token, pc); }
void wait_begins(const void* lock, Pc pc) { log_object("wait", lock, pc); }
void wait_ends(const void* lock, Pc pc) { log_object("resume", lock, pc); }
void busy(const void* lock, Pc pc) { log_object("busy", lock, pc); }
void tried(const void* lock, Pc pc) { log_object("tried", lock, pc); }
void forget_lock(const void* lock) { log_object("forget_lock", lock, 0); }

void contribute(Meeting& meeting, const void* object, Pc pc) {
  const SpinGuard guard(log_lock);
  if (meeting.number == 0 && name_of(object) != nullptr) meeting.number = ++meetings_used;
  log_meeting("contribute", meeting, object, pc);
}
void collect(Meeting& meeting, const void* object, Pc pc) {
  const SpinGuard guard(log_lock);
  log_meeting("collect", meeting, object, pc);
}
void follow(Meeting& meeting, const void* object, Pc pc) {
  const SpinGuard guard(log_lock);
  log_meeting("follow", meeting, object, pc);
}
void reset(Meeting& meeting) { meeting.number = 0; }
bool records_for_predictions() { return false; }
void sending(std::uint64_t&, Pc) {}
void received(std::uint64_t&, Pc) {}
void reference_dropped(std::uint64_t&, const void*, Pc) {}
void last_reference_dropped(std::uint64_t&, const void*, Pc) {}
void destruction_begins() {}
void destruction_ends() {}
bool destroys_unreferenced() { return false; }

ThreadState* thread_forked(Pc start, Pc pc) {
  const SpinGuard guard(log_lock);
  ThreadState* made = new_thread();
  const char* name = name_of(reinterpret_cast<const void*>(start));
  write_line(pc, "forked T%d%s%s", made->number, name != nullptr ? " " : "",
             name != nullptr ? name : "");
  return made;
}
void thread_not_created(ThreadState* child) { log_thread("not_created", child); }
void thread_started(ThreadState* self) {
  tls_self = self;
  log_thread("started", self);
}
void thread_has_stack(ThreadState*, const void*, const void*) {}
std::atomic<void (*)(Pc code)> on_unknown_thread;
ThreadState* thread_appeared(Pc) { return nullptr; }
void thread_finished() { log_plain("finished", "", 0); }
void thread_joined(ThreadState* child, Pc pc) {
  const SpinGuard guard(log_lock);
  write_line(pc, "joined T%d", child->number);
}
void thread_detached(ThreadState* child) { log_thread("detached", child); }
void thread_named(ThreadState* thread, const char* name) {
  const SpinGuard guard(log_lock);
  write_line(0, "named T%d %s", thread->number, name);
}
ThreadState* current_thread() { return tls_self == nullptr ? &threads[0] : tls_self; }

ThreadState* fiber_created(Pc pc) {
  const SpinGuard guard(log_lock);
  ThreadState* made = new_thread();
  write_line(pc, "fiber_created T%d", made->number);
  return made;
}
void fiber_entered(ThreadState* fiber) {
  log_thread("fiber_entered", fiber);
  tls_self = fiber;
}
void fiber_destroyed(ThreadState* fiber) { log_thread("fiber_destroyed", fiber); }

void ignore_begin() { log_plain("ignore_begin", "", 0); }
void ignore_end() { log_plain("ignore_end", "", 0); }

bool can_check(const void*, std::size_t) { return true; }
void warn_unchecked() {}
void begin_block(const char* label, const void*, Pc pc) { log_plain("begin", label, pc); }
void begin_scope(const char* label, const void*, const void*, Pc pc) {
  log_plain("begin", label, pc);
}
void end_scope(const void*, Pc pc) { log_plain("end", "", pc); }
void end_block(Stack, Pc pc) { log_plain("end", "", pc); }
std::atomic<bool> functions_matter;
void enter_function(Pc, const void*, Pc) {}
void leave_function(Pc, Stack, Pc) {}
std::size_t memory_for_open_blocks() { return 1; }
SuspendedBlocks* suspend_blocks(void* memory, Pc) {
  log_plain("blocks_suspended", "", 0);
  return static_cast<SuspendedBlocks*>(memory);
}
void resume_blocks(const SuspendedBlocks*) { log_plain("blocks_resumed", "", 0); }
void unwind_to(const void* frame) { log_object("unwind_to", frame, 0); }

bool may_handle_signal(int, const siginfo_t&, void*) { return true; }
AtomicOperation* pause_operation() { return nullptr; }
void resume_operation(AtomicOperation*) {}
bool is_crash_handler(const struct sigaction&) { return false; }
void assertion_fails(const char*, const char*, unsigned, const char*) {}

void process_starts() {}
void process_ends() {
  log_plain("process_ends", "", 0);
  if (end_file == -1) return;
  [[maybe_unused]] const ssize_t written =
      write(end_file, text, static_cast<std::size_t>(text_size));
  end_file = -1;
}
void before_fork() { log_plain("before_fork", "", 0); }
void after_fork_in_parent() { log_plain("after_fork_in_parent", "", 0); }
void after_fork_in_child() { log_plain("after_fork_in_child", "", 0); }
void module_loaded(Pc, Pc) {}
void module_unloaded(Pc, Pc) {}
Pc user_pc(Pc pc, const void*) { return pc; }
bool is_program_code(Pc) { return true; }
bool is_instrumented_code(Pc pc) { return program_begin <= pc && pc < program_end; }

}  // namespace omnium::runtime

using namespace omnium::runtime;

EVENT_LOG_API void event_log_clear() {
  const SpinGuard guard(log_lock);
  names_used = text_size = 0;
  threads_used = 1;
  meetings_used = 0;
  text[0] = '\0';
  blocks_wanted = false;
}
EVENT_LOG_API void event_log_name(const void* object, const char* name) {
  const SpinGuard guard(log_lock);
  names[names_used++ % kNames] = {object, name};
}
EVENT_LOG_API void event_log_blocks(bool wanted) { blocks_wanted = wanted; }
EVENT_LOG_API const char* event_log_text() { return text; }
EVENT_LOG_API void event_log_program(const void* begin, const void* end) {
  program_begin = reinterpret_cast<Pc>(begin);
  program_end = reinterpret_cast<Pc>(end);
}
EVENT_LOG_API void event_log_note(const char* line) { log_plain("note", line, 0); }
EVENT_LOG_API void event_log_send_at_end(int file) { end_file = file; }
