# SPDX-License-Identifier: Apache-2.0
# How a layer becomes a target. Public headers are what lies under include/, so they are found by folder and no
# list can forget one; sources are listed.
include(GNUInstallDirs)

# Warnings and visibility of our own code; never seen by a consumer. Warnings become errors in our presets only.
function(tilewright_own_code target)
  # Clang counts signedness to -Wconversion, GCC does not; one meaning for both.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wno-sign-conversion -Wshadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-restrict) # GCC 12 warns falsely of "text" + std::string
  endif()
  set_target_properties(${target} PROPERTIES
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    CXX_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON)
endfunction()

# tilewright_add_layer(<layer> HEADERS <folder under include/> [SOURCES ...] [LINK <public targets>]
#                      [PRIVATE_LINK <targets>])
# Makes target tilewright_<layer> (or grout) with its alias tilewright::<layer>. Without sources it is INTERFACE.
function(tilewright_add_layer layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADERS" "SOURCES;LINK;PRIVATE_LINK")
  set(target tilewright_${layer})
  if(layer STREQUAL grout)
    set(target grout)
  endif()

  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/${arg_HEADERS}/*.hpp")
  if(arg_SOURCES)
    set(scope PUBLIC)
    add_library(${target} ${arg_SOURCES})
    tilewright_own_code(${target})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE_LINK})
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(tilewright::${layer} ALIAS ${target})

  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${headers})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} ${arg_LINK})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${layer})
  set_property(GLOBAL APPEND PROPERTY tilewright_layer_targets ${target})
endfunction()
