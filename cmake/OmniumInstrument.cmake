# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# omnium_instrument(TARGET...): see docs/guide/compiling.md.

# The flags for a step of a language, as one word that CMake passes on as they are.
function(_omnium_flags language step result)
  if(NOT CMAKE_${language}_COMPILER_LOADED)
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  set(command_C cc)
  set(command_CXX c++)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env OMNIUM_CC=${CMAKE_C_COMPILER} OMNIUM_CXX=${CMAKE_CXX_COMPILER}
      ${OMNIUM_EXECUTABLE} ${command_${language}} --omnium-print-flags=${step}
    OUTPUT_VARIABLE flags ERROR_VARIABLE message RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "omnium_instrument: ${message}")
  endif()
  string(REPLACE " " "\\ " flags "${flags}")
  string(REPLACE "\n" " " flags "${flags}")
  set(${result} "SHELL:${flags}" PARENT_SCOPE)
endfunction()

# Is the compiler of the language one of Omnium's drivers? They instrument everything already.
function(_omnium_is_driver language result)
  get_filename_component(compiler "${CMAKE_${language}_COMPILER}" REALPATH)
  get_filename_component(omnium "${OMNIUM_EXECUTABLE}" REALPATH)
  get_filename_component(name "${CMAKE_${language}_COMPILER}" NAME)
  if(compiler STREQUAL omnium OR name MATCHES "^omnium-(cc|c\\+\\+)$")
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

function(omnium_instrument)
  foreach(language C CXX)
    _omnium_is_driver(${language} is_driver)
    if(is_driver)
      continue()
    endif()
    _omnium_flags(${language} compile compile)
    _omnium_flags(${language} link link)
    foreach(target ${ARGN})
      get_target_property(type ${target} TYPE)
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:${compile}>")
      # What links a static library needs the runtime as well.
      set(who PRIVATE)
      if(type STREQUAL "STATIC_LIBRARY" OR type STREQUAL "OBJECT_LIBRARY")
        set(who INTERFACE)
      endif()
      target_link_options(${target} ${who} "$<$<LINK_LANGUAGE:${language}>:${link}>")
    endforeach()
  endforeach()
endfunction()
