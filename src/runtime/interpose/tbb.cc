// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// oneTBB, which the parallel algorithms of libstdc++ use as well. A thread that waits for tasks
// executes some of them meanwhile, and they are not a part of the blocks in which it waits. Task
// groups are counted by atomics in headers, which are compiled with the program.
#include "runtime/interpose/openmp.h"
#include "runtime/interpose/real.h"

namespace tbb::detail {
namespace d1 {
class task;
class task_group_context;
class wait_context;
}  // namespace d1
namespace r1 {
// Of the library, by these names.
OMNIUM_EXPORT void execute_and_wait(d1::task&, d1::task_group_context&, d1::wait_context&,
                                    d1::task_group_context&);
OMNIUM_EXPORT void wait(d1::wait_context&, d1::task_group_context&);
}  // namespace r1
}  // namespace tbb::detail

namespace omnium::runtime {
namespace {

using tbb::detail::d1::task;
using tbb::detail::d1::task_group_context;
using tbb::detail::d1::wait_context;

OMNIUM_REAL_AS(real_execute_and_wait,
               void(task&, task_group_context&, wait_context&, task_group_context&),
               "_ZN3tbb6detail2r116execute_and_waitERNS0_2d14taskERNS2_18task_group_contextERNS2_"
               "12wait_contextES6_");
OMNIUM_REAL_AS(real_wait, void(wait_context&, task_group_context&),
               "_ZN3tbb6detail2r14waitERNS0_2d112wait_contextERNS2_18task_group_contextE");

}  // namespace
}  // namespace omnium::runtime

namespace tbb::detail::r1 {

using omnium::runtime::outside_of_blocks;

void execute_and_wait(d1::task& first, d1::task_group_context& its_context,
                      d1::wait_context& waited, d1::task_group_context& context) {
  outside_of_blocks(OMNIUM_USER_PC(), [&] {
    omnium::runtime::real_execute_and_wait(first, its_context, waited, context);
  });
}

void wait(d1::wait_context& waited, d1::task_group_context& context) {
  outside_of_blocks(OMNIUM_USER_PC(), [&] { omnium::runtime::real_wait(waited, context); });
}

}  // namespace tbb::detail::r1
