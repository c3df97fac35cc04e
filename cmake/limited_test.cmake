# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# add_limited_test(NAME COMMAND...): a test that cannot hold up the others for ever. ctest's own limit would
# only end the test's first process; it is here in case the script itself hangs.
set(LIMIT_SECONDS 600)
math(EXPR LAST_RESORT_SECONDS "${LIMIT_SECONDS} + 300")
function(add_limited_test name)
  add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/scripts/limited.py ${LIMIT_SECONDS} ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${LAST_RESORT_SECONDS})
endfunction()
