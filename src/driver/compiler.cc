// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include <fmt/format.h>

namespace omnium::driver {

namespace {

namespace fs = std::filesystem;

bool is_executable(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

bool on_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return is_executable(program);
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (is_executable(fs::path(folder.empty() ? "." : folder) / program)) return true;
  }
  return false;
}

// Standard output of a program that ends with status 0; its messages are dropped.
std::optional<std::string> output_of(Words command) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string out;
  char buffer[4096];
  for (ssize_t n = 0; failed == 0 && (n = read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (n < 0 && errno != EINTR) break;
    if (n > 0) out.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  while (failed == 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return failed != 0 || status != 0 ? std::nullopt : std::optional(out);
}

}  // namespace

Result<Words> compiler_command(Language language) {
  const bool is_c = language == Language::kC;
  const char* variable = is_c ? "OMNIUM_CC" : "OMNIUM_CXX";
  const char* value = std::getenv(variable);
  std::istringstream text(value == nullptr ? "" : value);
  Words command;
  for (std::string word; text >> word;) command.push_back(word);
  if (command.empty()) {
    const std::string usual = is_c ? "gcc" : "g++";
    const std::string other = is_c ? "cc" : "c++";
    if (!on_path(usual) && !on_path(other)) {
      return fail({}, fmt::format("no compiler found: neither {} nor {} is in PATH; set {}", usual,
                                  other, variable));
    }
    return Words{on_path(usual) ? usual : other};
  }
  if (fs::path(command.back()).filename().string().starts_with("omnium-c")) {
    return fail({}, fmt::format("{}={} points back to Omnium's own driver; name the real compiler",
                                variable, command.back()));
  }
  if (!on_path(command[0])) {
    return fail({}, fmt::format("{}={}: no such program", variable, command[0]));
  }
  return command;
}

Result<Family> family_of(const Words& command) {
  Words question = command;
  question.push_back("--version");
  const auto answer = output_of(question);
  if (!answer) return fail({}, fmt::format("{} --version failed", command.back()));
  return answer->find("clang") != std::string::npos ? Family::kClang : Family::kGcc;
}

}  // namespace omnium::driver
