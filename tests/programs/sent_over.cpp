// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A number is counted up and then left to another thread, which learns of it through a pipe, a
// socket, a file, a signal, … Nobody could set it earlier.
//
// expect: nothing
// predict: nothing
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <thread>

#include <omnium/atomic.h>

// `give` and `take` order the two threads.
template <typename Give, typename Take>
void hand_over(Give give, Take take) {
  auto* number = new long(0);
  std::thread counter([&] {
    {
      OMNIUM_ATOMIC("count");
      *number += 1;
    }
    give();
  });
  std::thread setter([&] {
    if (take()) *number = 7;
  });
  counter.join();
  setter.join();
  delete number;
}

char byte = 0;
bool put(int file) { return write(file, &byte, 1) == 1; }
bool get(int file) {
  char own;
  return read(file, &own, 1) == 1;
}

int handled[2];

int main() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigaddset(&signals, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  int ends[2];
  if (pipe(ends) != 0 || pipe(handled) != 0) return 1;
  hand_over([&] { put(ends[1]); }, [&] { return get(ends[0]); });
  hand_over([&] { close(ends[1]); }, [&] { return !get(ends[0]); });

  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return 1;
  hand_over([&] { send(sockets[1], &byte, 1, 0); },
            [&] {
              char own;
              return recv(sockets[0], &own, 1, 0) == 1;
            });
  iovec part = {&byte, 1};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  hand_over([&] { sendmsg(sockets[1], &message, 0); },
            [&] {
              char own;
              iovec own_part = {&own, 1};
              msghdr own_message = {};
              own_message.msg_iov = &own_part;
              own_message.msg_iovlen = 1;
              return recvmsg(sockets[0], &own_message, 0) == 1;
            });

  const int event = eventfd(0, 0);
  hand_over([&] { eventfd_write(event, 1); },
            [&] {
              eventfd_t value;
              return eventfd_read(event, &value) == 0;
            });
  hand_over([&] { kill(getpid(), SIGUSR1); },
            [&] {
              int number;
              return sigwait(&signals, &number) == 0;
            });

  int streams[2];
  if (pipe(streams) != 0) return 1;
  FILE* const to = fdopen(streams[1], "w");
  FILE* const from = fdopen(streams[0], "r");
  hand_over(
      [&] {
        fputc('x', to);
        fflush(to);
      },
      [&] { return fgetc(from) == 'x'; });

  // The handler runs in the thread that waits, at any moment after the signal was sent.
  pthread_t waiting;
  static thread_local volatile sig_atomic_t tls_came = 0;
  signal(SIGUSR2, [](int) { tls_came = 1; });
  hand_over(
      [&] {
        get(handled[0]);
        pthread_kill(waiting, SIGUSR2);
      },
      [&] {
        waiting = pthread_self();
        put(handled[1]);
        sigset_t none;
        sigemptyset(&none);
        sigsuspend(&none);
        return tls_came == 1;
      });
}
