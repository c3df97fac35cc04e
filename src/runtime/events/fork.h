// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// fork(2): the child has a copy of everything, and only one of the threads.
#pragma once

namespace omnium::runtime {

void before_fork();  // takes all locks, so that the child has consistent data
void after_fork_in_parent();
void after_fork_in_child();

}  // namespace omnium::runtime
