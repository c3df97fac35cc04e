// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Stands behind the interposed functions in place of the checker: writes down every event that
// concerns an object with a name. One line per event: "T1 acquire m". Threads are numbered in the
// order of their creation since the log was cleared; the test itself is T0. Meetings have numbers,
// too: "collect s #2".
#pragma once

#include <cstddef>
#include <string>

#define EVENT_LOG_API extern "C" __attribute__((visibility("default")))

EVENT_LOG_API void event_log_clear();
EVENT_LOG_API void event_log_name(const void* object, const char* name);
EVENT_LOG_API void event_log_blocks(bool wanted);  // of the heap
EVENT_LOG_API const char* event_log_text();
EVENT_LOG_API void event_log_program(const void* begin, const void* end);
EVENT_LOG_API void event_log_send_at_end(int file);   // of the process; -1: nowhere
EVENT_LOG_API void event_log_note(const char* line);  // the test's own

// Of the test program.
extern "C" const char __executable_start[];
extern "C" const char etext[];

namespace omnium::test {

// A log of its own for each test.
class EventLog {
 public:
  EventLog() {
    event_log_clear();
    event_log_program(__executable_start, etext);
  }
  EventLog(const void* object, const char* name) : EventLog() { event_log_name(object, name); }
  std::string text() const { return event_log_text(); }
};

}  // namespace omnium::test
