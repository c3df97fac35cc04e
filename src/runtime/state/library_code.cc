// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/state/library_code.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "runtime/state/modules.h"
#include "runtime/system/mapped.h"
#include "runtime/system/spin_lock.h"
#include "wire/library_names.h"

namespace omnium::runtime {

namespace {

struct Range {
  Pc begin, end;  // equal if the module has been unloaded
};

// Sorted ranges of code, and a cache of recent answers (the address and the answer in one word).
// Tables are never freed, because another thread may be reading one. A table is changed in place
// when a module is unloaded or loaded again, and replaced when a module brings new ranges.
struct Table {
  static constexpr std::size_t kAnswers = 1 << 10;
  static constexpr std::uint64_t kLibrary = 1, kInstrumented = 2;
  std::atomic<std::uint64_t> answers[kAnswers];
  std::size_t count;
  Range ranges[1];

  static Table* make(std::size_t most) {
    return static_cast<Table*>(map_memory(sizeof(Table) + most * sizeof(Range)));
  }
  bool search(Pc code) const {
    const Range* after =
        std::upper_bound(ranges, ranges + count, code,
                         [](Pc asked, const Range& range) { return asked < range.begin; });
    return after != ranges && code < std::atomic_ref(after[-1].end).load(std::memory_order_relaxed);
  }
  Range* first_behind(Pc code) {
    return std::lower_bound(ranges, ranges + count, code,
                            [](const Range& range, Pc asked) { return range.begin < asked; });
  }
  // Replaces the ranges in [begin, end) by `added`. False if that needs a new table, because other
  // ranges were there. No thread runs this code meanwhile, as it is being loaded or unloaded.
  bool change(Pc begin, Pc end, const Range* added, std::size_t added_count) {
    Range* const first = first_behind(begin);
    const auto here = static_cast<std::size_t>(first_behind(end) - first);
    const auto same_begin = [](const Range& a, const Range& b) { return a.begin == b.begin; };
    if (added_count != 0 &&
        !std::equal(first, first + here, added, added + added_count, same_begin))
      return false;
    for (std::size_t i = 0; i < here; ++i) {
      const Pc range_end = added_count == 0 ? first[i].begin : added[i].end;
      std::atomic_ref(first[i].end).store(range_end, std::memory_order_relaxed);
    }
    for (auto& answer : answers) {
      const Pc code = answer.load(std::memory_order_relaxed) >> 2;
      if (code >= begin && code < end) answer.store(0, std::memory_order_relaxed);
    }
    return true;
  }
  std::atomic<std::uint64_t>& answer_to(Pc code) { return answers[(code ^ code >> 10) % kAnswers]; }
  // Is this the cached answer for the code?
  bool answered(Pc code, std::uint64_t answer) {
    return answer_to(code).load(std::memory_order_relaxed) == (code << 2 | answer);
  }
  // The answer has the bits kLibrary and kInstrumented.
  std::uint64_t ask(Pc code) {
    std::atomic<std::uint64_t>& place = answer_to(code);
    std::uint64_t answer = place.load(std::memory_order_relaxed);
    if (answer >> 2 != code) {
      answer = code << 2 | (search(code) ? kLibrary : 0) |
               (is_instrumented_code(code) ? kInstrumented : 0);
      place.store(answer, std::memory_order_relaxed);
    }
    return answer;
  }
};

constinit std::atomic<Table*> table = nullptr;       // null if there is no library code
constinit std::atomic<Table*> coroutines = nullptr;  // null if there is no code of coroutines
constinit SpinLock lock;

// Does the function start with push %rbp; mov %rsp,%rbp? Then %rbp points to the caller's %rbp and
// to the return address.
bool keeps_frame_pointer(Pc function) {
  const auto* code = reinterpret_cast<const unsigned char*>(function);
  if (std::memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0) code += 4;  // endbr64
  return std::memcmp(code, "\x55\x48\x89\xe5", 4) == 0;
}

// An ELF file mapped into memory. All offsets in it are checked.
class ElfFile {
 public:
  explicit ElfFile(const char* path) {
    const int file =
        static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat facts;
    if (file < 0) return;
    void* memory = MAP_FAILED;
    if (fstat(file, &facts) == 0) {
      size_ = static_cast<std::size_t>(facts.st_size);
      memory = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    syscall(SYS_close, file);
    bytes_ = memory == MAP_FAILED ? nullptr : static_cast<const char*>(memory);
  }
  ~ElfFile() {
    if (bytes_ != nullptr) munmap(const_cast<char*>(bytes_), size_);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  // Calls visit(name, symbol) for each symbol.
  template <typename Visit>
  void visit_symbols(Visit&& visit) const {
    const auto* head = at<ElfW(Ehdr)>(0, 1);
    if (head == nullptr) return;
    const auto* sections = at<ElfW(Shdr)>(head->e_shoff, head->e_shnum);
    for (std::size_t i = 0; sections != nullptr && i < head->e_shnum; ++i) {
      if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= head->e_shnum) continue;
      const ElfW(Shdr)& strings = sections[sections[i].sh_link];
      const std::size_t count = sections[i].sh_size / sizeof(ElfW(Sym));
      const auto* symbols = at<ElfW(Sym)>(sections[i].sh_offset, count);
      const char* text = at<char>(strings.sh_offset, strings.sh_size);
      if (symbols == nullptr || text == nullptr || strings.sh_size == 0) return;
      if (text[strings.sh_size - 1] != '\0') return;
      for (std::size_t k = 0; k < count; ++k) {
        if (symbols[k].st_name < strings.sh_size) visit(text + symbols[k].st_name, symbols[k]);
      }
    }
  }

 private:
  template <typename T>
  const T* at(std::size_t offset, std::size_t count) const {
    const bool inside =
        bytes_ != nullptr && offset <= size_ && (size_ - offset) / sizeof(T) >= count;
    return inside ? reinterpret_cast<const T*>(bytes_ + offset) : nullptr;
  }

  const char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

struct Module {
  Pc begin, bias = 0, end = 0;
  char path[4096] = "";
};

int find_module(dl_phdr_info* info, std::size_t, void* argument) {
  auto& module = *static_cast<Module*>(argument);
  bool found = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const Pc begin = info->dlpi_addr + part.p_vaddr;
    found |= begin <= module.begin && module.begin < begin + part.p_memsz;
    if (found) module.end = begin + part.p_memsz;
  }
  if (!found) return 0;
  module.bias = info->dlpi_addr;
  const char* path = info->dlpi_name[0] == '\0' ? "/proc/self/exe" : info->dlpi_name;
  std::strncpy(module.path, path, sizeof(module.path) - 1);
  return 1;
}

bool is_before(const Range& a, const Range& b) { return a.begin < b.begin; }

// Removes the ranges in [begin, end) from the table and adds `added`, which is sorted.
void change_table(std::atomic<Table*>& which, Pc begin, Pc end, const Range* added,
                  std::size_t added_count) {
  const SpinGuard guard(lock);
  Table* const old = which.load(std::memory_order_relaxed);
  const std::size_t old_count = old == nullptr ? 0 : old->count;
  if (old == nullptr && added_count == 0) return;
  if (old != nullptr && old->change(begin, end, added, added_count)) return;
  Table& made = *Table::make(old_count + added_count);
  for (std::size_t i = 0; i < old_count; ++i) {
    const Range& range = old->ranges[i];
    const bool is_elsewhere = range.end <= begin || range.begin >= end;
    if (is_elsewhere && range.begin != range.end) made.ranges[made.count++] = range;
  }
  for (std::size_t i = 0; i < added_count; ++i) made.ranges[made.count++] = added[i];
  std::sort(made.ranges, made.ranges + made.count, is_before);
  which.store(&made, std::memory_order_release);
}

// An array in two steps: what is added at first is only counted.
template <typename T>
struct Found {
  T* items = nullptr;
  std::size_t count = 0, most = 0;

