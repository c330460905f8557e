# SPDX-License-Identifier: Apache-2.0
# Install tree: headers, libraries, export set tilewright:: and the package files that find_package reads.
include(CMakePackageConfigHelpers)

get_property(targets GLOBAL PROPERTY tilewright_layer_targets)
install(TARGETS ${targets} EXPORT tilewright FILE_SET HEADERS)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tilewright")
install(EXPORT tilewright NAMESPACE tilewright:: FILE tilewright-targets.cmake DESTINATION "${package_dir}")
configure_package_config_file(cmake/tilewright-config.cmake.in "${PROJECT_BINARY_DIR}/tilewright-config.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tilewright-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/tilewright-config.cmake"
  "${PROJECT_BINARY_DIR}/tilewright-config-version.cmake"
  DESTINATION "${package_dir}")
install(FILES cmake/tilewright_bake.cmake cmake/bake_program.cpp.in DESTINATION "${package_dir}")
install(DIRECTORY cmake/modules DESTINATION "${package_dir}")
