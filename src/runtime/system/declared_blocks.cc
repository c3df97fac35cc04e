// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/system/declared_blocks.h"

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace omnium::runtime {

namespace {

// The parts of a dynamic section that lead to the names that a module takes from others.
struct Imports {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const ElfW(Rela) * tables[2] = {};  // of data and of calls
  std::size_t bytes[2] = {};
};

Imports imports_of(const dl_phdr_info& info, const ElfW(Dyn) * entry) {
  Imports out;
  // The loader has made addresses of most offsets, but not in every version and module.
  const auto at = [&](std::uintptr_t value) {
    return reinterpret_cast<const char*>(value < info.dlpi_addr ? value + info.dlpi_addr : value);
  };
  for (; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SYMTAB:
        out.symbols = reinterpret_cast<const ElfW(Sym)*>(at(entry->d_un.d_ptr));
        break;
      case DT_STRTAB: out.names = at(entry->d_un.d_ptr); break;
      case DT_RELA:
        out.tables[0] = reinterpret_cast<const ElfW(Rela)*>(at(entry->d_un.d_ptr));
        break;
      case DT_JMPREL:
        out.tables[1] = reinterpret_cast<const ElfW(Rela)*>(at(entry->d_un.d_ptr));
        break;
      case DT_RELASZ: out.bytes[0] = entry->d_un.d_val; break;
      case DT_PLTRELSZ: out.bytes[1] = entry->d_un.d_val; break;
      default: break;
    }
  }
  return out;
}

bool begins_block(const char* name) {
  return std::strcmp(name, "__omnium_begin") == 0 || std::strcmp(name, "__omnium_begin_scope") == 0;
}

int stop_if_declaring(dl_phdr_info* info, std::size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const Imports imports = imports_of(
        *info, reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr));
    if (imports.symbols == nullptr || imports.names == nullptr) return 0;
    for (int table = 0; table < 2; ++table) {
      const std::size_t count = imports.bytes[table] / sizeof(ElfW(Rela));
      for (std::size_t j = 0; imports.tables[table] != nullptr && j < count; ++j) {
        const ElfW(Sym)& symbol = imports.symbols[ELF64_R_SYM(imports.tables[table][j].r_info)];
        // The runtime itself defines these names.
        if (symbol.st_shndx == SHN_UNDEF && begins_block(imports.names + symbol.st_name)) return 1;
      }
    }
  }
  return 0;
}

}  // namespace

bool declares_blocks() { return dl_iterate_phdr(stop_if_declaring, nullptr) != 0; }

}  // namespace omnium::runtime
