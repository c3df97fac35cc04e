// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/source.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "decode/lowering.h"

namespace omnium::decode {

namespace {

class RawLogSource final : public EventSource {
 public:
  explicit RawLogSource(RawLog log)
      : log_(std::move(log)),
        lowering_({log_.keeps(), log_.takes_undeclared()}),
        merge_(log_) {}

  Result<void> prepare() {
    auto prepared = lowering_.prepare(log_);
    merge_ = Merge(log_);
    return prepared;
  }

  Result<std::size_t> read(std::span<Event> out) override;
  const Names& names() const override { return lowering_.names(); }
  Position position_of(std::size_t) const override { return {log_.name()}; }
  Result<EventIndex> seek(EventIndex target) override;
  void want_locations(bool wanted) override { lowering_.want_locations(wanted); }
  std::string_view format() const override { return "raw"; }
  bool is_well_formed() const override { return true; }
  std::vector<Code> codes_at(LocId location) const override { return lowering_.codes_at(location); }
  std::vector<std::string> warnings() const override;

 private:
  RawLog log_;
  Lowering lowering_;
  Merge merge_;
  EventBuffer ready_;
  std::size_t next_ready_ = 0;
};

Result<std::size_t> RawLogSource::read(std::span<Event> out) {
  if (next_ready_ == ready_.size()) {
    ready_.clear();
    next_ready_ = 0;
  }
  if (ready_.size() < out.size() && !lowering_.too_many_threads()) {
    auto read = lowering_.lower(merge_, out.size(), ready_);
    if (!read) return tl::unexpected(read.error());
  }
  const std::size_t count = std::min(out.size(), ready_.size() - next_ready_);
  std::ranges::copy(ready_.events().subspan(next_ready_, count), out.begin());
  next_ready_ += count;
  return count;
}

Result<EventIndex> RawLogSource::seek(EventIndex) {
  merge_ = Merge(log_);
  lowering_.restart();
  ready_.clear();
  next_ready_ = 0;
  return 0;
}

std::vector<std::string> RawLogSource::warnings() const {
  std::vector<std::string> out;
  const std::string name = printable(log_.name(), 4096);
  if (!log_.why_cut().empty()) out.push_back(fmt::format("{}: {}", name, log_.why_cut()));
  if (lowering_.too_many_threads()) {
    out.push_back(fmt::format("{}: truncated: more than {} threads", name, kMaxThreads));
  }
  for (const std::string& file : lowering_.changed_files()) {
    out.push_back(fmt::format(
        "{}: {} has changed since the recording: addresses are shown instead of its names", name,
        printable(file, 4096)));
  }
  if (lowering_.left_out() != 0) {
    out.push_back(
        fmt::format("{}: dropped {} operations on locks that were not held by their thread", name,
                    lowering_.left_out()));
  }
  return out;
}

}  // namespace

Result<std::unique_ptr<EventSource>> read_raw_log(std::unique_ptr<trace::Input> input) {
  auto log = RawLog::open(std::move(input));
  if (!log) return tl::unexpected(log.error());
  auto source = std::make_unique<RawLogSource>(std::move(*log));
  if (auto prepared = source->prepare(); !prepared) return tl::unexpected(prepared.error());
  return source;
}

}  // namespace omnium::decode
