// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/watcher.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "support/display.h"

namespace omnium::watch {

namespace {

constexpr std::uint64_t kMostComplaints = 3;  // about unreadable packets

std::string executable_of(std::uint32_t process) {
  std::error_code failed;
  return std::filesystem::read_symlink(fmt::format("/proc/{}/exe", process), failed).string();
}

}  // namespace

void Watcher::warn(std::string_view text) {
  log_.write(fmt::format("omnium: warning: {}\n", support::terminal_text(text)));
}

void Watcher::receive(std::span<const std::byte> packet) {
  const auto message = read_message(packet);
  if (message) return handle(*message);
  if (++broken_ <= kMostComplaints) warn(message.error().message);
}

void Watcher::handle(const Message& message) {
  greeted_ = true;
  if (settings_.program.empty()) settings_.program = executable_of(message.process);
  if (const auto* hello = std::get_if<HelloMessage>(&message.content)) {
    mode_ = hello->mode;
  } else if (const auto* modules = std::get_if<ModulesMessage>(&message.content)) {
    load(message.process, *modules);
  } else if (const auto* finding = std::get_if<FindingMessage>(&message.content)) {
    tell(message.process, *finding);
  } else if (const auto* warning = std::get_if<WarningMessage>(&message.content)) {
    warn(warning->text);
  } else if (std::holds_alternative<GoodbyeMessage>(message.content)) {
    processes_.erase(message.process);
  }
}

void Watcher::load(std::uint32_t process, const ModulesMessage& message) {
  std::vector<symbols::LoadedModule> modules;
  for (const auto& [module, path] : message.modules) {
    std::string file = path;
    if (file.empty()) file = executable_of(process);
    if (file.empty()) file = settings_.program;  // the process is gone already
    modules.push_back(
        {std::move(file), module.bias, module.begin, module.end, module.instrumented != 0});
  }
  processes_.erase(process);
  auto& memory = processes_.try_emplace(process, binaries_, std::move(modules)).first->second;
  if (message.wants_functions) send_functions(memory);
}

// Sends as many packets as it takes. All but the last say that another one follows.
void Watcher::send_functions(symbols::AddressSpace& memory) {
  constexpr std::size_t kMost =
      (wire::kMaxMessage - sizeof(wire::Functions)) / sizeof(wire::FunctionRange);
  std::vector<wire::FunctionRange> ranges;
  memory.visit_functions([&](std::string_view name, std::uint64_t begin, std::uint64_t end) {
    unused_.see(name);
    if (settings_.specification.atomic(name) != settings_.functions_are_blocks) {
      ranges.push_back({begin, end});
    }
  });
  std::span<const wire::FunctionRange> left = ranges;
  do {
    const auto now = left.first(std::min(left.size(), kMost));
    left = left.subspan(now.size());
    const wire::Functions head{
        {wire::Type::kFunctions, 0}, static_cast<std::uint32_t>(now.size()), !left.empty()};
    std::vector<std::byte> packet(sizeof(head) + now.size_bytes());
    std::memcpy(packet.data(), &head, sizeof(head));
    if (!now.empty()) std::memcpy(packet.data() + sizeof(head), now.data(), now.size_bytes());
    channel_.send(packet);
  } while (!left.empty());
}

void Watcher::tell(std::uint32_t process, const FindingMessage& message) {
  using Nothing = std::vector<symbols::LoadedModule>;
  auto& memory = processes_.try_emplace(process, binaries_, Nothing()).first->second;
  auto finding = confirm(message, memory, settings_.program, mode_);
  if (finding == nullptr) finding = unexplained(message, memory, settings_.program, mode_);
  report::Report& one = finding->report;
  settings_.mark(one);
  report::TextStyle style = settings_.style;
  style.part = report::TextPart::kFindings;
  std::vector<report::Snippet> snippets;
  if (settings_.source) snippets = report::snippets_of({&one, 1});
  style.snippets = snippets;
  support::StringSink text;
  report::render_text(one, style, text);
  if (findings_.add(std::move(finding))) log_.write(text.text());
}

void Watcher::warn_of_unused_rules() {
  for (std::size_t i = 0; i < std::min<std::size_t>(unused_.count(), wire::kMaxRules); ++i) {
    if (channel_.counters().rule_used[i]) unused_.use(i);
  }
  for (const auto& text : unused_.warnings("no function and no block that ran")) warn(text);
}

void Watcher::print_summary(bool with_stats) {
  report::TextStyle style = settings_.style;
  style.part = report::TextPart::kSummary;
  report::Report summary = report();
  settings_.mark(summary);
  summary.with_stats = with_stats;
  support::StringSink text;
  report::render_text(summary, style, text);
  log_.write(text.text());
  const wire::Counters& counters = channel_.counters();
  if (summary.run && summary.run->blocks == 0 && !found()) {
    warn(
        "nothing was checked: no atomic block ran; mark blocks with OMNIUM_ATOMIC, name functions "
        "in a specification (-s), or use --blocks");
  }
  if (counters.forgotten > 0) {
    warn(fmt::format(
        "out of memory: {} dependencies or threads were dropped, so violations may be missing",
        counters.forgotten.load()));
  }
  if (broken_ > kMostComplaints) warn(fmt::format("{} messages could not be read", broken_));
}

}  // namespace omnium::watch
