// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/channel.h"

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <fmt/format.h>

namespace omnium::watch {

namespace {

// Programs expect that their own descriptors start at 3.
constexpr int kFirstDescriptor = 900;
constexpr int kCounterSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
constexpr std::size_t kMostConnections = 256;

tl::unexpected<Error> system_error(std::string_view what) {
  return fail({}, fmt::format("{}: {}", what, std::strerror(errno)));
}

// A memory file of this content that nobody can change.
support::Descriptor sealed_file(std::span<const std::byte> content) {
  support::Descriptor file(::memfd_create("omnium-answer", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  const auto* bytes = reinterpret_cast<const char*>(content.data());
  if (!file || !support::write_all(file.get(), {bytes, content.size()}) ||
      ::fcntl(file.get(), F_ADD_SEALS, kCounterSeals | F_SEAL_WRITE) != 0) {
    return support::Descriptor();
  }
  return file;
}

// Room for what the kernel adds to a packet: who sent it, and a descriptor.
struct alignas(cmsghdr) Room {
  char bytes[CMSG_SPACE(sizeof(ucred)) + CMSG_SPACE(sizeof(int))] = {};
};

// Sends a packet with a descriptor if that is possible at once.
void send_with(int socket, std::span<const std::byte> packet, int descriptor) {
  iovec part{const_cast<std::byte*>(packet.data()), packet.size()};
  Room room;
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes;
  message.msg_controllen = CMSG_SPACE(sizeof(int));
  cmsghdr* const attached = CMSG_FIRSTHDR(&message);
  attached->cmsg_level = SOL_SOCKET;
  attached->cmsg_type = SCM_RIGHTS;
  attached->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(attached), &descriptor, sizeof(int));
  while (::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EINTR) {
  }
}

// What came with a packet.
struct Attached {
  bool has_sender = false;
  ucred sender{};
  support::Descriptor descriptor;
};

Attached attached_to(msghdr& message) {
  Attached out;
  for (cmsghdr* it = CMSG_FIRSTHDR(&message); it != nullptr; it = CMSG_NXTHDR(&message, it)) {
    if (it->cmsg_level != SOL_SOCKET) continue;
    if (it->cmsg_type == SCM_CREDENTIALS) {
      out.has_sender = true;
      std::memcpy(&out.sender, CMSG_DATA(it), sizeof(out.sender));
    } else if (it->cmsg_type == SCM_RIGHTS) {
      const std::size_t count = (it->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (std::size_t i = 0; i < count; ++i) {
        int descriptor = -1;
        std::memcpy(&descriptor, CMSG_DATA(it) + i * sizeof(int), sizeof(int));
        out.descriptor = support::Descriptor(descriptor);  // the others are closed
      }
    }
  }
  return out;
}

void ask_for_senders(int socket) {
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
}

std::uint64_t inode_of(int descriptor) {
  struct stat facts {};
  return ::fstat(descriptor, &facts) == 0 ? facts.st_ino : 0;
}

}  // namespace

int inheritable(int descriptor) {
  const int copy = ::fcntl(descriptor, F_DUPFD, kFirstDescriptor);
  return copy >= 0 ? copy : ::fcntl(descriptor, F_DUPFD, 3);
}

Result<Channel> Channel::create() {
  Channel channel;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return system_error("cannot create a socket");
  }
  channel.socket_ = support::Descriptor(ends[0]);
  const support::Descriptor other(ends[1]);
  const int room = 4 * static_cast<int>(wire::kMaxMessage);
  for (const int end : ends) ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
  channel.program_socket_ = support::Descriptor(inheritable(other.get()));
  const support::Descriptor counters(
      ::memfd_create("omnium-counters", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!counters || ::ftruncate(counters.get(), sizeof(wire::Counters)) != 0 ||
      ::fcntl(counters.get(), F_ADD_SEALS, kCounterSeals) != 0) {
    return system_error("cannot create shared memory");
  }
  if (auto mapped = channel.map_counters(counters.get()); !mapped) {
    return tl::unexpected(mapped.error());
  }
  channel.program_counters_ = support::Descriptor(inheritable(counters.get()));
  if (!channel.program_socket_ || !channel.program_counters_) {
    return system_error("cannot duplicate a descriptor");
  }
  channel.counters_file_ =
      support::Descriptor(::fcntl(counters.get(), F_DUPFD_CLOEXEC, kFirstDescriptor / 2));
  if (auto ready = channel.prepare_to_receive(); !ready) return tl::unexpected(ready.error());
  channel.listen();
  return channel;
}

Result<Channel> Channel::inherited(const std::string& descriptors) {
  Channel channel;
  int socket = -1, counters = -1;
  const char* end = descriptors.data() + descriptors.size();
  const auto first = std::from_chars(descriptors.data(), end, socket);
  const bool comma = first.ec == std::errc{} && first.ptr != end && *first.ptr == ',';
  const auto second = comma ? std::from_chars(first.ptr + 1, end, counters) : first;
  if (!comma || second.ec != std::errc{} || second.ptr != end) {
    return fail({},
                fmt::format("--channel must be SOCKET,COUNTERS, got '{}'", printable(descriptors)));
  }
  int type = 0;
  socklen_t size = sizeof(type);
  if (::getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_SEQPACKET) {
    return fail({}, fmt::format("descriptor {} is not a channel", socket));
  }
  channel.socket_ = support::Descriptor(socket);
  if (auto mapped = channel.map_counters(counters); !mapped) {
    return tl::unexpected(mapped.error());
  }
  ::close(counters);
  if (auto ready = channel.prepare_to_receive(); !ready) return tl::unexpected(ready.error());
  return channel;
}

Result<void> Channel::map_counters(int descriptor) {
  struct stat facts {};
  // Without the seal, the program could make the file shorter, and reading would kill the watcher.
  const int seals = ::fcntl(descriptor, F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || ::fstat(descriptor, &facts) != 0 ||
      facts.st_size < static_cast<off_t>(sizeof(wire::Counters))) {
    return fail({}, fmt::format("descriptor {} has no counters", descriptor));
  }
  void* memory =
      ::mmap(nullptr, sizeof(wire::Counters), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return system_error("cannot map shared memory");
  counters_ = static_cast<wire::Counters*>(memory);
  return {};
}

Result<void> Channel::prepare_to_receive() {
  ready_ = support::Descriptor(::epoll_create1(EPOLL_CLOEXEC));
  ask_for_senders(socket_.get());
  main_is_open_ = ready_ && watch(socket_.get());
  if (!main_is_open_) return system_error("cannot wait for messages");
  return {};
}

// Processes whose descriptors were closed come here. If the system does not allow it, they start a
// watcher of their own.
void Channel::listen() {
  support::Descriptor made(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socklen_t size = sizeof(address);
  // Without a name, the kernel chooses one that nobody has.
  if (!made ||
      ::bind(made.get(), reinterpret_cast<sockaddr*>(&address), sizeof(sa_family_t)) != 0 ||
      ::getsockname(made.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      ::listen(made.get(), SOMAXCONN) != 0 || !watch(made.get())) {
    return;
  }
  constexpr std::size_t kName = offsetof(sockaddr_un, sun_path) + 1;
  if (size > kName) address_.assign(address.sun_path + 1, size - kName);
  listener_ = std::move(made);
}

bool Channel::watch(int descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = descriptor;
  return ::epoll_ctl(ready_.get(), EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void Channel::accept() {
  support::Descriptor made(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!made) return;
  ucred peer{};
  socklen_t size = sizeof(peer);
  // Anybody on this machine can connect, but only processes of the same user are heard.
  if (::getsockopt(made.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 ||
      peer.uid != ::geteuid() || connections_.size() >= kMostConnections) {
    return;
  }
  ask_for_senders(made.get());
  const wire::Header head{wire::Type::kCounters, 0};
  send_with(made.get(), std::as_bytes(std::span(&head, 1)), counters_file_.get());
  if (!watch(made.get())) return;
  const int descriptor = made.get();
  connections_.insert_or_assign(descriptor,
                                Connection{std::move(made), static_cast<std::uint32_t>(peer.pid)});
}

Channel::Channel(Channel&& other) noexcept
    : socket_(std::move(other.socket_)),
      program_socket_(std::move(other.program_socket_)),
      program_counters_(std::move(other.program_counters_)),
      counters_file_(std::move(other.counters_file_)),
      listener_(std::move(other.listener_)),
      ready_(std::move(other.ready_)),
      answer_to_(std::move(other.answer_to_)),
      address_(std::move(other.address_)),
      main_is_open_(other.main_is_open_),
      connections_(std::move(other.connections_)),
      counters_(std::exchange(other.counters_, nullptr)),
      buffer_(std::move(other.buffer_)) {}

Channel::~Channel() {
  if (counters_ != nullptr) ::munmap(counters_, sizeof(wire::Counters));
}

std::string Channel::program_end() const {
  return fmt::format("{},{},{},{},{}", program_socket_.get(), program_counters_.get(),
                     inode_of(program_socket_.get()), inode_of(program_counters_.get()), address_);
}

void Channel::close_program_end() {
  program_socket_ = support::Descriptor();
  program_counters_ = support::Descriptor();
}

bool Channel::receive(Packet& packet) {
  answer_to_ = support::Descriptor();
  epoll_event event{};
  while (::epoll_wait(ready_.get(), &event, 1, 0) == 1) {
    const int descriptor = event.data.fd;
    if (listener_ && descriptor == listener_.get()) {
      accept();
      continue;
    }
    const Got got = receive_from(descriptor, packet);
    if (got == Got::kPacket) return true;
    if (got == Got::kNothing) return false;
    forget(descriptor);
  }
  return false;
}

void Channel::forget(int descriptor) {
  ::epoll_ctl(ready_.get(), EPOLL_CTL_DEL, descriptor, nullptr);
  if (descriptor == socket_.get()) {
    main_is_open_ = false;
  } else {
    connections_.erase(descriptor);
  }
}

Channel::Got Channel::receive_from(int descriptor, Packet& packet) {
  iovec part{buffer_.data(), buffer_.size()};
  Room room;
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes;
  message.msg_controllen = sizeof(room.bytes);
  const ssize_t size = ::recvmsg(descriptor, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (size < 0) {
    const bool later = errno == EAGAIN || errno == EINTR;
    return later ? Got::kNothing : Got::kEnd;
  }
  Attached attached = attached_to(message);
  answer_to_ = std::move(attached.descriptor);
  // An empty packet has a sender; the end of the channel has none.
  if (size == 0 && !attached.has_sender) return Got::kEnd;
  packet.bytes = std::span(buffer_).first(static_cast<std::size_t>(size));
  packet.process = static_cast<std::uint32_t>(attached.sender.pid);
  const auto connection = connections_.find(descriptor);
  if (packet.process == 0 && connection != connections_.end()) {
    packet.process = connection->second.process;
  }
  return Got::kPacket;
}

void Channel::answer(std::span<const std::byte> head, std::span<const std::byte> content) {
  if (!answer_to_) return;
  const support::Descriptor file = sealed_file(content);
  if (file) send_with(answer_to_.get(), head, file.get());
}

}  // namespace omnium::watch
