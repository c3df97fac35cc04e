// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Logs of the RoadRunner tool for Java, as RAPID reads them (docs/formats/roadrunner.md). Read
// only.
//
//   @    ARd(2,null.test/Deadlock.value_I)  Final  Deadlock.java:50:7
//
// Lines that are not of this kind are other output of the program that was run, and are skipped.
#pragma once

#include <memory>

#include "event/source.h"
#include "trace/input.h"

namespace omnium::trace {

std::unique_ptr<EventSource> read_roadrunner(std::unique_ptr<Input> input);

}  // namespace omnium::trace
