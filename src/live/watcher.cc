// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "live/watcher.h"

#include <filesystem>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "support/display.h"

namespace omnium::live {

namespace {

constexpr std::uint64_t kMostComplaints = 3;  // about packets that cannot be read

}  // namespace

Watcher::Watcher(std::string program, const Counters& counters, report::TextStyle style,
                 support::ByteSink& log)
    : program_(std::move(program)), counters_(counters), style_(style), log_(log) {}

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
  if (const auto* modules = std::get_if<ModulesMessage>(&message.content)) {
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
    if (file.empty()) {
      std::error_code failed;
      file = std::filesystem::read_symlink(fmt::format("/proc/{}/exe", process), failed).string();
      if (failed) file = program_;  // it is gone already
    }
    modules.push_back({std::move(file), module.bias, module.begin, module.end});
  }
  processes_.erase(process);
  processes_.try_emplace(process, binaries_, std::move(modules));
}

void Watcher::tell(std::uint32_t process, const FindingMessage& message) {
  using Nothing = std::vector<symbols::LoadedModule>;
  auto& memory = processes_.try_emplace(process, binaries_, Nothing()).first->second;
  auto finding = confirm(message, memory, program_);
  if (finding == nullptr) {
    if (++unconfirmed_ == 1) {
      warn(
          "a finding could not be confirmed and is not shown: this is a bug of Omnium, please "
          "report it");
    }
    return;
  }
  const report::Report& one = finding->report;
  report::TextStyle style = style_;
  style.part = report::TextPart::kFindings;
  support::StringSink text;
  report::render_text(one, style, text);
  if (findings_.add(std::move(finding))) log_.write(text.text());
}

void Watcher::print_summary(bool with_stats) {
  report::TextStyle style = style_;
  style.part = report::TextPart::kSummary;
  report::Report summary = report();
  summary.with_stats = with_stats;
  support::StringSink text;
  report::render_text(summary, style, text);
  log_.write(text.text());
  if (counters_.more > 0) {
    warn(fmt::format("{} findings more than a run can tell apart", counters_.more.load()));
  }
  if (counters_.forgotten > 0) {
    warn(fmt::format("{} dependencies were forgotten for want of memory: violations may be missing",
                     counters_.forgotten.load()));
  }
  if (broken_ > kMostComplaints) warn(fmt::format("{} messages could not be read", broken_));
  if (unconfirmed_ > 0) {
    warn(
        fmt::format("{} findings could not be confirmed and are not shown: this is a bug of "
                    "Omnium, please report it",
                    unconfirmed_));
  }
}

}  // namespace omnium::live
