// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A wrapper around the assembler. Compilers find it by -B and call it as `as`. It rewrites the
// assembly code in memory and then becomes the real assembler, so no temporary file is left behind
// and the compiler gets the real assembler's status.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "assembler/rewrite.h"

namespace omnium::assembler {

namespace {

namespace fs = std::filesystem;

bool takes_next_word(std::string_view word) {
  return word == "-o" || word == "-I" || word == "--defsym" || word == "--MD" || word == "-G";
}

// The indices of the input files among the words of the command line.
std::vector<std::size_t> inputs_among(const std::vector<std::string>& words) {
  std::vector<std::size_t> inputs;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (takes_next_word(words[i])) {
      ++i;
    } else if (words[i].front() != '-') {
      inputs.push_back(i);
    }
  }
  return inputs;
}

std::optional<std::string> read_all(int file) {
  std::string text;
  char buffer[1 << 16];
  for (ssize_t n; (n = read(file, buffer, sizeof buffer)) != 0;) {
    if (n < 0 && errno != EINTR) return std::nullopt;
    if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
  }
  return text;
}

// A file in memory with this text; -1 if there is no room.
int in_memory(std::string_view text) {
  constexpr unsigned kNeverExecuted =
      8;  // MFD_NOEXEC_SEAL; systems can demand it, old ones lack it
  int file = memfd_create("rewritten", kNeverExecuted);
  if (file < 0) file = memfd_create("rewritten", 0);
  while (file >= 0 && !text.empty()) {
    const ssize_t n = write(file, text.data(), text.size());
    if (n < 0 && errno != EINTR) return -1;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
  if (file >= 0) lseek(file, 0, SEEK_SET);
  return file;
}

// Rewrites the input if there is one file, or standard input. False if standard input is lost.
bool rewrite_input(std::vector<std::string>& words) {
  const std::vector<std::size_t> inputs = inputs_among(words);
  if (inputs.size() > 1) return true;
  const int file = inputs.empty() ? STDIN_FILENO : open(words[inputs[0]].c_str(), O_RDONLY);
  if (file < 0) return true;  // the assembler will say why
  const auto text = read_all(file);
  const int fresh = text ? in_memory(rewritten(*text)) : -1;
  if (!inputs.empty()) close(file);
  if (fresh < 0) return !inputs.empty();
  if (inputs.empty()) return dup2(fresh, STDIN_FILENO) == STDIN_FILENO;
  words[inputs[0]] = fmt::format("/proc/self/fd/{}", fresh);
  return true;
}

// The assembler that the compiler would have called without us.
std::string real_assembler() {
  if (const char* said = std::getenv("OMNIUM_AS"); said != nullptr && *said != '\0') return said;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder.empty() ? "." : folder) / "as";
    if (access(program.c_str(), X_OK) == 0 && !fs::equivalent(program, self, error)) return program;
  }
  return "";
}

int fail(const std::string& why) {
  fmt::print(stderr, "omnium: error: {}\n", why);
  return 1;
}

int run(std::vector<std::string> words) {
  const std::string assembler = real_assembler();
  if (assembler.empty()) return fail("no assembler `as` found in PATH; set OMNIUM_AS");
  if (!rewrite_input(words)) return fail(std::string("standard input: ") + std::strerror(errno));
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(assembler.c_str(), arguments.data());
  return fail(fmt::format("{}: {}", assembler, std::strerror(errno)));
}

}  // namespace

}  // namespace omnium::assembler

int main(int count, char** words) {
  return omnium::assembler::run(std::vector<std::string>(words, words + count));
}
