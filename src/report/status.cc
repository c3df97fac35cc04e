// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/status.h"

namespace omnium::report {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::kSeen: return "seen";
    case Status::kCertain: return "certain";
    case Status::kPossible: return "possible";
  }
  return "";
}

std::string_view meaning(Status status) {
  switch (status) {
    case Status::kSeen: return "";
    case Status::kCertain:
      return "Certain: the program can do this, if it is deterministic but for its schedule.";
    case Status::kPossible:
      return "Possible: a plain read sees another value in this order, so the program might go "
             "another way.";
  }
  return "";
}

}  // namespace omnium::report
