# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# What the compiler drivers need beside the runtime: in the build tree next to omnium, installed in
# one folder of their own (src/driver/installation.h).
set(DRIVER_FILES ${PROJECT_SOURCE_DIR}/src/driver/files)
set(RUNTIME_DESTINATION ${CMAKE_INSTALL_LIBDIR}/omnium)
file(RELATIVE_PATH BIN_TO_RUNTIME /${CMAKE_INSTALL_BINDIR} /${RUNTIME_DESTINATION})
set_source_files_properties(src/driver/installation.cc PROPERTIES
  COMPILE_DEFINITIONS OMNIUM_BIN_TO_RUNTIME="${BIN_TO_RUNTIME}")

function(driver_file from to)
  configure_file(${from} ${CMAKE_BINARY_DIR}/${to} @ONLY)
  get_filename_component(folder ${to} DIRECTORY)
  install(FILES ${CMAKE_BINARY_DIR}/${to} DESTINATION ${RUNTIME_DESTINATION}/${folder})
endfunction()

driver_file(${DRIVER_FILES}/omnium_gcc.specs omnium_gcc.specs)
driver_file(${DRIVER_FILES}/omnium_gdb.py omnium_gdb.py)
# What gdb loads with the runtime library: from beside it, or, if that is where Debian has its libraries, from where
# gdb loads without asking.
configure_file(${DRIVER_FILES}/omnium_autoload.py ${CMAKE_BINARY_DIR}/libomnium_rt.so-gdb.py COPYONLY)
install(CODE "
  set(folder \"\${CMAKE_INSTALL_PREFIX}/${RUNTIME_DESTINATION}\")
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
    set(folder \"/usr/share/gdb/auto-load\${folder}\")
  endif()
  file(INSTALL \"${CMAKE_BINARY_DIR}/libomnium_rt.so-gdb.py\" DESTINATION \"\${folder}\")" COMPONENT ${CMAKE_INSTALL_DEFAULT_COMPONENT_NAME})
driver_file(${PROJECT_SOURCE_DIR}/include/omnium/atomic.h omnium_headers/omnium/atomic.h)
driver_file(${DRIVER_FILES}/omnium_jumps.h omnium_headers/omnium_jumps.h)
driver_file(${DRIVER_FILES}/overlay/clang_config.h omnium_overlay/clang/bits/c++config.h)
driver_file(${DRIVER_FILES}/overlay/gcc_config.h omnium_overlay/gcc/bits/c++config.h)
# What libstdc++ defines outside the namespaces that clang_config.h marks.
foreach(HEADER bitset compare cxxabi.h initializer_list new typeinfo bits/exception.h bits/exception_ptr.h
    bits/nested_exception.h bits/predefined_ops.h ext/aligned_buffer.h)
  driver_file(${DRIVER_FILES}/overlay/clang_header.in omnium_overlay/clang/${HEADER})
endforeach()
# libstdc++'s types that wait.
foreach(COMPILER gcc clang)
  foreach(HEADER barrier condition_variable latch semaphore stop_token)
    driver_file(${DRIVER_FILES}/overlay/${HEADER} omnium_overlay/${COMPILER}/${HEADER})
  endforeach()
  foreach(HEADER atomic_futex.h atomic_wait.h omnium_waits.h shared_ptr_atomic.h shared_ptr_base.h)
    driver_file(${DRIVER_FILES}/overlay/${HEADER} omnium_overlay/${COMPILER}/bits/${HEADER})
  endforeach()
endforeach()

# The wrapper around the assembler. Compilers look for a program called `as` in the directory that -B names.
add_library(omnium-assembler STATIC src/assembler/line.cc src/assembler/rewrite.cc src/assembler/single_access.cc)
target_include_directories(omnium-assembler PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(omnium-assembler PUBLIC fmt::fmt)
add_executable(omnium-as src/assembler/main.cc)
target_link_libraries(omnium-as PRIVATE omnium-assembler)
set_target_properties(omnium-as PROPERTIES OUTPUT_NAME as
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/omnium_assembler)
install(TARGETS omnium-as DESTINATION ${RUNTIME_DESTINATION}/omnium_assembler)

# One object for executables and shared libraries alike.
add_library(omnium-module OBJECT ${DRIVER_FILES}/omnium_module.c)
target_compile_options(omnium-module PRIVATE -O2 -fno-lto)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/omnium_module.o
  COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:omnium-module> ${CMAKE_BINARY_DIR}/omnium_module.o
  DEPENDS omnium-module $<TARGET_OBJECTS:omnium-module> VERBATIM)
add_custom_target(omnium-drivers ALL DEPENDS ${CMAKE_BINARY_DIR}/omnium_module.o omnium-as)
install(FILES ${CMAKE_BINARY_DIR}/omnium_module.o DESTINATION ${RUNTIME_DESTINATION})

foreach(name omnium-cc omnium-c++)
  add_custom_command(TARGET omnium-drivers POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E create_symlink omnium ${CMAKE_BINARY_DIR}/${name} VERBATIM)
  install(FILES ${CMAKE_BINARY_DIR}/${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()
