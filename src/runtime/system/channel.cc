// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/system/channel.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "runtime/system/environment.h"
#include "runtime/system/file_limit.h"
#include "runtime/system/mapped.h"
#include "runtime/system/options.h"
#include "runtime/system/own_descriptor.h"
#include "runtime/system/packet.h"
#include "runtime/system/print.h"
#include "runtime/system/spin_lock.h"
#include "runtime/system/watcher_process.h"

namespace omnium::runtime {

namespace {

constinit OwnDescriptor channel, counters_file;
constinit SpinLock channel_lock;  // for all of these
sockaddr_un address;              // of the watcher of `omnium run`, to connect to it again
socklen_t address_size;           // 0: there is none
bool started_by_us, watcher_failed;
std::atomic<unsigned> introduction{1};
wire::Counters* shared;

// The program's errno is its own.
class KeepErrno {
 public:
  KeepErrno() : saved_(errno) {}
  ~KeepErrno() { errno = saved_; }
  KeepErrno(const KeepErrno&) = delete;
  KeepErrno& operator=(const KeepErrno&) = delete;

 private:
  int saved_;
};

// Only the watcher needs the file of the counters later on, so the program may close it.
bool map_counters(int file, void* where = nullptr) {
  void* memory = mmap(where, sizeof(wire::Counters), PROT_READ | PROT_WRITE,
                      MAP_SHARED | (where == nullptr ? 0 : MAP_FIXED), file, 0);
  if (memory == MAP_FAILED) return false;
  shared = static_cast<wire::Counters*>(memory);
  return true;
}

// A memory file for the counters. Nobody can make it shorter, so that the watcher can rely on it.
// -1 if files must not be that large.
int new_counters_file() {
  if (!is_within_file_limit(sizeof(wire::Counters))) return -1;
  const int file = memfd_create("omnium-counters", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0 || ftruncate(file, sizeof(wire::Counters)) != 0 ||
      fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    stop_program("cannot create shared memory for the counters");
  }
  return file;
}

// The counters of a program that was started without `omnium run`.
void make_counters() {
  const int file = new_counters_file();
  if (file < 0) {
    print_line("warning: findings cannot be reported: the limit of file sizes (ulimit -f) is low");
    watcher_failed = true;
    shared = map_array<wire::Counters>(1);
    return;
  }
  counters_file.take(file);
  if (!map_counters(counters_file.get())) {
    stop_program("cannot create shared memory for the counters");
  }
}

// The program has closed the file of its counters: a new one continues it.
void move_counters() {
  const int file = new_counters_file();
  void* const old = shared;
  if (file < 0) return;
  void* copy = mmap(nullptr, sizeof(wire::Counters), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (copy == MAP_FAILED) return;
  std::memcpy(copy, old, sizeof(wire::Counters));
  munmap(copy, sizeof(wire::Counters));
  map_counters(file, old);
  counters_file.take(file);
}

void greet() {
  const wire::Hello hello{header(wire::Type::kHello),
                          wire::kVersion,
                          static_cast<std::uint8_t>(options.mode.conflicts),
                          static_cast<std::uint8_t>(options.mode.waits),
                          options.block_mode == Blocks::kFunctions,
                          options.functions_by_default,
                          options.samples ? options.share : wire::kWhole,
                          0,
                          options.seed};
  send_packet(channel.get(), &hello, sizeof(hello));
}

// Connects to the watcher of `omnium run`, which sends its counters. A process that has counters
// already keeps its own: they are the same file.
bool reconnect() {
  if (address_size == 0) return false;
  const int made = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (made < 0) return false;
  wire::Header head;
  int counters = -1;
  const bool connected = syscall(SYS_connect, made, &address, address_size) == 0 &&
                         receive_packet(made, &head, sizeof(head), &counters) == sizeof(head) &&
                         head.type == wire::Type::kCounters && counters >= 0 &&
                         (shared != nullptr || map_counters(counters));
  if (counters >= 0) syscall(SYS_close, counters);
  if (!connected) {
    syscall(SYS_close, made);
    return false;
  }
  channel.take(made);
  greet();
  return true;
}

bool begin_to_watch() {
  if (watcher_failed) return false;
  if (!counters_file.is_open()) move_counters();
  const int socket = start_watcher(counters_file.get());
  watcher_failed = socket < 0;
  if (watcher_failed) return false;
  channel.take(socket);
  started_by_us = true;
  introduction.fetch_add(1);
  greet();
  return true;
}

// Is there a watcher? If not, it is started. The program may have closed the channel.
bool has_watcher() {
  const SpinGuard guard(channel_lock);
  return channel.is_open() || reconnect() || begin_to_watch();
}

// SOCKET,COUNTERS,INODE OF THE SOCKET,INODE OF THE COUNTERS,ADDRESS
struct Given {
  int socket = -1, counters = -1;
  std::uint64_t socket_inode = 0, counters_inode = 0;
};

Given parse(const char* text) {
  Given given;
  char* end;
  const auto number = [&] {
    const std::uint64_t value = std::strtoull(text, &end, 10);
    if (end == text || *end != ',') stop_program("OMNIUM_CHANNEL is not of this version of omnium");
    text = end + 1;
    return value;
  };
  given.socket = static_cast<int>(number());
  given.counters = static_cast<int>(number());
  given.socket_inode = number();
  given.counters_inode = number();
  const std::size_t length = std::strlen(text);
  if (length == 0 || length >= sizeof(address.sun_path)) return given;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, text, length);
  address_size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  return given;
}

// Sockets have inodes of their own, and so have memory files, of which alone seals can be asked.
bool is_inherited(const Given& given) {
  struct stat facts;
  return fstat(given.socket, &facts) == 0 && S_ISSOCK(facts.st_mode) &&
         facts.st_ino == given.socket_inode && fcntl(given.counters, F_GET_SEALS) >= 0 &&
         fstat(given.counters, &facts) == 0 && facts.st_ino == given.counters_inode;
}

}  // namespace

void open_channel() {
  const KeepErrno keep;
  const char* text = environment(wire::kChannelVariable);
  if (text == nullptr) return make_counters();
  const Given given = parse(text);
  if (is_inherited(given) && map_counters(given.counters)) {
    channel.adopt(given.socket);
    return greet();
  }
  if (!reconnect()) {
    address_size = 0;
    make_counters();
  }
}

void announce_process() {
  const KeepErrno keep;
  introduction.fetch_add(1);
  const SpinGuard guard(channel_lock);
  started_by_us = false;  // the parent waits for the watcher, and reports by its exit status
  if (channel.is_open()) {
    greet();
  } else if (channel.get() >= 0) {
    reconnect();
  }
}

wire::Counters& counters() { return *shared; }

wire::Header header(wire::Type type) { return {type, static_cast<std::uint32_t>(getpid())}; }

unsigned current_introduction() {
  const KeepErrno keep;
  has_watcher();
  return introduction.load();
}

bool send_message(const void* message, std::size_t size) {
  const KeepErrno keep;
  if (!has_watcher()) return false;
  if (send_packet(channel.get(), message, size)) return true;
  if (address_size != 0) return false;  // `omnium run` has ended: nobody wants to know
  // The watcher of a process that forked this one ends with that process. Another one follows.
  {
    const SpinGuard guard(channel_lock);
    channel.close();
  }
  return has_watcher() && send_packet(channel.get(), message, size);
}

std::size_t ask(const void* message, std::size_t size, void* answer, std::size_t most,
                int& descriptor) {
  const KeepErrno keep;
  descriptor = -1;
  int ends[2];
  if (!has_watcher() || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return 0;
  const bool sent = send_packet(channel.get(), message, size, ends[1]);
  // If the watcher ends, the other end is closed, and there will be no packet.
  syscall(SYS_close, ends[1]);
  const std::size_t got = sent ? receive_packet(ends[0], answer, most, &descriptor) : 0;
  syscall(SYS_close, ends[0]);
  return got;
}

void warn(const char* text) {
  struct {
    wire::Header header;
    char text[500];
  } message;
  message.header = header(wire::Type::kWarning);
  const std::size_t length = strnlen(text, sizeof(message.text));
  std::memcpy(message.text, text, length);
  send_message(&message, sizeof(message.header) + length);
}

bool close_channel() {
  const KeepErrno keep;
  const wire::Header goodbye = header(wire::Type::kGoodbye);
  if (channel.is_open()) send_packet(channel.get(), &goodbye, sizeof(goodbye));
  if (!started_by_us) return watcher_failed;
  if (!channel.is_open()) return true;
  shutdown(channel.get(), SHUT_WR);
  char byte;
  while (receive_packet(channel.get(), &byte, 1) > 0) {
  }
  return true;
}

void lock_channel() { channel_lock.lock(); }
void unlock_channel() { channel_lock.unlock(); }

}  // namespace omnium::runtime
