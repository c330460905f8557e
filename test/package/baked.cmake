# SPDX-License-Identifier: Apache-2.0
# Two programs with baked images, where NVIDIA's tools are: linked in, of a list; beside it, of host code.
add_executable(baked_linked ../baked.cpp)
target_link_libraries(baked_linked PRIVATE tilewright::tilewright)
target_include_directories(baked_linked PRIVATE "${CMAKE_CURRENT_LIST_DIR}")
tilewright_bake(baked_linked OPTIONAL TARGETS sm_80 sm_90 HEADERS scaled.hpp
  KERNELS "consumer::scaled" "consumer::scaled.with(consumer::B = 128)"
  BINDINGS "bake_output{{2048}, {128}}, 2, bake_input{{2048}}")
if(NOT baked_linked_BAKED)
  add_custom_target(baked)
  return()
endif()

add_executable(baked_beside ../baked.cpp)
target_link_libraries(baked_beside PRIVATE tilewright::tilewright)
target_include_directories(baked_beside PRIVATE "${CMAKE_CURRENT_LIST_DIR}")
set_target_properties(baked_beside PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/beside")
tilewright_bake(baked_beside BESIDE TARGETS sm_90 HEADERS scaled.hpp CALLS consumer::launches PACK beside.pack)
add_custom_target(baked
  COMMAND baked_linked
  COMMAND baked_beside
  VERBATIM)
