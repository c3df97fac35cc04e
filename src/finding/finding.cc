// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/finding.h"

#include "support/check.h"

namespace omnium {

std::string_view to_string(DependencyKind kind) {
  switch (kind) {
    case DependencyKind::kWriteRead: return "write-read";
    case DependencyKind::kReadWrite: return "read-write";
    case DependencyKind::kWriteWrite: return "write-write";
    case DependencyKind::kReleaseAcquire: return "release-acquire";
    case DependencyKind::kFork: return "fork";
    case DependencyKind::kJoin: return "join";
    case DependencyKind::kSignalAwait: return "signal-await";
  }
  CHECK(false);
}

}  // namespace omnium
