// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/binary.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include <dwarf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/descriptor.h"
#include "symbols/system_files.h"
#include "symbols/type_path.h"

namespace omnium::symbols {

namespace {

char* debug_path = nullptr;  // the usual places

namespace fs = std::filesystem;

// May libdw open what is there? To open a pipe would wait for its writer.
bool is_harmless(const fs::path& path) {
  std::error_code failed;
  const auto type = fs::status(path, failed).type();
  return type == fs::file_type::regular || type == fs::file_type::not_found;
}

// As libdw does, unless one of the files that it would try is no regular file.
int find_debuginfo(Dwfl_Module* module, void** user_data, const char* name, Dwarf_Addr base,
                   const char* file, const char* link, GElf_Word checksum, char** found) {
  if (file != nullptr && link != nullptr) {
    std::error_code failed;
    for (const fs::path& path : {fs::path(file), fs::canonical(file, failed)}) {
      const fs::path folder = path.parent_path();
      for (const fs::path& tried :
           {folder / link, folder / ".debug" / link,
            fs::path("/usr/lib/debug" + folder.string()) / link, fs::path(link)}) {
        if (!is_harmless(tried)) return -1;
      }
    }
  }
  return dwfl_standard_find_debuginfo(module, user_data, name, base, file, link, checksum, found);
}

const Dwfl_Callbacks kCallbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = &debug_path,
};

// The name of an object: the linker's for C++, which knows its scope; the source's for C, where
// the linker's may have a number behind it.
std::string object_name(const char* symbol, std::optional<Dwarf_Die>& die) {
  const char* name = die ? dwarf_diename(&*die) : nullptr;
  std::string full = demangled(symbol);
  return full == symbol && name != nullptr ? name : full;
}

// Opens an ELF file without waiting. Nothing else is read: not pipes and devices, and not files
// that libdw would have to decompress first.
support::Descriptor open_elf(const std::string& path) {
  support::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat facts {};
  char magic[SELFMAG] = {};
  if (!file || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode) ||
      ::pread(file.get(), magic, sizeof(magic), 0) != static_cast<ssize_t>(sizeof(magic)) ||
      std::memcmp(magic, ELFMAG, SELFMAG) != 0) {
    return support::Descriptor();
  }
  return file;
}

// The file of split debug information that the unit names, if libdw may open it.
bool has_harmless_split(Dwarf_Die& unit) {
  Dwarf_Attribute attribute;
  const char* name = dwarf_formstring(dwarf_attr(&unit, DW_AT_dwo_name, &attribute));
  if (name == nullptr) {
    name = dwarf_formstring(dwarf_attr(&unit, DW_AT_GNU_dwo_name, &attribute));
  }
  const char* folder = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
  if (name == nullptr) return false;
  return is_harmless(fs::path(folder == nullptr ? "" : folder) / name) && is_harmless(name);
}

}  // namespace

Binary::Binary(std::string path) : path_(std::move(path)), dwfl_(dwfl_begin(&kCallbacks)) {
  support::Descriptor file = open_elf(path_);
  if (dwfl_ == nullptr || !file) return;
  dwfl_report_begin(dwfl_.get());
  module_ = dwfl_report_elf(dwfl_.get(), path_.c_str(), path_.c_str(), file.get(), 0, true);
  dwfl_report_end(dwfl_.get(), nullptr, nullptr);
  if (module_ == nullptr) return;
  struct stat facts {};
  if (::fstat(file.get(), &facts) == 0) modified_ = facts.st_mtime;
  file.release();  // libdw closes it
  read_symbols();
  // Libraries of the system need only names: their debug information is large, and takes longer to
  // unpack than a small program runs.
  if (instrumented_ || !is_system_library(path_)) read_units();
}

