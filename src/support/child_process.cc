// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "support/child_process.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace omnium::support {

namespace {

// Files and not pipes: neither side can wait for the other.
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
File temporary_file() { return {std::tmpfile(), &std::fclose}; }

tl::unexpected<Error> cannot_run(const std::string& program, std::string_view why) {
  return fail({}, fmt::format("cannot run {}: {}", program, why));
}

Result<void> run(const std::vector<std::string>& command, std::FILE* in, std::FILE* out) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(in), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(out), STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, command[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return cannot_run(command[0], std::strerror(error));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return cannot_run(command[0], std::strerror(errno));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return cannot_run(command[0], "it failed");
  return {};
}

}  // namespace

Result<std::string> filtered(const std::vector<std::string>& command, std::string_view input) {
  const File in = temporary_file(), out = temporary_file();
  if (!in || !out) return cannot_run(command[0], "cannot create a temporary file");
  if (std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() ||
      std::fflush(in.get()) != 0) {
    return cannot_run(command[0], std::strerror(errno));
  }
  std::rewind(in.get());
  if (auto ran = run(command, in.get(), out.get()); !ran) return tl::unexpected(ran.error());
  std::rewind(out.get());
  std::string text;
  char buffer[64 * 1024];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, out.get())) {
    text.append(buffer, count);
  }
  return text;
}

}  // namespace omnium::support
