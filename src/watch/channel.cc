// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/channel.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace omnium::watch {

namespace {

// Programs expect that their own descriptors start at 3.
constexpr int kFirstDescriptor = 900;

tl::unexpected<Error> system_error(std::string_view what) {
  return fail({}, fmt::format("{}: {}", what, std::strerror(errno)));
}

// A copy for the program to inherit, with a high number if the limit of descriptors allows it.
int inheritable(int descriptor) {
  const int copy = ::fcntl(descriptor, F_DUPFD, kFirstDescriptor);
  return copy >= 0 ? copy : ::fcntl(descriptor, F_DUPFD, 3);
}

}  // namespace

Result<Channel> Channel::create() {
  Channel channel;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return system_error("cannot create a socket");
  }
  channel.socket_ = ends[0];
  const int room = 4 * static_cast<int>(wire::kMaxMessage);
  for (const int end : ends) ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
  channel.program_socket_ = inheritable(ends[1]);
  ::close(ends[1]);
  const int counters = ::memfd_create("omnium-counters", MFD_CLOEXEC);
  if (counters < 0 || ::ftruncate(counters, sizeof(wire::Counters)) != 0) {
    return system_error("cannot create shared memory");
  }
  auto mapped = channel.map_counters(counters);
  channel.program_counters_ = inheritable(counters);
  ::close(counters);
  if (!mapped) return tl::unexpected(mapped.error());
  if (channel.program_socket_ < 0 || channel.program_counters_ < 0) {
    return system_error("cannot duplicate a descriptor");
  }
  return channel;
}

Result<Channel> Channel::inherited(const std::string& descriptors) {
  Channel channel;
  int counters = -1;
  const char* end = descriptors.data() + descriptors.size();
  const auto first = std::from_chars(descriptors.data(), end, channel.socket_);
  const bool comma = first.ec == std::errc{} && first.ptr != end && *first.ptr == ',';
  const auto second = comma ? std::from_chars(first.ptr + 1, end, counters) : first;
  if (!comma || second.ec != std::errc{} || second.ptr != end) {
    channel.socket_ = -1;
    return fail({},
                fmt::format("--channel must be SOCKET,COUNTERS, got '{}'", printable(descriptors)));
  }
  int type = 0;
  socklen_t size = sizeof(type);
  if (::getsockopt(channel.socket_, SOL_SOCKET, SO_TYPE, &type, &size) != 0 ||
      type != SOCK_SEQPACKET) {
    return fail({}, fmt::format("descriptor {} is not a channel", channel.socket_));
  }
  auto mapped = channel.map_counters(counters);
  if (!mapped) return tl::unexpected(mapped.error());
  ::close(counters);
  return channel;
}

Result<void> Channel::map_counters(int descriptor) {
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0 ||
      facts.st_size < static_cast<off_t>(sizeof(wire::Counters))) {
    return fail({}, fmt::format("descriptor {} has no counters", descriptor));
  }
  void* memory =
      ::mmap(nullptr, sizeof(wire::Counters), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return system_error("cannot map shared memory");
  counters_ = static_cast<wire::Counters*>(memory);
  return {};
}

Channel::Channel(Channel&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      program_socket_(std::exchange(other.program_socket_, -1)),
      program_counters_(std::exchange(other.program_counters_, -1)),
      counters_(std::exchange(other.counters_, nullptr)),
      buffer_(std::move(other.buffer_)) {}

Channel::~Channel() {
  close_program_end();
  if (socket_ >= 0) ::close(socket_);
  if (counters_ != nullptr) ::munmap(counters_, sizeof(wire::Counters));
}

std::string Channel::program_end() const {
  return fmt::format("{},{}", program_socket_, program_counters_);
}

void Channel::close_program_end() {
  for (int* descriptor : {&program_socket_, &program_counters_}) {
    if (*descriptor >= 0) ::close(std::exchange(*descriptor, -1));
  }
}

Channel::Got Channel::receive(std::span<const std::byte>& packet) {
  const ssize_t size = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
  if (size < 0) {
    const bool later = errno == EAGAIN || errno == EINTR;
    return later ? Got::kNothing : Got::kEnd;
  }
  packet = std::span(buffer_).first(static_cast<std::size_t>(size));
  return size > 0 ? Got::kPacket : Got::kEnd;
}

void Channel::send(std::span<const std::byte> packet) {
  while (::send(socket_, packet.data(), packet.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

}  // namespace omnium::watch