void Binary::read_symbols() {
  const int count = dwfl_module_getsymtab(module_);
  for (int i = 1; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr start;
    GElf_Word section;
    const char* name =
        dwfl_module_getsym_info(module_, i, &symbol, &start, &section, nullptr, nullptr);
    if (name == nullptr || *name == '\0') continue;
    if (section == SHN_UNDEF) {
      const std::string_view needed = name;
      instrumented_ |= needed.starts_with("__tsan_") || needed.starts_with("__omnium_");
      continue;
    }
    const int type = GELF_ST_TYPE(symbol.st_info);
    if (type == STT_FUNC || type == STT_GNU_IFUNC) {
      const bool global = GELF_ST_BIND(symbol.st_info) == STB_GLOBAL;
      functions_.push_back({start, start + std::max<GElf_Xword>(symbol.st_size, 1), name, global});
    } else if (type == STT_OBJECT) {
      objects_.push_back({start, start + symbol.st_size, name});
    }
  }
  std::ranges::stable_sort(functions_, {}, &Symbol::start);
  std::ranges::stable_sort(objects_, {}, &Symbol::start);
}

void Binary::read_units() {
  Dwarf_Addr bias;
  Dwarf* dwarf = dwfl_module_getdwarf(module_, &bias);
  if (dwarf == nullptr) return;
  Dwarf_CU* unit = nullptr;
  std::uint8_t kind;
  Dwarf_Die die, split;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, &kind, &die, nullptr) == 0) {
    if (kind == DW_UT_skeleton && has_harmless_split(die) &&
        dwarf_cu_info(unit, nullptr, nullptr, nullptr, &split, nullptr, nullptr, nullptr) == 0 &&
        split.addr != nullptr) {
      die = split;
    }
    if (dwarf_tag(&die) == DW_TAG_compile_unit) add_unit(die);
  }
  std::ranges::sort(code_, {}, &CodeRange::low);
}

void Binary::add_unit(Dwarf_Die die) {
  Dwarf_Addr base, low, high;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &low, &high)) > 0;) {
    code_.push_back({low, high, units_.size()});
  }
  units_.emplace_back(die);
}

DebugUnit* Binary::unit_at(Dwarf_Addr address) {
  auto at = std::ranges::upper_bound(code_, address, {}, &CodeRange::low);
  if (at == code_.begin()) return nullptr;
  --at;
  return address < at->high ? &units_[at->unit] : nullptr;
}

const Binary::Symbol* Binary::find(const std::vector<Symbol>& symbols, Dwarf_Addr address) {
  // The nearest start before the address; some symbols name parts of larger objects.
  constexpr int kMostParts = 16;
  auto at = std::ranges::upper_bound(symbols, address, {}, &Symbol::start);
  for (int i = 0; i < kMostParts && at != symbols.begin(); ++i) {
    --at;
    if (address < at->end) return &*at;
  }
  return nullptr;
}

std::vector<Frame> Binary::frames(Dwarf_Addr address) {
  std::vector<Frame> out;
  if (DebugUnit* unit = unit_at(address)) out = unit->frames(address);
  const Symbol* symbol = find(functions_, address);
  if (symbol != nullptr) {
    // The linker's name is there for every function with code; DWARF may know the bare name only.
    if (out.empty()) out.emplace_back();
    out.back().function = symbol->name;
  }
  for (Frame& frame : out) frame.function = function_name(frame.function);
  return out;
}

bool Binary::read_bytes(Dwarf_Addr address, void* to, std::size_t size) {
  GElf_Addr bias;
  Elf* elf = module_ == nullptr ? nullptr : dwfl_module_getelf(module_, &bias);
  std::size_t count = 0;
  if (elf == nullptr || elf_getphdrnum(elf, &count) != 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr part;
    if (gelf_getphdr(elf, static_cast<int>(i), &part) == nullptr || part.p_type != PT_LOAD)
      continue;
    if (address < part.p_vaddr || address - part.p_vaddr > part.p_filesz ||
        part.p_filesz - (address - part.p_vaddr) < size) {
      continue;
    }
    const auto offset = static_cast<std::int64_t>(part.p_offset + (address - part.p_vaddr));
    const Elf_Data* data = elf_getdata_rawchunk(elf, offset, size, ELF_T_BYTE);
    if (data == nullptr || data->d_size < size) return false;
    std::memcpy(to, data->d_buf, size);
    return true;
  }
  return false;
}

