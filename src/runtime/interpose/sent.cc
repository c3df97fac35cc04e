// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Both ends of a pipe are one file to the kernel. Where it does not say what belongs together (the
// ends of a connection, descriptors that signals come from), everything of that kind does: then
// predictions keep more order than there is.
#include "runtime/interpose/sent.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(close);
OMNIUM_REAL(fclose);
OMNIUM_REAL(fflush);
OMNIUM_REAL(kill);
OMNIUM_REAL(pthread_kill);
OMNIUM_REAL(pthread_sigqueue);
OMNIUM_REAL(raise);
OMNIUM_REAL(sigqueue);
OMNIUM_REAL(sigtimedwait);
OMNIUM_REAL(sigwait);
OMNIUM_REAL(sigwaitinfo);

constexpr std::size_t kSignals = 0, kSockets = 1, kFiles = 2, kWords = 1 << 10;
std::uint64_t sent_words[kWords];

// Null if nothing comes back from there: from a terminal, for example.
std::uint64_t* word_of(int file) {
  struct stat status;
  const int error = errno;
  const bool known = fstat(file, &status) == 0;
  errno = error;
  if (!known) return nullptr;
  switch (status.st_mode & S_IFMT) {
    case S_IFCHR: return nullptr;
    case S_IFSOCK: return &sent_words[kSockets];
    case 0: return &sent_words[kSignals];  // eventfd, signalfd, timerfd: all are one file
    default: return &sent_words[kFiles + (status.st_ino * 31 + status.st_dev) % (kWords - kFiles)];
  }
}

}  // namespace

void sending_to(int file, Pc pc) {
  if (!records_for_predictions()) return;
  std::uint64_t* const word = word_of(file);
  if (word != nullptr) sending(*word, pc);
}

void received_from(int file, Pc pc) {
  if (!records_for_predictions()) return;
  std::uint64_t* const word = word_of(file);
  if (word != nullptr) received(*word, pc);
}

void sending_to(FILE* file, Pc pc) {
  if (records_for_predictions()) sending_to(fileno_unlocked(file), pc);
}

void received_from(FILE* file, Pc pc) {
  if (records_for_predictions()) received_from(fileno_unlocked(file), pc);
}

void sending_signal(Pc pc) {
  if (records_for_predictions()) sending(sent_words[kSignals], pc);
}

void signal_received(Pc pc) {
  if (records_for_predictions()) received(sent_words[kSignals], pc);
}

// Who reads from the other end gets to know that this one is closed.
OMNIUM_INTERPOSE int close(int file) {
  sending_to(file, OMNIUM_USER_PC());
  return real_close(file);
}

OMNIUM_INTERPOSE int fclose(FILE* file) {
  sending_to(file, OMNIUM_USER_PC());
  return real_fclose(file);
}

OMNIUM_INTERPOSE int fflush(FILE* file) {
  if (file != nullptr) sending_to(file, OMNIUM_USER_PC());
  return real_fflush(file);
}

OMNIUM_INTERPOSE int kill(pid_t process, int number) noexcept {
  sending_signal(OMNIUM_USER_PC());
  return real_kill(process, number);
}

OMNIUM_INTERPOSE int raise(int number) noexcept {
  sending_signal(OMNIUM_USER_PC());
  return real_raise(number);
}

OMNIUM_INTERPOSE int pthread_kill(pthread_t thread, int number) noexcept {
  sending_signal(OMNIUM_USER_PC());
  return real_pthread_kill(thread, number);
}

OMNIUM_INTERPOSE int sigqueue(pid_t process, int number, sigval value) noexcept {
  sending_signal(OMNIUM_USER_PC());
  return real_sigqueue(process, number, value);
}

OMNIUM_INTERPOSE int pthread_sigqueue(pthread_t thread, int number, sigval value) noexcept {
  sending_signal(OMNIUM_USER_PC());
  return real_pthread_sigqueue(thread, number, value);
}

OMNIUM_INTERPOSE int sigwait(const sigset_t* signals, int* number) {
  const int error = real_sigwait(signals, number);
  if (error == 0) signal_received(OMNIUM_USER_PC());
  return error;
}

OMNIUM_INTERPOSE int sigwaitinfo(const sigset_t* signals, siginfo_t* info) {
  const int number = real_sigwaitinfo(signals, info);
  if (number > 0) signal_received(OMNIUM_USER_PC());
  return number;
}

OMNIUM_INTERPOSE int sigtimedwait(const sigset_t* signals, siginfo_t* info,
                                  const timespec* longest) {
  const int number = real_sigtimedwait(signals, info, longest);
  if (number > 0) signal_received(OMNIUM_USER_PC());
  return number;
}

}  // namespace omnium::runtime
