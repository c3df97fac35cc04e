// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/target.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <unistd.h>

#include <cstring>
#include <initializer_list>

namespace omnium::runtime {

namespace {

struct Module {
  char name[NAME_MAX + 1];  // without its folder
  bool loaded;
  Pc bias;
};

const char* file_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

int find_bias(dl_phdr_info* info, std::size_t, void* data) {
  Module& module = *static_cast<Module*>(data);
  char self[PATH_MAX];
  const char* path = info->dlpi_name;
  if (path[0] == '\0') {
    const ssize_t size = readlink("/proc/self/exe", self, sizeof(self) - 1);
    self[size < 0 ? 0 : size] = '\0';
    path = self;
  }
  if (std::strcmp(file_name(path), module.name) != 0) return 0;
  module.bias = info->dlpi_addr;
  return 1;
}

// Words and numbers of the text, one after the other.
class Reader {
 public:
  explicit Reader(const char* text) : at_(text) {}

  bool at_end() {
    skip_blanks();
    return *at_ == '\0';
  }
  bool at_end_of_line() {
    while (*at_ == ' ') ++at_;
    return *at_ == '\n' || *at_ == '\0';
  }
  // Goes behind the word if it is the next one.
  bool word(const char* expected) {
    skip_blanks();
    const std::size_t length = std::strlen(expected);
    if (std::strncmp(at_, expected, length) != 0 || at_[length] > ' ') return false;
    at_ += length;
    return true;
  }
  void rest_of_line(char* to, std::size_t most) {
    while (*at_ == ' ') ++at_;
    for (; *at_ != '\n' && *at_ != '\0'; ++at_) {
      if (most > 1) *to++ = *at_, --most;
    }
    *to = '\0';
  }
  // Skips a line that only `omnium replay` and people read.
  bool is_for_others() {
    for (const char* word_of_line : {"#", "program", "argument", "build", "options", "environment",
                                     "cause", "failure", "found", "perturb", "pause"}) {
      if (!word(word_of_line)) continue;
      char ignored[1];
      rest_of_line(ignored, sizeof(ignored));
      return true;
    }
    return false;
  }
  bool number(unsigned base, std::uint64_t& value) {
    while (*at_ == ' ') ++at_;
    const char* const begin = at_;
    value = 0;
    for (;; ++at_) {
      const unsigned digit = *at_ >= '0' && *at_ <= '9'   ? static_cast<unsigned>(*at_ - '0')
                             : *at_ >= 'a' && *at_ <= 'f' ? static_cast<unsigned>(*at_ - 'a' + 10)
                                                          : base;
      if (digit >= base) return at_ != begin;
      value = value * base + digit;
    }
  }
  bool sign(char expected) {
    if (*at_ != expected) return false;
    ++at_;
    return true;
  }

