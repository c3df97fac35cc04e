// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/predict_report.h"

#include "engines/registry.h"
#include "report/object_names.h"
#include "report/predict_remarks.h"
#include "report/predicted_causes.h"

namespace omnium::report {

namespace {

TraceCounts counts_of(const predict::LoadedTrace& trace) {
  TraceCounts out;
  out.events = trace.events.size();
  std::vector<std::uint64_t> depth(trace.extent.threads, 0);
  for (const Event& event : trace.events) {
    std::uint64_t& open = depth[event.thread_id];
    if (event.kind == Kind::kBegin) ++out.blocks;
    if (open == 0 && event.kind != Kind::kSkip) ++out.transactions;
    if (event.kind == Kind::kBegin) ++open;
    if (event.kind == Kind::kEnd && open > 0) --open;
  }
  return out;
}

}  // namespace

PredictReport predict_report(const predict::Prediction& prediction,
                             const predict::LoadedTrace& trace, const Names& names,
                             const PredictContext& context) {
  PredictReport out{prediction,          trace,         names,         {}, {}, {},
                    context.speculative, context.races, context.stats, {}};
  auto explained =
      predicted_causes(out.main().warnings, trace, names, context.waits, context.pictures);
  out.ids = std::move(explained.ids);
  out.names_of_causes = std::move(explained.names);
  Report& findings = out.findings;
  findings.path = context.path;
  findings.counts = counts_of(trace);
  findings.extent = trace.extent;
  findings.engine = &find_engine(kDefaultEngine)->info;
  findings.mode = {Conflicts::kData, context.waits};
  findings.causes = std::move(explained.causes);
  findings.predicted = predicted(prediction, context);
  return out;
}

Block PredictReport::block(const BlockRef& ref) const {
  Block block{names.threads.name(ref.thread.v), std::nullopt, ref.begin};
  if (!ref.label.is_none()) block.label = names.labels.name(ref.label.v);
  return block;
}

std::string_view PredictReport::location(EventIndex event) const {
  return position(trace.events[event].loc(), names);
}

std::string_view PredictReport::object(const predict::Warning& warning) const {
  if (!warning.variable.is_none()) return names.variables.name(warning.variable.v);
  if (!warning.lock.is_none()) return names.locks.name(warning.lock.v);
  return {};
}

std::string_view PredictReport::witness(const predict::Warning& warning) const {
  const auto at = witnesses.find(warning.transaction.begin);
  return at == witnesses.end() ? std::string_view{} : at->second;
}

}  // namespace omnium::report
