// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/shared_objects.h"

namespace omnium::predict {

void SharedObjects::Object::touch(std::uint32_t by) {
  if (thread == ThreadId::kNoneValue) thread = by;
  shared |= thread != by;
}

SharedObjects::SharedObjects(std::span<const Event> events, const Extent& extent)
    : variables_(extent.variables), locks_(extent.locks) {
  for (const Event& event : events) {
    if (is_access(event.kind)) {
      variables_[event.object].touch(event.thread_id);
      variables_[event.object].written |= is_write(event.kind);
      variables_[event.object].updated |= event.kind == Kind::kUpdate;
    } else if (takes_lock(event.kind)) {
      locks_[event.object].touch(event.thread_id);
    }
  }
}

}  // namespace omnium::predict
