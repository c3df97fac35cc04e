// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// libstdc++ starts all threads with a function of its own. Its argument is an object of the class
// std::thread::_State_impl<_Invoker<tuple<BODY, ARGUMENTS...>>>: the pointer to its virtual
// functions, then the tuple, which keeps its elements in reverse order: BODY comes last.
#include "runtime/interpose/thread_body.h"

#include <link.h>

#include <cstring>

#include "runtime/state/heap.h"

namespace omnium::runtime {
namespace {

constexpr Pc kWord = sizeof(Pc);

Pc word_at(Pc address) {
  Pc word;
  std::memcpy(&word, reinterpret_cast<const void*>(address), sizeof(word));
  return word;
}

int contains_code(dl_phdr_info* info, std::size_t, void* address) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    const Pc begin = info->dlpi_addr + part.p_vaddr, asked = *static_cast<Pc*>(address);
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0 && asked >= begin &&
        asked - begin < part.p_memsz) {
      return 1;
    }
  }
  return 0;
}

bool is_code(Pc address) { return dl_iterate_phdr(contains_code, &address) != 0; }

// The mangled type of BODY, from the class of the object; null if it is not that class.
const char* type_of_body(const Pc* virtuals) {
  constexpr char kClass[] = "NSt6thread11_State_implINS_8_InvokerISt5tupleIJ";
  const Pc type = virtuals[-1];
  if (type == 0) return nullptr;  // -fno-rtti
  auto* name = reinterpret_cast<const char*>(word_at(type + kWord));
  if (*name == '*') ++name;  // the mark of a local class
  return std::strncmp(name, kClass, sizeof(kClass) - 1) == 0 ? name + sizeof(kClass) - 1 : nullptr;
}

// The function that BODY points to; 0 if that is not certain. An argument that is aligned to 16
// bytes may leave a word of padding behind BODY. Then, and only then, the size is a multiple of 16
// and the word before the last one holds the function; so it must not look like one.
Pc pointed_to(Pc object, Pc size, const char* type) {
  const bool function = std::strncmp(type, "PF", 2) == 0 || std::strncmp(type, "PDoF", 4) == 0;
  const bool member = *type == 'M';  // two words: the function, or an odd number; an offset
  if (!function && !member) return 0;
  const Pc place = object + size - (member ? 2 * kWord : kWord);
  const Pc body = word_at(place);
  if (!is_instrumented_code(body) || !is_code(body)) return 0;
  if (function && size % 16 == 0 && is_code(word_at(place - kWord))) return 0;
  return body;
}

}  // namespace

Pc thread_body(void* (*start)(void*), void* argument) {
  const Pc address = reinterpret_cast<Pc>(start), object = reinterpret_cast<Pc>(argument);
  if (is_instrumented_code(address) || !is_program_code(address) || argument == nullptr) {
    return address;
  }
  constexpr int kRun = 2;  // after the two destructors
  const auto* virtuals = reinterpret_cast<const Pc*>(word_at(object));
  if (!is_instrumented_code(virtuals[kRun])) return address;
  wire::HeapBlock block;
  const char* type = type_of_body(virtuals);
  if (type != nullptr && find_heap_block(object, block) && block.address == object) {
    if (const Pc body = pointed_to(object, block.size, type)) return body;
  }
  return virtuals[kRun];
}

}  // namespace omnium::runtime
