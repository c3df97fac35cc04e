// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/compare.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "decode/open.h"
#include "engines/checker.h"

namespace omnium::cli {

namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

// The message of a child to its parent: an answer, or an error in the input.
Json to_json(const EngineAnswer& answer) {
  Json measures = Json::array();
  for (const auto& value : answer.measures) measures.push_back(value ? Json(*value) : Json());
  return {{"serializable", answer.serializable ? Json(*answer.serializable) : Json()},
          {"transactions", answer.transactions},
          {"refuted", answer.refuted},
          {"instances", answer.instances},
          {"witnesses", answer.witnesses},
          {"distinct_witnesses", answer.distinct_witnesses},
          {"distinct_transactions", answer.distinct_transactions},
          {"detected_at", answer.detected_at ? Json(*answer.detected_at) : Json()},
          {"seconds_to_first", answer.seconds_to_first ? Json(*answer.seconds_to_first) : Json()},
          {"events", answer.events},
          {"seconds", answer.seconds},
          {"measures", measures}};
}

Json to_json(const Error& error) {
  return {{"error", error.message},
          {"file", error.at.file},
          {"place", {error.at.line, error.at.column, error.at.byte_offset}}};
}

Error error_from(const Json& json) {
  const Json& place = json["place"];
  return {{json["file"], place[0], place[1], place[2]}, json["error"]};
}

EngineAnswer from_json(const Json& json) {
  EngineAnswer answer;
  if (!json["serializable"].is_null()) answer.serializable = json["serializable"].get<bool>();
  answer.transactions = json["transactions"].get<std::set<EngineAnswer::Block>>();
  answer.refuted = json["refuted"].get<std::set<EngineAnswer::Block>>();
  answer.instances = json["instances"].get<std::set<EngineAnswer::Instance>>();
  answer.witnesses = json["witnesses"];
  answer.distinct_witnesses = json["distinct_witnesses"];
  answer.distinct_transactions = json["distinct_transactions"];
  if (!json["detected_at"].is_null()) answer.detected_at = json["detected_at"];
  if (!json["seconds_to_first"].is_null()) answer.seconds_to_first = json["seconds_to_first"];
  answer.events = json["events"];
  answer.seconds = json["seconds"];
  for (std::size_t i = 0; i < kMeasures; ++i) {
    if (!json["measures"][i].is_null()) answer.measures[i] = json["measures"][i];
  }
  return answer;
}

std::vector<std::size_t> used_rules(const UnusedRules& unused) {
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < unused.count(); ++i) {
    if (unused.used(i)) used.push_back(i);
  }
  return used;
}

Result<EngineAnswer> run_engine(EventSource& source, const EngineEntry& engine,
                                SpecificationOptions& specification, CheckMode mode) {
  const auto spec = specification.for_trace(source);
  if (!spec) return tl::unexpected(spec.error());
  CheckOptions options;
  options.mode = mode;
  options.every_instance = true;
  if (!spec->empty()) options.specification = &*spec;
  const auto outcome = check_trace(source, engine, options);
  if (!outcome) return tl::unexpected(outcome.error());
  specification.look_at(source.names());
  return answer_of(engine.info, *outcome, source.names());
}

[[noreturn]] void run_child(int pipe, EventSource& source, const EngineEntry& engine,
                            SpecificationOptions& specification, CheckMode mode) {
  const auto answer = run_engine(source, engine, specification, mode);
  const Json message = answer ? Json{{"answer", to_json(*answer)},
                                     {"used_rules", used_rules(specification.unused())}}
                              : to_json(answer.error());
  const auto bytes = Json::to_cbor(message);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = ::write(pipe, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno != EINTR) std::_Exit(2);
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  std::_Exit(0);
}

// Reads until the child closes its end; false when the time is up.
bool read_all(int pipe, std::optional<Clock::time_point> deadline, std::vector<std::uint8_t>& out) {
  for (;;) {
    int wait_ms = -1;
    if (deadline) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
      if (left.count() <= 0) return false;
      wait_ms = static_cast<int>(std::min<std::int64_t>(left.count(), 60'000));
    }
    pollfd waiting{pipe, POLLIN, 0};
    if (::poll(&waiting, 1, wait_ms) <= 0) continue;
    std::uint8_t block[64 * 1024];
    const ssize_t got = ::read(pipe, block, sizeof block);
    if (got == 0) return true;
    if (got > 0) out.insert(out.end(), block, block + got);
  }
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("signal {}", WTERMSIG(status));
  return fmt::format("exit {}", WIFEXITED(status) ? WEXITSTATUS(status) : status);
}

// The source has not been read: each child reads its own copy.
Result<ComparedEngine> compare_one(EventSource& source, const EngineEntry& engine,
                                   SpecificationOptions& specification, CheckMode mode,
                                   std::optional<std::chrono::seconds> timeout) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail({}, std::strerror(errno));
  const pid_t child = ::fork();
  if (child < 0) return fail({}, fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) run_child(ends[1], source, engine, specification, mode);
  ::close(ends[1]);
  std::optional<Clock::time_point> deadline;
  if (timeout) deadline = Clock::now() + *timeout;
  std::vector<std::uint8_t> bytes;
  const bool in_time = read_all(ends[0], deadline, bytes);
  ::close(ends[0]);
  if (!in_time) ::kill(child, SIGKILL);
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  ComparedEngine compared{&engine.info, std::nullopt, "",
                          static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
  const Json message = Json::from_cbor(bytes, true, false);
  if (!in_time) {
    compared.why_not = "timeout";
  } else if (message.is_discarded() || !message.is_object()) {
    compared.why_not = how_it_ended(status);
  } else if (message.contains("error")) {
    return tl::unexpected(error_from(message));
  } else {
    compared.answer = from_json(message["answer"]);
    for (const Json& rule : message["used_rules"]) specification.unused().use(rule);
  }
  return compared;
}

}  // namespace

Result<report::Comparison> compare_engines(const std::string& path,
                                           std::span<const EngineEntry* const> engines,
                                           SpecificationOptions& specification, CheckMode mode,
                                           std::optional<std::chrono::seconds> timeout) {
  auto input = trace::open_input(path);
  if (!input) return tl::unexpected(input.error());
  if (auto read = (*input)->read_to_the_end(); !read) return tl::unexpected(read.error());
  const auto source = open_trace(std::move(*input));
  if (!source) return tl::unexpected(source.error());
  report::Comparison comparison{path, mode, {}, {}};
  for (const EngineEntry* engine : engines) {
    auto compared = compare_one(**source, *engine, specification, mode, timeout);
    if (!compared) return tl::unexpected(compared.error());
    comparison.engines.push_back(std::move(*compared));
  }
  comparison.disagreements = disagreements(comparison.engines);
  return comparison;
}

}  // namespace omnium::cli