std::string Binary::called_at(Dwarf_Addr address) {
  constexpr std::size_t kLength = 5;  // 0xe8 and the distance to the function
  unsigned char code[kLength];
  std::int32_t distance;
  if (address < kLength || !read_bytes(address - kLength + 1, code, kLength) || code[0] != 0xe8) {
    return "";
  }
  std::memcpy(&distance, code + 1, sizeof(distance));
  const Symbol* symbol =
      find(functions_, address + 1 + static_cast<Dwarf_Addr>(std::int64_t{distance}));
  return symbol == nullptr ? "" : function_name(symbol->name);
}

// Which functions of other files the dynamic linker puts into the table of the calls.
void Binary::read_imports() {
  imports_.emplace();
  GElf_Addr bias;
  Elf* elf = module_ == nullptr ? nullptr : dwfl_module_getelf(module_, &bias);
  Elf_Scn* section = nullptr;
  while (elf != nullptr && (section = elf_nextscn(elf, section)) != nullptr) {
    GElf_Shdr head, symbols_head;
    if (gelf_getshdr(section, &head) == nullptr || head.sh_type != SHT_RELA) continue;
    Elf_Scn* const symbols = elf_getscn(elf, head.sh_link);
    if (gelf_getshdr(symbols, &symbols_head) == nullptr) continue;
    Elf_Data* const data = elf_getdata(section, nullptr);
    Elf_Data* const table = elf_getdata(symbols, nullptr);
    GElf_Rela rela;
    for (int i = 0; data != nullptr && gelf_getrela(data, i, &rela) != nullptr; ++i) {
      const auto type = GELF_R_TYPE(rela.r_info);
      GElf_Sym symbol;
      if ((type != R_X86_64_GLOB_DAT && type != R_X86_64_JUMP_SLOT) ||
          gelf_getsym(table, static_cast<int>(GELF_R_SYM(rela.r_info)), &symbol) == nullptr) {
        continue;
      }
      const char* name = elf_strptr(elf, symbols_head.sh_link, symbol.st_name);
      if (name != nullptr) imports_->emplace(rela.r_offset, name);
    }
  }
}

std::string_view Binary::import_at(Dwarf_Addr slot) {
  if (!imports_) read_imports();
  const auto at = imports_->find(slot);
  return at == imports_->end() ? std::string_view() : at->second;
}

std::string_view Binary::function_at(Dwarf_Addr address) {
  const Symbol* symbol = find(functions_, address);
  if (symbol != nullptr) return symbol->start == address ? symbol->name : std::string_view();
  // A stub: jmp *distance(%rip), perhaps behind endbr64, perhaps with bnd in front of it.
  unsigned char code[11] = {};
  if (!read_bytes(address, code, sizeof(code))) return {};
  std::size_t at = std::memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0 ? 4 : 0;
  if (code[at] == 0xf2) ++at;
  std::int32_t distance;
  if (at + 2 + sizeof(distance) > sizeof(code) || code[at] != 0xff || code[at + 1] != 0x25) {
    return {};
  }
  std::memcpy(&distance, code + at + 2, sizeof(distance));
  return import_at(address + at + 6 + static_cast<Dwarf_Addr>(std::int64_t{distance}));
}

