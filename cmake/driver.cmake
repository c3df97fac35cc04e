# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# What the compiler drivers need beside the runtime: in the build tree next to omnium, installed in
# one folder of their own (src/driver/installation.h).
set(DRIVER_FILES ${PROJECT_SOURCE_DIR}/src/driver/files)
set(RUNTIME_DESTINATION ${CMAKE_INSTALL_LIBDIR}/omnium)
file(RELATIVE_PATH BIN_TO_RUNTIME /${CMAKE_INSTALL_BINDIR} /${RUNTIME_DESTINATION})
set_source_files_properties(src/driver/installation.cc PROPERTIES
  COMPILE_DEFINITIONS OMNIUM_BIN_TO_RUNTIME="${BIN_TO_RUNTIME}")

foreach(pair
    files/omnium_gcc.specs:omnium_gcc.specs
    files/overlay/bits/c++config.h:omnium_overlay/bits/c++config.h
    ../../include/omnium/atomic.h:omnium_headers/omnium/atomic.h)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 from)
  list(GET pair 1 to)
  configure_file(src/driver/${from} ${CMAKE_BINARY_DIR}/${to} COPYONLY)
  get_filename_component(folder ${to} DIRECTORY)
  install(FILES ${CMAKE_BINARY_DIR}/${to} DESTINATION ${RUNTIME_DESTINATION}/${folder})
endforeach()

# One object for executables and shared libraries alike.
add_library(omnium-module OBJECT ${DRIVER_FILES}/omnium_module.c)
target_compile_options(omnium-module PRIVATE -O2 -fno-lto)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/omnium_module.o
  COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:omnium-module> ${CMAKE_BINARY_DIR}/omnium_module.o
  DEPENDS omnium-module $<TARGET_OBJECTS:omnium-module> VERBATIM)
add_custom_target(omnium-drivers ALL DEPENDS ${CMAKE_BINARY_DIR}/omnium_module.o)
install(FILES ${CMAKE_BINARY_DIR}/omnium_module.o DESTINATION ${RUNTIME_DESTINATION})

foreach(name omnium-cc omnium-c++)
  add_custom_command(TARGET omnium-drivers POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E create_symlink omnium ${CMAKE_BINARY_DIR}/${name} VERBATIM)
  install(CODE "execute_process(COMMAND \${CMAKE_COMMAND} -E create_symlink omnium
    \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${name})")
endforeach()
