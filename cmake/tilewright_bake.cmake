# SPDX-License-Identifier: Apache-2.0
# Images for GPUs, made while a project is built. Comes with find_package(tilewright) and with add_subdirectory.
set(TILEWRIGHT_TILEIR_TOOLS "$ENV{TILEWRIGHT_TILEIR_TOOLS}" CACHE PATH
  "Where NVIDIA's Tile IR tools are installed; empty: PATH and /usr/local/cuda are searched")

# Whether tileiras is there; as the library looks for it.
function(tilewright_find_tileir_tools result)
  file(GLOB places "${TILEWRIGHT_TILEIR_TOOLS}" "${TILEWRIGHT_TILEIR_TOOLS}/bin"
    "${TILEWRIGHT_TILEIR_TOOLS}/lib/python3*/site-packages/nvidia/cu*/bin")
  if(TILEWRIGHT_TILEIR_TOOLS)
    find_program(TILEWRIGHT_TILEIRAS tileiras PATHS ${places} NO_DEFAULT_PATH)
  else()
    find_program(TILEWRIGHT_TILEIRAS tileiras PATHS /usr/local/cuda/bin)
  endif()
  mark_as_advanced(TILEWRIGHT_TILEIRAS)
  if(TILEWRIGHT_TILEIRAS)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# tilewright_bake(<target> TARGETS <architectures>
#   [HEADERS <headers>]               included by the program that bakes; found as <target> finds them
#   [KERNELS <C++ expressions>]       kernels, as "saxpy.with(B = 256)"
#   [BINDINGS <C++ argument lists>]   "bake_output{{4096}, {256}}, 2.0f, bake_input{{4096}}"; each kernel with each of them
#   [CALLS <functions>]               void function(const tilewright::Device&): host code whose launches are baked
#   [SOURCES <files>]                 where these functions are, unless in a header
#   [PACK <file>]                     default: <target>.pack in the current build folder
#   [BESIDE]                          do not link the images into <target>; copy the pack beside it, for load_images()
#   [OPTIONAL]                        without NVIDIA's tools leave the images out, instead of failing to build
#   [MEMCHECK])                       images for compute-sanitizer
# Called several times for one target, each call wants a PACK of its own. Sets <target>_BAKED to whether images are made.
function(tilewright_bake target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "BESIDE;OPTIONAL;MEMCHECK" "PACK" "TARGETS;HEADERS;KERNELS;BINDINGS;CALLS;SOURCES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_TARGETS)
    message(FATAL_ERROR "tilewright_bake(${target}): give TARGETS; not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT arg_CALLS AND (NOT arg_KERNELS OR NOT arg_BINDINGS))
    message(FATAL_ERROR "tilewright_bake(${target}): give KERNELS with BINDINGS, or CALLS")
  endif()
  tilewright_find_tileir_tools(has_tools)
  set(${target}_BAKED ${has_tools} PARENT_SCOPE)
  if(NOT has_tools AND arg_OPTIONAL)
    message(STATUS "tilewright_bake(${target}): no tileiras, so no images are made")
    return()
  endif()

  if(NOT arg_PACK)
    set(arg_PACK "${CMAKE_CURRENT_BINARY_DIR}/${target}.pack")
  endif()
  cmake_path(ABSOLUTE_PATH arg_PACK BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  cmake_path(GET arg_PACK STEM stem)
  if(stem STREQUAL target)
    set(stem images)
  endif()
  string(MAKE_C_IDENTIFIER "${target}_${stem}" name)

  # The program that bakes.
  set(TILEWRIGHT_BAKE_INCLUDES "")
  set(TILEWRIGHT_BAKE_LAUNCHES "")
  set(TILEWRIGHT_BAKE_DECLARATIONS "")
  foreach(header IN LISTS arg_HEADERS)
    string(APPEND TILEWRIGHT_BAKE_INCLUDES "#include \"${header}\"\n")
  endforeach()
  foreach(kernel IN LISTS arg_KERNELS)
    foreach(binding IN LISTS arg_BINDINGS)
      string(APPEND TILEWRIGHT_BAKE_LAUNCHES "  list.add(${kernel}, ${binding});\n")
    endforeach()
  endforeach()
  foreach(function IN LISTS arg_CALLS)
    if(arg_SOURCES)
      string(APPEND TILEWRIGHT_BAKE_DECLARATIONS "void ${function}(const tilewright::Device& device);\n")
    endif()
    string(APPEND TILEWRIGHT_BAKE_LAUNCHES "  ${function}(device);\n")
  endforeach()
  set(program "${name}_bake")
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/bake_program.cpp.in" "${CMAKE_CURRENT_BINARY_DIR}/${program}.cpp" @ONLY)
  add_executable(${program} EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/${program}.cpp" ${arg_SOURCES})
  target_include_directories(${program} PRIVATE
    "${CMAKE_CURRENT_SOURCE_DIR}" $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  target_compile_definitions(${program} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  target_link_libraries(${program} PRIVATE tilewright::tilewright $<TARGET_PROPERTY:${target},LINK_LIBRARIES>)

  # What it makes.
  set(linked "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  set(options --target ${arg_TARGETS} --output "${arg_PACK}")
  set(made "${arg_PACK}")
  if(NOT arg_BESIDE)
    list(APPEND options --link "${linked}" --symbol "${name}")
    list(APPEND made "${linked}")
  endif()
  if(arg_MEMCHECK)
    list(APPEND options --sanitize memcheck)
  endif()
  set(environment)
  if(TILEWRIGHT_TILEIR_TOOLS)
    set(environment "${CMAKE_COMMAND}" -E env "TILEWRIGHT_TILEIR_TOOLS=${TILEWRIGHT_TILEIR_TOOLS}")
  endif()
  add_custom_command(OUTPUT ${made} BYPRODUCTS "${CMAKE_CURRENT_BINARY_DIR}/${name}.h"
    COMMAND ${environment} $<TARGET_FILE:${program}> ${options}
    DEPENDS ${program}
    COMMENT "Baking images of ${target} for ${arg_TARGETS}"
    VERBATIM)
  if(NOT arg_BESIDE)
    target_sources(${target} PRIVATE "${linked}")
    return()
  endif()
  add_custom_target(${name}_pack DEPENDS "${arg_PACK}")
  add_dependencies(${target} ${name}_pack)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${arg_PACK}" $<TARGET_FILE_DIR:${target}>
    VERBATIM)
endfunction()
