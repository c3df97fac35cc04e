// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include <fcntl.h>
#include <gelf.h>
#include <spawn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace omnium::watch {

namespace {

constexpr std::string_view kRuntimeLibrary = "libomnium_rt";
constexpr std::string_view kHowToBuild =
    "build it with `omnium cc` or `omnium c++` (CC=omnium-cc CXX=omnium-c++)";

std::string in_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* variable = std::getenv("PATH");
  std::string_view left = variable == nullptr ? "/usr/bin:/bin" : variable;
  for (;;) {
    const std::string_view folder = left.substr(0, left.find(':'));
    std::string path = folder.empty() ? name : fmt::format("{}/{}", folder, name);
    struct stat facts {};
    if (::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
        ::access(path.c_str(), X_OK) == 0) {
      return path;
    }
    if (folder.size() == left.size()) return "";
    left.remove_prefix(folder.size() + 1);
  }
}

// Facts about an ELF file.
struct ElfFacts {
  bool is_elf = false;
  bool is_static = true;
  bool runtime = false;  // it is linked with our library, or contains it
  bool linked = false;   // it is linked with it
};

void look_at_dynamic(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, ElfFacts& facts) {
  Elf_Data* data = elf_getdata(section, nullptr);
  const std::size_t count = header.sh_entsize == 0 ? 0 : header.sh_size / header.sh_entsize;
  for (std::size_t i = 0; data != nullptr && i < count; ++i) {
    GElf_Dyn entry;
    if (gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr) return;
    if (entry.d_tag != DT_NEEDED) continue;
    const char* name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
    if (name != nullptr && std::string_view(name).starts_with(kRuntimeLibrary)) {
      facts.runtime = facts.linked = true;
    }
  }
}

void look_at_symbols(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, ElfFacts& facts) {
  Elf_Data* data = elf_getdata(section, nullptr);
  const std::size_t count = header.sh_entsize == 0 ? 0 : header.sh_size / header.sh_entsize;
  for (std::size_t i = 0; data != nullptr && i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) return;
    const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (name == nullptr || symbol.st_shndx == SHN_UNDEF) continue;
    if (std::string_view(name) == "__tsan_init") facts.runtime = true;
  }
}

ElfFacts look_at(const std::string& path) {
  ElfFacts facts;
  elf_version(EV_CURRENT);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return facts;
  const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(file, ELF_C_READ_MMAP, nullptr), elf_end);
  if (elf != nullptr && elf_kind(elf.get()) == ELF_K_ELF) {
    facts.is_elf = true;
    std::size_t count = 0;
    elf_getphdrnum(elf.get(), &count);
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Phdr header;
      if (gelf_getphdr(elf.get(), static_cast<int>(i), &header) == nullptr) break;
      if (header.p_type == PT_INTERP) facts.is_static = false;
    }
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr) continue;
      if (header.sh_type == SHT_DYNAMIC) look_at_dynamic(elf.get(), section, header, facts);
      if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) {
        look_at_symbols(elf.get(), section, header, facts);
      }
    }
  }
  ::close(file);
  return facts;
}

// Our environment, with these variables instead of those with the same names.
std::vector<std::string> environment_with(const std::vector<Variable>& variables) {
  std::vector<std::string> out;
  for (char** it = environ; *it != nullptr; ++it) {
    const std::string_view line = *it;
    const bool replaced = std::ranges::any_of(variables, [&](const Variable& variable) {
      return line.starts_with(variable.first + "=");
    });
    if (!replaced) out.emplace_back(line);
  }
  for (const auto& [name, value] : variables) out.push_back(fmt::format("{}={}", name, value));
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (std::string& string : strings) out.push_back(string.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

Result<Program> find_program(std::vector<std::string> arguments) {
  const std::string& name = arguments.front();
  const std::string path = in_path(name);
  if (path.empty()) {
    const bool here = ::access(name.c_str(), X_OK) == 0;
    return fail({},
                fmt::format("program '{}' not found{}", printable(name),
                            here ? fmt::format("; did you mean './{}'?", printable(name)) : ""));
  }
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return fail({path}, std::strerror(errno));
  if (S_ISDIR(facts.st_mode)) return fail({path}, "is a directory, not a program");
  if (::access(path.c_str(), X_OK) != 0) return fail({path}, "is not executable");
  const bool other_user = (facts.st_mode & S_ISUID) != 0 && facts.st_uid != ::geteuid();
  const bool other_group = (facts.st_mode & S_ISGID) != 0 && facts.st_gid != ::getegid();
  if ((other_user || other_group) && ::geteuid() != 0) {
    return fail(
        {path},
        "is set-user-ID or set-group-ID and cannot be checked: run a copy without that bit");
  }
  return Program{path, std::move(arguments)};
}

std::optional<std::string> not_instrumented(const Program& program) {
  const ElfFacts facts = look_at(program.path);
  if (!facts.is_elf || facts.runtime) return std::nullopt;
  return fmt::format("{} is {}not instrumented: {}", printable(program.path),
                     facts.is_static ? "statically linked and " : "", kHowToBuild);
}

bool is_linked_to_runtime(const Program& program) { return look_at(program.path).linked; }

Result<pid_t> start(const Program& program, const std::vector<Variable>& variables,
                    const StartOptions& options) {
  std::vector<std::string> arguments = program.arguments;
  std::vector<std::string> environment = environment_with(variables);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  // omnium ignores these, which would be inherited.
  for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  if (options.own_group) flags |= POSIX_SPAWN_SETPGROUP;
  posix_spawnattr_setflags(&attributes, static_cast<short>(flags));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!options.output.empty()) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, options.output.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  }
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, program.path.c_str(), &actions, &attributes,
                                   pointers(arguments).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) {
    return fail({program.path}, fmt::format("cannot start: {}", std::strerror(failed)));
  }
  return child;
}

}  // namespace omnium::watch
