// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Strategies of serial runs that look at what threads are about to do, and have just done. Some are
// simple rules, for mistakes that are made again and again; the other one gives each place of the
// program a priority by chance.
#pragma once

#include "runtime/schedule/strategy.h"

namespace omnium::runtime {

SerialThread* by_rule(std::uint32_t rule, const Candidates& candidates, SerialThread& self,
                      SerialThread& usual);
SerialThread* by_places(const wire::SerialBoard& board, const Candidates& candidates,
                        SerialThread& self);

}  // namespace omnium::runtime
