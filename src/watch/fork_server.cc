// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/fork_server.h"

#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire/fork_server.h"

namespace omnium::watch {

namespace {

// Milliseconds in which it must be linked, or fork; a machine may be busy.
constexpr int kPatience = 5000;

// The next news. None if there are none yet, or if it has ended: then `ended` becomes true.
std::optional<wire::ServerNews> receive(int socket, int milliseconds, bool& ended) {
  pollfd wait{socket, POLLIN, 0};
  if (::poll(&wait, 1, milliseconds) <= 0) return std::nullopt;
  wire::ServerNews news{};
  if (::recv(socket, &news, sizeof(news), MSG_DONTWAIT) == sizeof(news)) return news;
  ended = true;
  return std::nullopt;
}

void end(pid_t process) {
  ::kill(process, SIGKILL);
  ::waitpid(process, nullptr, 0);
}

bool send_request(int socket, const Channel& channel, const std::string& texts) {
  const Channel::ProgramFiles files = channel.program_files();
  wire::StartRequest head{files.socket, files.counters};
  iovec parts[] = {{&head, sizeof(head)}, {const_cast<char*>(texts.data()), texts.size()}};
  struct alignas(cmsghdr) Room {
    char bytes[CMSG_SPACE(sizeof(files))];
  } room = {};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  message.msg_control = room.bytes;
  message.msg_controllen = sizeof(room.bytes);
  cmsghdr* const attached = CMSG_FIRSTHDR(&message);
  attached->cmsg_level = SOL_SOCKET;
  attached->cmsg_type = SCM_RIGHTS;
  attached->cmsg_len = CMSG_LEN(sizeof(files));
  std::memcpy(CMSG_DATA(attached), &files, sizeof(files));
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) > 0;
}

}  // namespace

std::optional<ForkServer> ForkServer::start(const Program& program) {
  if (!is_linked_to_runtime(program)) return std::nullopt;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return std::nullopt;
  support::Descriptor ours(ends[0]);
  const support::Descriptor other(ends[1]);
  const support::Descriptor given(inheritable(other.get()));
  const auto process =
      watch::start(program,
                   {{wire::kChannelVariable, fmt::format("{}{}", wire::kServerMark, given.get())},
                    {kOptionsVariable, ""}},
                   {.own_group = true, .output = "/dev/null"});
  if (!process) return std::nullopt;
  bool ended = false;
  const auto news = receive(ours.get(), kPatience, ended);
  if (news && news->word == wire::ServerWord::kReady) return ForkServer(*process, std::move(ours));
  end(*process);
  return std::nullopt;
}

ForkServer::ForkServer(ForkServer&& other) noexcept
    : process_(std::exchange(other.process_, 0)),
      socket_(std::move(other.socket_)),
      alive_(other.alive_) {}

ForkServer::~ForkServer() {
  if (process_ != 0) end(process_);
}

Result<pid_t> ForkServer::run(const Channel& channel, const std::string& options,
                              const std::string& output) {
  std::string texts = fmt::format("{}={}", wire::kChannelVariable, channel.program_end());
  texts += '\0' + fmt::format("{}={}", kOptionsVariable, options);
  texts += '\0' + output + '\0';
  const bool sent =
      texts.size() < wire::StartRequest::kMostText && send_request(socket_.get(), channel, texts);
  bool ended = false;
  const auto news = sent ? receive(socket_.get(), kPatience, ended) : std::nullopt;
  if (news && news->word == wire::ServerWord::kStarted) return news->value;
  alive_ = false;
  return fail({}, "the fork server does not answer");
}

std::optional<ForkServer::End> ForkServer::ended() {
  bool gone = false;
  const auto news = receive(socket_.get(), 0, gone);
  if (news) return End{news->value, true};
  if (!gone) return std::nullopt;
  alive_ = false;
  return End{0, false};
}

}  // namespace omnium::watch
