// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/subprocess.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "support/check.h"

namespace omnium::test {

namespace {

// Far more than any program of the tests needs, on a slow machine with much else to do.
constexpr int kLimitSeconds = 240;

// Leaves the place where the program goes on writing alone.
std::string content_of(std::FILE* file) {
  std::string text;
  char block[64 * 1024];
  for (ssize_t got; (got = ::pread(::fileno(file), block, sizeof(block),
                                   static_cast<off_t>(text.size()))) > 0;) {
    text.append(block, static_cast<std::size_t>(got));
  }
  return text;
}

// What a program finds that was started from a terminal, whoever started the test.
void use_default_signals() {
  for (int number = 1; number < SIGRTMIN; ++number) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool ends_in_time(pid_t child, int milliseconds) {
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  CHECK(process >= 0);
  pollfd end{process, POLLIN, 0};
  int ended = -1;
  while (ended < 0) ended = ::poll(&end, 1, milliseconds);
  ::close(process);
  return ended != 0;
}

}  // namespace

int wait_for(pid_t child, std::string_view what) {
  if (!ends_in_time(child, kLimitSeconds * 1000)) {
    ADD_FAILURE() << "no end after " << kLimitSeconds << " s: " << what;
    ::kill(child, SIGKILL);
  }
  ::kill(-child, SIGKILL);
  int status = 0;
  CHECK(::waitpid(child, &status, 0) == child);
  return status;
}

Started::Started(std::vector<std::string> words, const std::string& input)
    : words_(std::move(words)), in_(std::tmpfile()), out_(std::tmpfile()), err_(std::tmpfile()) {
  CHECK(in_ != nullptr && out_ != nullptr && err_ != nullptr);
  std::fwrite(input.data(), 1, input.size(), in_);
  std::rewind(in_);
  std::vector<char*> argv;
  for (std::string& word : words_) argv.push_back(word.data());
  argv.push_back(nullptr);
  child_ = ::fork();
  CHECK(child_ >= 0);
  ::setpgid(child_, child_);  // by both, so that neither comes too late
  if (child_ != 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  use_default_signals();
  ::dup2(::fileno(in_), STDIN_FILENO);
  ::dup2(::fileno(out_), STDOUT_FILENO);
  ::dup2(::fileno(err_), STDERR_FILENO);
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

Started::~Started() {
  if (child_ != 0) {
    ::kill(-child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  for (std::FILE* file : {in_, out_, err_}) std::fclose(file);
}

void Started::send(int signal) const { ::kill(child_, signal); }

bool Started::ends_within(int milliseconds) const { return ends_in_time(child_, milliseconds); }

int Started::wait() {
  std::string command;
  for (const std::string& word : words_) command += word + " ";
  return wait_for(std::exchange(child_, 0), command);
}

std::string Started::out() const { return content_of(out_); }
std::string Started::err() const { return content_of(err_); }

Ran omnium(const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<std::string> words{OMNIUM_BINARY_DIR "/omnium"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program(words, input);
}

Ran run_program(std::vector<std::string> words, const std::string& input) {
  Started program(std::move(words), input);
  const int status = program.wait();
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, program.out(), program.err()};
}

Ran shell(const std::string& command) { return run_program({"/bin/sh", "-c", command}, ""); }

ScratchDirectory::ScratchDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "omnium-XXXXXX").string();
  CHECK(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ScratchDirectory::file(const std::string& name, const std::string& content) const {
  std::ofstream(path(name), std::ios::binary) << content;
  return path(name);
}

std::vector<std::string> ScratchDirectory::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace omnium::test
