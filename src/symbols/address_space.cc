// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/address_space.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "support/place.h"
#include "support/source_root.h"
#include "symbols/lock_wrappers.h"
#include "symbols/object_names.h"
#include "symbols/system_files.h"

namespace omnium::symbols {

namespace {

constexpr std::size_t kMostFiles = 2048;
constexpr std::chrono::seconds kMostTime(20);

std::string offset_in(const LoadedModule& module, std::uint64_t address) {
  const std::string name = std::filesystem::path(module.path).filename().string();
  return fmt::format("{}+{:#x}", name, address - module.bias);
}

bool is_system_frame(const Frame& frame) { return is_system_file(frame.file); }

}  // namespace

Binaries::Binaries() {
  ::unsetenv("DEBUGINFOD_URLS");  // never wait for a network
}

void Binaries::allow_more_time() { deadline_ = std::chrono::steady_clock::now() + kMostTime; }

Binary& Binaries::open(const std::string& path) {
  const auto at = opened_.find(path);
  if (at != opened_.end()) return *at->second;
  if (opened_.size() >= kMostFiles || std::chrono::steady_clock::now() > deadline_) return nothing_;
  return *opened_.emplace(path, std::make_unique<Binary>(path)).first->second;
}

void Binaries::visit_inlined(const std::function<void(std::string_view name)>& visit) {
  for (const auto& [path, binary] : opened_) binary->visit_inlined(visit);
}

AddressSpace::AddressSpace(Binaries& binaries, std::vector<LoadedModule> modules)
    : binaries_(binaries) {
  std::error_code ignored;
  directory_ = std::filesystem::current_path(ignored).string() + "/";
  root_ = support::source_root() + "/";
  replace_modules(std::move(modules));
}

AddressSpace::~AddressSpace() = default;

void AddressSpace::replace_modules(std::vector<LoadedModule> modules) {
  modules_ = std::move(modules);
  names_ = std::make_unique<ObjectNames>(*this);
  places_.clear();
  std::ranges::sort(modules_, {}, &LoadedModule::begin);
}

const LoadedModule* AddressSpace::module_at(std::uint64_t address) const {
  auto at = std::ranges::upper_bound(modules_, address, {}, &LoadedModule::begin);
  if (at == modules_.begin()) return nullptr;
  --at;
  return address < at->end ? &*at : nullptr;
}

std::vector<Frame> AddressSpace::frames(std::uint64_t address) {
  const LoadedModule* module = module_at(address);
  if (module == nullptr) return {};
  auto found = binaries_.open(module->path).frames(address - module->bias);
  for (Frame& frame : found) {  // clang knows its headers as /usr/bin/../lib/gcc/...
    frame.file = std::filesystem::path(frame.file).lexically_normal().string();
  }
  return found;
}

AddressSpace::CodeAt AddressSpace::code(std::uint64_t address) {
  const LoadedModule* module = module_at(address);
  if (module == nullptr) return {};
  Binary& binary = binaries_.open(module->path);
  return {binary.code(address - module->bias), address - module->bias, binary.modified()};
}

std::size_t AddressSpace::lock_wrappers_at(std::uint64_t address, std::size_t frames) {
  if (frames < 2) return 0;  // nothing is inlined there
  const LoadedModule* module = module_at(address);
  return lock_wrappers(binaries_.open(module->path), address - module->bias + 1);
}

const std::string& AddressSpace::place_and_function(std::uint64_t address) {
  const auto [at, added] = places_.try_emplace(address);
  if (!added) return at->second;
  const LoadedModule* module = module_at(address);
  if (module == nullptr) return at->second;
  // The compiler may have merged code of several lines: then the code before it tells more.
  constexpr std::uint64_t kFarthest = 256, kStep = 8;
  const auto first = frames(address);
  for (std::uint64_t back = 0; back < kFarthest && address - back >= module->begin; back += kStep) {
    const auto found = back == 0 ? first : frames(address - back);
    if (found.empty() || found.back().function != first.back().function) break;
    const std::size_t wrappers = back == 0 ? lock_wrappers_at(address, found.size()) : 0;
    const auto begin = found.begin() + static_cast<std::ptrdiff_t>(wrappers);
    const auto own = std::find_if_not(begin, found.end(), is_system_frame);
    if (own == found.end() || own->line == 0) continue;
    at->second = place(*own);
    if (own->function.empty()) return at->second;
    at->second.append(support::kInFunction).append(own->function);
    if (std::any_of(found.begin(), own, is_system_frame) || back != 0 ||
        is_library_function(binaries_.open(module->path).called_at(address - module->bias))) {
      at->second += support::kViaLibrary;
    }
    return at->second;
  }
  const auto known = std::ranges::find_if(first, [](const Frame& it) { return it.line != 0; });
  return at->second = known == first.end() ? offset_in(*module, address) : place(*known);
}

std::string AddressSpace::place(std::uint64_t address) {
  return std::string(support::place_of(place_and_function(address)).position);
}

std::string AddressSpace::place(const Frame& frame) const {
  std::string_view file = frame.file;
  for (const std::string_view folder : {directory_, root_}) {
    if (!file.starts_with(folder)) continue;
    file.remove_prefix(folder.size());
    break;
  }
  return fmt::format("{}:{}", file, frame.line);
}

std::vector<Frame> AddressSpace::own_frames(std::uint64_t address) {
  const LoadedModule* module = module_at(address);
  if (module == nullptr || !module->instrumented) return {};
  auto found = frames(address);
  std::erase_if(found, is_system_frame);
  return found;
}

std::string AddressSpace::function(std::uint64_t address) {
  const auto found = frames(address);
  if (!found.empty() && !found.back().function.empty()) return found.back().function;
  const LoadedModule* module = module_at(address);
  return module == nullptr ? "" : offset_in(*module, address);
}

void AddressSpace::visit_functions(const IsWanted& is_wanted, const VisitFunction& visit) {
  for (const LoadedModule& module : modules_) {
    if (!module.instrumented) continue;
    for (const auto& found : binaries_.open(module.path).wanted_functions(is_wanted)) {
      visit(found.begin + module.bias, found.end + module.bias, found.library);
    }
  }
}

std::optional<std::string> AddressSpace::object(std::uint64_t address, std::uint64_t code) {
  const LoadedModule* module = module_at(address);
  if (module == nullptr) return std::nullopt;
  const LoadedModule* user = module_at(code);
  const std::uint64_t use = user == module ? code - module->bias : 0;
  auto name = binaries_.open(module->path).object(address - module->bias, use);
  return name ? *name : offset_in(*module, address);
}

}  // namespace omnium::symbols
