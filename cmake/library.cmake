# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# libomnium, static and shared, with a CMake package and a pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(omnium-static STATIC ${CHECKING_OBJECTS})
add_library(omnium-shared SHARED ${CHECKING_OBJECTS})
set_target_properties(omnium-shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0)
foreach(kind static shared)
  add_library(Omnium::${kind} ALIAS omnium-${kind})
  set_target_properties(omnium-${kind} PROPERTIES OUTPUT_NAME omnium EXPORT_NAME ${kind})
  target_include_directories(omnium-${kind} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(omnium-${kind} PUBLIC cxx_std_20)
  # Names and not targets: who links the static library needs only the system's linker to find them.
  target_link_libraries(omnium-${kind} PRIVATE -lfmt -lxxhash)
endforeach()

# <omnium/atomic.h> alone, for people who build without Omnium.
add_library(omnium-annotations INTERFACE)
add_library(Omnium::annotations ALIAS omnium-annotations)
set_target_properties(omnium-annotations PROPERTIES EXPORT_NAME annotations)
target_include_directories(omnium-annotations INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

# What a package calls libomnium, and what one calls libomnium-dev.
install(TARGETS omnium-static omnium-shared omnium-annotations EXPORT OmniumTargets
  LIBRARY COMPONENT libomnium NAMELINK_COMPONENT dev ARCHIVE COMPONENT dev)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)
install(FILES ${PROJECT_SOURCE_DIR}/include/omnium/atomic.h ${PROJECT_SOURCE_DIR}/include/omnium/monitor.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/omnium)
install(EXPORT OmniumTargets NAMESPACE Omnium:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Omnium)
set(OMNIUM_EXECUTABLE ${CMAKE_INSTALL_BINDIR}/omnium)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/OmniumConfig.cmake.in
  ${CMAKE_BINARY_DIR}/OmniumConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Omnium
  PATH_VARS OMNIUM_EXECUTABLE)
file(RELATIVE_PATH CMAKE_TO_BIN /${CMAKE_INSTALL_LIBDIR}/cmake/Omnium /${CMAKE_INSTALL_BINDIR})
configure_file(${PROJECT_SOURCE_DIR}/cmake/OmniumToolchain.cmake.in ${CMAKE_BINARY_DIR}/OmniumToolchain.cmake @ONLY)
# find_package(omnium) finds it as well.
foreach(suffix "" Version)
  string(REPLACE Version -version lower "${suffix}")
  file(WRITE ${CMAKE_BINARY_DIR}/omnium-config${lower}.cmake
    "include(\"\${CMAKE_CURRENT_LIST_DIR}/OmniumConfig${suffix}.cmake\")\n")
endforeach()
write_basic_package_version_file(${CMAKE_BINARY_DIR}/OmniumConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/OmniumConfig.cmake ${CMAKE_BINARY_DIR}/OmniumConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/OmniumInstrument.cmake ${PROJECT_SOURCE_DIR}/cmake/OmniumTest.cmake
  ${CMAKE_BINARY_DIR}/OmniumToolchain.cmake ${CMAKE_BINARY_DIR}/omnium-config.cmake
  ${CMAKE_BINARY_DIR}/omnium-config-version.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Omnium)
file(RELATIVE_PATH PKGCONFIG_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/omnium.pc.in ${CMAKE_BINARY_DIR}/omnium.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/omnium.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME omnium)
