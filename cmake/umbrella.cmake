# SPDX-License-Identifier: Apache-2.0
# tilewright::tilewright is everything a program with kernels needs; grout is linked by its own name.
add_library(tilewright INTERFACE)
add_library(tilewright::tilewright ALIAS tilewright)
target_link_libraries(tilewright INTERFACE tilewright::kernels tilewright::lang tilewright::runtime)
file(GLOB umbrella_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/tilewright/*.hpp")
target_sources(tilewright INTERFACE
  FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${umbrella_headers})
set_property(GLOBAL APPEND PROPERTY tilewright_layer_targets tilewright)
