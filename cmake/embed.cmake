# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# A file as a constant in the program: embed_file(TARGET FILE NAMESPACE NAME) defines `const std::string_view NAMESPACE::NAME`.
# The file is written by this script when it changes, so no other tool is needed.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${FROM} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  file(WRITE ${TO} "#include <string_view>\nnamespace ${NAMESPACE} {\nextern const std::string_view ${NAME};\n"
    "namespace {\nconstexpr char kBytes[] = {\n${bytes}};\n}\nconst std::string_view ${NAME}(kBytes, sizeof kBytes);\n}\n")
  return()
endif()

set(EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(embed_file target file namespace name)
  set(to ${CMAKE_BINARY_DIR}/embedded/${name}.cc)
  add_custom_command(OUTPUT ${to} DEPENDS ${file} ${EMBED_SCRIPT}
    COMMAND ${CMAKE_COMMAND} -DFROM=${file} -DTO=${to} -DNAMESPACE=${namespace} -DNAME=${name} -P ${EMBED_SCRIPT})
  target_sources(${target} PRIVATE ${to})
endfunction()
