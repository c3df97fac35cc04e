// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/watcher.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <utility>
#include <variant>

#include <string.h>
#include <sys/wait.h>

#include <fmt/format.h>

#include "support/display.h"

namespace omnium::watch {

namespace {

constexpr std::uint64_t kMostComplaints = 3;  // about unreadable packets
constexpr std::uint64_t kMostWarnings = 100;  // of the program
constexpr std::size_t kMostProcesses = 1024;  // whose modules are known

std::string executable_of(std::uint32_t process) {
  std::error_code failed;
  return std::filesystem::read_symlink(fmt::format("/proc/{}/exe", process), failed).string();
}

}  // namespace

void Watcher::warn(std::string_view text) {
  log_.write(fmt::format("omnium: warning: {}\n", support::terminal_text(text)));
}

void Watcher::warn_for_program(std::string_view text) {
  if (++warnings_ <= kMostWarnings) warn(text);
}

void Watcher::receive(const Channel::Packet& packet) {
  auto message = read_message(packet.bytes);
  if (message) {
    if (packet.process != 0) message->process = packet.process;
    binaries_.allow_more_time();
    return handle(*message);
  }
  if (++broken_ <= kMostComplaints) warn(message.error().message);
}

void Watcher::handle(const Message& message) {
  greeted_ = true;
  if (settings_.program.empty()) settings_.program = executable_of(message.process);
  if (const auto* hello = std::get_if<HelloMessage>(&message.content)) {
    mode_ = hello->mode;
    if (hello->share < wire::kWhole && !sample_) sample_ = {hello->share, hello->seed};
    processes_.erase(message.process);  // another program, if it has executed one
    note_blocks(message.process, *hello);
  } else if (const auto* modules = std::get_if<ModulesMessage>(&message.content)) {
    load(message.process, *modules);
  } else if (const auto* finding = std::get_if<FindingMessage>(&message.content)) {
    tell(message.process, *finding);
  } else if (const auto* refuted = std::get_if<RefutedMessage>(&message.content)) {
    symbols::AddressSpace& memory = memory_of(message.process);
    for (const std::uint64_t code : refuted->functions) {
      findings_.note_not_atomic(memory.function(code - 1));
    }
  } else if (const auto* warning = std::get_if<WarningMessage>(&message.content)) {
    warn_for_program(warning->text);
  } else if (std::holds_alternative<GoodbyeMessage>(message.content)) {
    processes_.erase(message.process);
    with_functions_.erase(message.process);
  }
}

void Watcher::note_blocks(std::uint32_t process, const HelloMessage& hello) {
  with_functions_.erase(process);
  if (!hello.functions_are_blocks) return;
  all_functions_ = true;
  if (with_functions_.size() < kMostProcesses) with_functions_.insert(process);
  if (!hello.functions_by_default || settings_.about_functions.empty() ||
      std::exchange(told_default_, true)) {
    return;
  }
  log_.write(fmt::format("omnium: no block is annotated, so every function is a block ({})\n",
                         settings_.about_functions));
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
  symbols::AddressSpace& memory = memory_of(process);
  memory.replace_modules(std::move(modules));
  const bool all = settings_.functions_are_blocks || with_functions_.contains(process);
  if (message.wants_functions) send_functions(memory, all);
}

// What is known of the process. Processes that were killed say no goodbye, so when there are many,
// those that do not exist any more are forgotten, or else all.
symbols::AddressSpace& Watcher::memory_of(std::uint32_t process) {
  if (processes_.size() >= kMostProcesses && !processes_.contains(process)) {
    std::erase_if(processes_, [](const auto& it) {
      return ::kill(static_cast<pid_t>(it.first), 0) != 0 && errno == ESRCH;
    });
    if (processes_.size() >= kMostProcesses) processes_.clear();
  }
  return processes_.try_emplace(process, binaries_).first->second;
}

// If all functions are blocks, the program asks which are not.
void Watcher::send_functions(symbols::AddressSpace& memory, bool all) {
  std::vector<wire::FunctionRange> ranges;
  memory.visit_functions(
      [&](std::string_view name, bool library) {
        unused_.see(name);
        return settings_.specification.atomic(name) != all || (all && library);
      },
      [&](std::uint64_t begin, std::uint64_t end, bool library) {
        if (ranges.size() < wire::kMaxFunctions) ranges.push_back({begin, end, library});
      });
  const wire::Functions head{
      {wire::Type::kFunctions, 0}, static_cast<std::uint32_t>(ranges.size()), 0};
  channel_.answer(std::as_bytes(std::span(&head, 1)), std::as_bytes(std::span(ranges)));
}

void Watcher::tell(std::uint32_t process, const FindingMessage& message) {
  if (!told_.insert(message.head.number).second) return;  // each has a number of its own
  auto& memory = memory_of(process);
  auto finding = confirm(message, memory, settings_.program, mode_);
  if (finding == nullptr) finding = unexplained(message, memory, settings_.program, mode_);
  settings_.mark(finding->report);
  const std::string text = text_of(finding->report);
  if (findings_.add(std::move(finding))) log_.write(text);
}

std::string Watcher::text_of(const report::Report& finding) const {
  report::TextStyle style = settings_.style;
  style.part = report::TextPart::kFindings;
  std::vector<report::Snippet> snippets;
  if (settings_.source) snippets = report::snippets_of({&finding, 1});
  style.snippets = snippets;
  support::StringSink text;
  report::render_text(finding, style, text);
  return text.text();
}

std::string Watcher::place(std::uint32_t process, std::uint64_t pc) {
  return pc == 0 ? "" : memory_of(process).place_and_function(pc - 1);
}

std::string Watcher::object(std::uint32_t process, std::uint64_t address) {
  return memory_of(process).object(address, 0).value_or("");
}

std::set<std::string> Watcher::refuted_labels() const {
  std::set<std::string> labels(findings_.not_atomic().begin(), findings_.not_atomic().end());
  for (const report::Block& block : report().refuted) {
    if (block.label) labels.emplace(*block.label);
  }
  return labels;
}

void Watcher::warn_of_unused_rules() {
  for (std::size_t i = 0; i < std::min<std::size_t>(unused_.count(), wire::kMaxRules); ++i) {
    if (channel_.counters().rule_used[i]) unused_.use(i);
  }
  if (unused_.any()) {
    binaries_.visit_inlined([&](std::string_view name) { unused_.see_inlined(name); });
  }
  for (const auto& text : unused_.warnings("no function and no block that ran")) warn(text);
}

namespace {

std::string how_it_ended(int status) {
  if (!WIFSIGNALED(status)) {
    return fmt::format("  The program itself ended with exit status {}.\n", WEXITSTATUS(status));
  }
  const char* name = ::sigabbrev_np(WTERMSIG(status));
  return fmt::format("  The program itself was ended by signal {}{}.\n", WTERMSIG(status),
                     name == nullptr ? "" : fmt::format(" (SIG{})", name));
}

}  // namespace

void Watcher::tell_rest() {
  for (const report::Report* finding : findings_.told_late()) log_.write(text_of(*finding));
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
  if (found() && status_ != 0) log_.write(how_it_ended(status_));
  const wire::Counters& counters = channel_.counters();
  if (summary.run && summary.run->blocks == 0 && summary.run->passed_over > 0) {
    warn("nothing was checked: no block was judged; --sample with a larger share judges more");
  } else if (summary.run && summary.run->blocks == 0 && !found()) {
    warn(all_functions_
             ? "nothing was checked: no function that may be a block ran; functions that "
               "were inlined are none: build with OMNIUM_FUNCTIONS=all"
             : "nothing was checked: no atomic block ran; mark blocks with "
               "OMNIUM_ATOMIC, name functions in a specification (-s), or use --blocks");
  }
  if (counters.forgotten > 0) {
    warn(fmt::format(
        "out of memory: {} dependencies or threads were dropped, so violations may be missing",
        counters.forgotten.load()));
  }
  if (warnings_ > kMostWarnings) {
    warn(fmt::format("{} further warnings are not shown", warnings_ - kMostWarnings));
  }
  if (broken_ > kMostComplaints) warn(fmt::format("{} messages could not be read", broken_));
}

}  // namespace omnium::watch