void Binary::visit_calls(Dwarf_Addr low, Dwarf_Addr high, const VisitCall& visit) {
  constexpr Dwarf_Addr kMost = 1 << 16;  // bytes of code
  if (high <= low || high - low > kMost) return;
  std::vector<unsigned char> code(high - low);
  if (!read_bytes(low, code.data(), code.size())) return;
  std::int32_t distance;
  for (std::size_t at = 0; at + 1 + sizeof(distance) <= code.size(); ++at) {
    const bool direct = code[at] == 0xe8;  // call function
    const bool by_table = code[at] == 0xff && code[at + 1] == 0x15;  // call *distance(%rip)
    const std::size_t end = at + (direct ? 1 : 2) + sizeof(distance);
    if ((!direct && !by_table) || end > code.size()) continue;
    std::memcpy(&distance, code.data() + end - sizeof(distance), sizeof(distance));
    const Dwarf_Addr target = low + end + static_cast<Dwarf_Addr>(std::int64_t{distance});
    const std::string_view function = direct ? function_at(target) : import_at(target);
    if (!function.empty()) visit(low + end, function);
  }
}

Binary::Code Binary::code(Dwarf_Addr address) {
  DebugUnit* unit = unit_at(address);
  if (unit == nullptr) return {};
  return {unit, unit->code_frames(address)};
}

bool Binary::is_in_system_file(const Symbol& function) {
  DebugUnit* unit = unit_at(function.start);
  return unit != nullptr &&
         is_system_file(fs::path(unit->file(function.start)).lexically_normal().string());
}

const std::vector<Binary::Function>& Binary::wanted_functions(const IsWanted& is_wanted) {
  if (wanted_) return *wanted_;
  wanted_.emplace();
  std::vector<std::string> names;
  std::set<std::string, std::less<>> lambdas;  // that are functions of their own
  std::set<std::string, std::less<>> own;      // classes and namespaces with code in a source file
  for (const Symbol& symbol : functions_) {
    const std::string& name = names.emplace_back(function_name(symbol.name));
    if (const auto lambda = called_lambda(name); !lambda.empty()) lambdas.emplace(lambda);
    if (symbol.global) own.emplace(outermost_name(name));
  }
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    const Symbol& symbol = functions_[i];
    const std::string lambda = started_lambda(names[i]);
    const std::string_view outermost = outermost_name(names[i]);
    const bool may_be_other = !symbol.global && outermost != names[i] && !own.contains(outermost);
    const bool library =
        is_openmp_entry(symbol.name) ||
        (is_library_function(names[i]) ? lambda.empty() || lambdas.contains(lambda)
                                       : may_be_other && is_in_system_file(symbol));
    if (is_wanted(names[i], library)) wanted_->push_back({symbol.start, symbol.end, library});
  }
  return *wanted_;
}

void Binary::visit_inlined(const std::function<void(std::string_view name)>& visit) {
  std::set<std::string> names;
  for (DebugUnit& unit : units_) {
    for (std::string& name : unit.inlined()) names.insert(std::move(name));
  }
  for (const std::string& name : names) visit(function_name(name));
}

std::optional<Dwarf_Die> Binary::variable(const Symbol& symbol, Dwarf_Addr code) {
  if (DebugUnit* unit = unit_at(code)) {
    if (auto die = unit->variable(symbol.start)) return die;
    if (auto die = unit->declared(symbol.name)) return die;
  }
  for (DebugUnit& unit : units_) {
    if (auto die = unit.variable(symbol.start)) return die;
  }
  return std::nullopt;
}

std::optional<std::string> Binary::object(Dwarf_Addr address, Dwarf_Addr code) {
  const Symbol* symbol = find(objects_, address);
  if (symbol == nullptr) return std::nullopt;
  auto die = variable(*symbol, code);
  std::string name = object_name(symbol->name, die);
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  const std::uint64_t offset = address - symbol->start;
  if (die && dwarf_attr_integrate(&*die, DW_AT_type, &attribute) != nullptr &&
      dwarf_formref_die(&attribute, &type) != nullptr) {
    return name + path_in_type(type, offset);
  }
  return offset == 0 ? name : name + "+" + std::to_string(offset);
}

}  // namespace omnium::symbols