  void add(const T& item) {
    if (count < most) items[count] = item;
    ++count;
  }
  // What is added from now on stays. `more` items need not have been counted.
  void make_room(std::size_t more = 0) {
    most = count + more;
    count = 0;
    if (most != 0) items = map_array<T>(most);
  }
  ~Found() {
    if (items != nullptr) munmap(items, most * sizeof(T));
  }
};

bool ends_with(const char* text, std::size_t length, const char* end) {
  const std::size_t size = std::strlen(end);
  return length > size && std::memcmp(text + length - size, end, size) == 0;
}

std::uint64_t hash_of(const char* text, std::size_t length) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < length; ++i) {
    hash = (hash ^ static_cast<unsigned char>(text[i])) * 0x100000001b3;
  }
  return hash;
}

// The functions of a module that matter, by their names.
class Functions {
 public:
  explicit Functions(const Module& module) : module_(module), file_(module.path) {}

  void find() {
    const auto look = [&](const char* name, const ElfW(Sym) & symbol) { look_at(name, symbol); };
    file_.visit_symbols(look);
    library_.make_room();
    coroutines_.make_room(starts_.count);
    starts_.make_room();
    if (library_.most + coroutines_.most != 0) file_.visit_symbols(look);
    std::sort(starts_.items, starts_.items + starts_.count);
    if (starts_.count != 0) {
      file_.visit_symbols(
          [&](const char* name, const ElfW(Sym) & symbol) { look_for_start(name, symbol); });
    }
    put_into(table, library_);
    put_into(coroutines, coroutines_);
    if (coroutines_.count != 0) any_coroutines.store(true, std::memory_order_relaxed);
  }

