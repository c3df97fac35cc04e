// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/round_trip.h"

#include <algorithm>

#include "support/check.h"
#include "tests/support/trace_bytes.h"
#include "trace/name_space.h"

namespace omnium::test {

namespace {

// Ids may differ, for a format may give them in another order; names and kinds may not.
bool same(const Event& a, const Names& a_names, const Event& b, const Names& b_names) {
  const auto name = [](const Event& event, const Names& names) {
    return trace::interner_of(names, trace::object_space(event.kind)).name(event.object);
  };
  const auto loc = [](const Event& event, const Names& names) {
    return event.loc().is_none() ? std::string_view() : names.locations.name(event.loc_id);
  };
  return a.kind == b.kind && name(a, a_names) == name(b, b_names) &&
         a_names.threads.name(a.thread_id) == b_names.threads.name(b.thread_id) &&
         loc(a, a_names) == loc(b, b_names);
}

// A fork or a join may name it.
bool has_thread_like_comment(const Names& names) {
  for (std::uint32_t id = 0; id < names.threads.size(); ++id) {
    if (names.threads.name(id).starts_with('#')) return true;
  }
  return false;
}

}  // namespace

void check_reader(const std::string& bytes, TraceFormat format, TraceFormat rewritten) {
  const auto source = source_of(bytes, format);
  source->want_locations(true);
  const auto events = read_all(*source, 5);
  source->warnings();
  if (!events) {
    events.error().to_string();
    return;
  }
  if (!events->empty()) {
    const EventIndex target = events->size() / 2;
    const auto at = source->seek(target);
    CHECK(at && *at <= target);
    const auto again = read_all(*source, 3);
    CHECK(again && std::equal(again->begin(), again->end(),
                              events->begin() + static_cast<std::ptrdiff_t>(*at), events->end()));
  }
  const auto copy = written(*events, source->names(), rewritten);
  if (!copy) {
    // '|' cannot be written as CSV, nor a line of STD whose thread would make it a comment.
    CHECK(rewritten == TraceFormat::kCsv || has_thread_like_comment(source->names()));
    return;
  }
  const auto copied = source_of(*copy, rewritten);
  copied->want_locations(true);
  const auto read_back = read_all(*copied, 7);
  CHECK(read_back && read_back->size() == events->size());
  for (std::size_t i = 0; i < events->size(); ++i) {
    CHECK(same((*events)[i], source->names(), (*read_back)[i], copied->names()));
  }
}

}  // namespace omnium::test
