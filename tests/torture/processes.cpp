// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Child processes, files and libraries.
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "torture.h"

extern char** environ;

namespace torture {
namespace {

std::uint64_t status_of(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) std::abort();
  return static_cast<std::uint64_t>(status);
}

// The child has one thread, and locks of the others may be taken: it uses none of them.
void fork_one(Worker& self) {
  const pid_t child = fork();
  if (child == 0) {
    {
      OMNIUM_ATOMIC(fresh("in the child").c_str());
      world.wide += 1;
      world.wide += 1;
    }
    _exit(5);
  }
  self.note(status_of(child));
}

void spawn_one(Worker& self) {
  char name[] = "/bin/true";
  char* const arguments[] = {name, nullptr};
  pid_t child = -1;
  if (posix_spawn(&child, name, nullptr, nullptr, arguments, environ) != 0) std::abort();
  self.note(status_of(child));
}

void use_files(Worker& self) {
  const int file = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  const int other = fcntl(file, F_DUPFD_CLOEXEC, 200);
  char bytes[16];
  self.note(static_cast<std::uint64_t>(read(other, bytes, sizeof bytes)));
  close(file);
  close(other);
}

void use_library(Worker& self) {
  void* library = dlopen(world.plugin, RTLD_NOW);
  if (library == nullptr) std::abort();
  auto* twice = reinterpret_cast<long (*)(std::atomic<long>*)>(dlsym(library, "add_twice"));
  twice(&world.wide);
  dlclose(library);
  self.note(6);
}

constexpr Action kActions[] = {fork_one, spawn_one, use_files, use_library};

}  // namespace

std::span<const Action> process_actions() { return kActions; }

}  // namespace torture