 private:
  bool is_function(const ElfW(Sym) & symbol, Range& code) const {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) return false;
    code.begin = module_.bias + symbol.st_value;
    code.end = code.begin + symbol.st_size;
    return symbol.st_size >= 8 && code.begin >= module_.begin && code.end <= module_.end;
  }
  // gcc puts the body of the coroutine NAME into ...NAME.Frame.actor, and may inline that into
  // NAME; clang puts it into NAME up to where it suspends first, then into NAME.resume.
  void look_at(const char* name, const ElfW(Sym) & symbol) {
    Range code;
    if (!is_function(symbol, code)) return;
    if (wire::is_library_name(name) && keeps_frame_pointer(code.begin)) library_.add(code);
    if (std::strchr(name, '.') == nullptr) return;
    const std::size_t length = std::strlen(name);
    const char* const actor = std::strstr(name, ".Frame.actor");
    const bool resumed = ends_with(name, length, kResume);
    if (actor != nullptr) starts_.add(hash_of_start(name, actor));
    if (resumed) starts_.add(hash_of(name, length - std::strlen(kResume)));
    if (actor != nullptr || resumed || ends_with(name, length, ".destroy") ||
        ends_with(name, length, ".cleanup")) {
      coroutines_.add(code);
    }
  }
  // The name of the coroutine is the last mangled name before `end`.
  static std::uint64_t hash_of_start(const char* name, const char* end) {
    const char* start = end - 2;
    while (start > name && std::memcmp(start, "_Z", 2) != 0) --start;
    return hash_of(start, static_cast<std::size_t>(end - start));
  }
  void look_for_start(const char* name, const ElfW(Sym) & symbol) {
    Range code;
    if (!is_function(symbol, code)) return;
    if (std::binary_search(starts_.items, starts_.items + starts_.count,
                           hash_of(name, std::strlen(name)))) {
      coroutines_.add(code);
    }
  }
  void put_into(std::atomic<Table*>& where, const Found<Range>& found) const {
    const std::size_t count = std::min(found.count, found.most);
    std::sort(found.items, found.items + count, is_before);
    change_table(where, module_.begin, module_.end, found.items, count);
  }

  static constexpr char kResume[] = ".resume";
  const Module& module_;
  const ElfFile file_;
  Found<Range> library_, coroutines_;
  Found<std::uint64_t> starts_;  // hashes of the names of coroutines
};

}  // namespace

void find_library_code(Pc module_begin) {
  static Module module;  // static because it is large; modules are loaded one at a time
  module = {module_begin};
  if (dl_iterate_phdr(find_module, &module) != 0) Functions(module).find();
}

void lock_library_code() { lock.lock(); }
void unlock_library_code() { lock.unlock(); }

void forget_library_code(Pc begin, Pc end) {
  change_table(table, begin, end, nullptr, 0);
  change_table(coroutines, begin, end, nullptr, 0);
}

std::atomic<bool> any_coroutines;

bool is_in_coroutine(Pc code) {
  Table* const known = coroutines.load(std::memory_order_acquire);
  return known != nullptr && (known->ask(code - 1) & Table::kLibrary) != 0;
}

namespace {

// What the frame pointer of a function points to.
struct SavedFrame {
  const SavedFrame* caller;
  Pc return_address;
};

[[gnu::noinline]] Pc caller_of_library(Table& known, Pc pc, const SavedFrame* of_function) {
  constexpr int kMostFrames = 64;
  // If nothing else of the program is above, its own code may be inlined into the library's
  // function that was called first: what a thread runs, into the library's function that runs it.
  Pc instrumented = pc;
  std::uint64_t answer = known.ask(pc - 1);
  for (int i = 0; i < kMostFrames && (answer & Table::kLibrary) != 0; ++i) {
    const Pc user = of_function->return_address;
    of_function = of_function->caller;
    answer = known.ask(user - 1);
    if ((answer & Table::kInstrumented) == 0) break;
    instrumented = user;
  }
  return instrumented;
}

}  // namespace

Pc user_pc(Pc pc, const void* frame) {
  Table* const known = table.load(std::memory_order_acquire);
  if (known == nullptr || known->answered(pc - 1, Table::kInstrumented)) return pc;
  const SavedFrame* of_function = static_cast<const SavedFrame*>(frame)->caller;
  // Often the function that a thread runs was inlined into a library function, which the C++
  // library itself called. Then there is no caller in the program.
  if (known->answered(pc - 1, Table::kInstrumented | Table::kLibrary) &&
      known->answered(of_function->return_address - 1, 0)) {
    return pc;
  }
  return caller_of_library(*known, pc, of_function);
}

}  // namespace omnium::runtime