 private:
  void skip_blanks() {
    while (*at_ == ' ' || *at_ == '\n') ++at_;
  }
  const char* at_;
};

constexpr std::size_t kMostModules = 8;
struct Modules {
  Module list[kMostModules];
  std::size_t count;
};
Modules modules_of_target;

void find(Module& module) { module.loaded = dl_iterate_phdr(find_bias, &module) != 0; }

const char* read_module(Reader& in, Modules& modules) {
  char path[PATH_MAX];
  in.rest_of_line(path, sizeof(path));
  if (modules.count == kMostModules) return "too many modules";
  Module& module = modules.list[modules.count++];
  const char* const name = file_name(path);
  if (std::strlen(name) >= sizeof(module.name)) return "a module with too long a name";
  std::strcpy(module.name, name);
  find(module);
  return nullptr;
}

// MODULE:ADDRESS,MODULE:ADDRESS,...
bool read_codes(Reader& in, const Modules& modules, Codes& codes) {
  do {
    std::uint64_t module, address;
    if (!in.number(10, module) || module >= modules.count) return false;
    if (!in.sign(':') || !in.number(16, address)) return false;
    if (codes.count < Codes::kMost) {
      codes.modules[codes.count] = static_cast<std::uint32_t>(module);
      codes.addresses[codes.count++] = address;
    }
  } while (in.sign(','));
  return true;
}

// step ROLE read|write|either|acquire CODES [gate CODES] [same STEP] [late] [hold]
const char* read_step(Reader& in, const Modules& modules, Target& target) {
  constexpr const char* kWrong = "a step that cannot be read";
  if (target.count == Target::kMostSteps) return "too many steps";
  TargetStep& step = target.steps[target.count];
  step = {};
  step.same = -1;
  std::uint64_t value;
  if (!in.number(10, value) || value >= Target::kMostRoles) return kWrong;
  step.role = static_cast<std::uint32_t>(value);
  const bool either = in.word("either");
  step.reads = either || in.word("read");
  step.writes = either || (!step.reads && in.word("write"));
  step.acquires = !step.reads && !step.writes && in.word("acquire");
  if (!step.reads && !step.writes && !step.acquires) return kWrong;
  if (!read_codes(in, modules, step.access)) return kWrong;
  while (!in.at_end_of_line()) {
    if (in.word("gate")) {
      if (!read_codes(in, modules, step.gate)) return kWrong;
    } else if (in.word("hold")) {
      step.hold = true;
    } else if (in.word("late")) {
      step.late = true;
    } else if (in.word("same")) {
      if (!in.number(10, value) || value >= target.count) return kWrong;
      step.same = static_cast<int>(value);
    } else {
      return kWrong;
    }
  }
  ++target.count;
  return nullptr;
}

void place(const Modules& modules, Codes& codes) {
  for (std::size_t i = 0; i < codes.count; ++i) {
    const Module& module = modules.list[codes.modules[i]];
    codes.pcs[i] = module.loaded ? module.bias + codes.addresses[i] : 0;
  }
}

const char* read_point(Reader& in, const Modules& modules, void (*add)(Pc pc)) {
  Codes codes{};
  if (!read_codes(in, modules, codes)) return "a place that cannot be read";
  place(modules, codes);
  for (std::size_t i = 0; i < codes.count; ++i) {
    if (codes.pcs[i] != 0) add(codes.pcs[i]);
  }
  return nullptr;
}

// Of the last two, only what is wanted may be in the file.
const char* read_schedule(const char* path, Modules& modules, Target* target, void (*add)(Pc pc)) {
  static char text[32 * 1024];
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return "cannot be read";
  const ssize_t size = read(file, text, sizeof(text) - 1);
  close(file);
  if (size < 0) return "cannot be read";
  text[size] = '\0';
  Reader in(text);
  if (!in.word("omnium-schedule") || !in.word("1")) return "is no schedule of this version";
  modules.count = 0;
  while (!in.at_end()) {
    const char* wrong = "contains a line that cannot be read";
    if (in.word("module")) {
      wrong = read_module(in, modules);
    } else if (target != nullptr && in.word("step")) {
      wrong = read_step(in, modules, *target);
    } else if (add != nullptr && in.word("point")) {
      wrong = read_point(in, modules, add);
    } else if (in.is_for_others()) {
      wrong = nullptr;
    }
    if (wrong != nullptr) return wrong;
  }
  return nullptr;
}

}  // namespace

const char* read_target(const char* path, Target& target) {
  target.count = 0;
  if (const char* wrong = read_schedule(path, modules_of_target, &target, nullptr)) return wrong;
  if (target.count == 0) return "contains no step";
  place_in_modules(target);
  return nullptr;
}

void find_modules_of_target() {
  for (std::size_t i = 0; i < modules_of_target.count; ++i) find(modules_of_target.list[i]);
}

void place_in_modules(Target& target) {
  for (std::uint32_t i = 0; i < target.count; ++i) {
    place(modules_of_target, target.steps[i].access);
    place(modules_of_target, target.steps[i].gate);
  }
}

const char* read_places(const char* path, void (*add)(Pc pc)) {
  static Modules modules;
  return read_schedule(path, modules, nullptr, add);
}

}  // namespace omnium::runtime
