# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# Packages, by `make package`: Debian packages omnium, libomnium0 and libomnium-dev, and an archive with all of it that
# works wherever it is unpacked.
set(OMNIUM_MAINTAINER "The Omnium authors <omnium@packages.invalid>" CACHE STRING "Maintainer of the packages, with an address")
set(PACKAGE_FILES ${CMAKE_BINARY_DIR}/package-files)
set(DOC ${CMAKE_INSTALL_DATAROOTDIR}/doc)

# The documentation, with the examples that it uses.
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${DOC}/omnium)
install(DIRECTORY docs/ DESTINATION ${DOC}/omnium/docs)
install(DIRECTORY examples/bank examples/shapes examples/shop examples/traces examples/models examples/library
  DESTINATION ${DOC}/omnium/examples)

# What Debian's policy asks of each package.
string(TIMESTAMP TODAY "%a, %d %b %Y 00:00:00 +0000" UTC)
foreach(package omnium libomnium0 libomnium-dev)
  file(WRITE ${PACKAGE_FILES}/${package}/changelog "${package} (${PROJECT_VERSION}) unstable; urgency=medium\n\n"
    "  * See CHANGELOG.md in the package omnium.\n\n -- ${OMNIUM_MAINTAINER}  ${TODAY}\n")
  file(WRITE ${PACKAGE_FILES}/${package}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
    "Upstream-Name: omnium\n\nFiles: *\nCopyright: 2026 The Omnium authors\nLicense: Apache-2.0\n"
    " On Debian systems the text of the license is in /usr/share/common-licenses/Apache-2.0.\n")
  execute_process(COMMAND gzip -9nf ${PACKAGE_FILES}/${package}/changelog)
endforeach()
function(package_files component package)
  install(FILES ${PACKAGE_FILES}/${package}/changelog.gz ${PACKAGE_FILES}/${package}/copyright
    DESTINATION ${DOC}/${package} COMPONENT ${component})
endfunction()
package_files(omnium omnium)
package_files(libomnium libomnium0)
package_files(dev libomnium-dev)

set(CPACK_PACKAGE_NAME omnium)
set(CPACK_PACKAGE_VENDOR "The Omnium authors")
set(CPACK_PACKAGE_CONTACT ${OMNIUM_MAINTAINER})
set(CPACK_PACKAGE_HOMEPAGE_URL "${OMNIUM_HOMEPAGE}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds atomicity violations in multithreaded C and C++ programs")
set(CPACK_PACKAGE_FILE_NAME omnium-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_GENERATOR DEB TZST)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL omnium libomnium dev)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package_prefix.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_OMNIUM_PACKAGE_NAME omnium)
set(CPACK_DEBIAN_OMNIUM_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_OMNIUM_PACKAGE_DEPENDS "binutils, g++ | clang")
set(CPACK_DEBIAN_OMNIUM_PACKAGE_SUGGESTS "gdb, libomnium-dev")
set(CPACK_DEBIAN_LIBOMNIUM_PACKAGE_NAME libomnium0)
set(CPACK_DEBIAN_LIBOMNIUM_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_LIBOMNIUM_PACKAGE_CONTROL_EXTRA ${PACKAGE_FILES}/triggers)
file(WRITE ${PACKAGE_FILES}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libomnium-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libomnium0 (= ${PROJECT_VERSION}), omnium (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "libfmt-dev, libxxhash-dev")
set(CPACK_COMPONENT_OMNIUM_DESCRIPTION "Finds atomicity violations in programs
 Omnium compiles, runs and checks multithreaded C and C++ programs: blocks of
 code that a programmer believes to be atomic and that were interrupted. It
 also checks recorded traces and looks for other interleavings.")
set(CPACK_COMPONENT_LIBOMNIUM_DESCRIPTION "Checks the atomicity of events of a program's own
 The library of Omnium for simulators, databases and other sources of events.")
set(CPACK_COMPONENT_DEV_DESCRIPTION "Headers and CMake package of Omnium
 The annotations of blocks, the library that checks events, and functions for
 CMake that instrument targets and run them as tests.")
include(CPack)
