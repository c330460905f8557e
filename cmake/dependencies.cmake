# SPDX-License-Identifier: Apache-2.0
# Every outside library, found once. Nothing is downloaded while configuring.
# cmake/tilewright-config.cmake.in repeats what a static install needs at link time; keep the two in step.
list(APPEND CMAKE_MODULE_PATH "${PROJECT_SOURCE_DIR}/cmake/modules")

set(shared_suffixes ${CMAKE_FIND_LIBRARY_SUFFIXES})
set(TILEWRIGHT_FMT fmt::fmt)
if(TILEWRIGHT_STATIC_DEPENDENCIES)
  set(CMAKE_FIND_LIBRARY_SUFFIXES ${CMAKE_STATIC_LIBRARY_SUFFIX})
  set(TILEWRIGHT_FMT fmt::fmt-header-only) # Debian has no archive of it
endif()

find_package(Threads REQUIRED)
find_package(xxHash 0.8 REQUIRED)
find_package(fmt 9 REQUIRED CONFIG)
find_package(PCRE2 10 REQUIRED)
set(CMAKE_FIND_LIBRARY_SUFFIXES ${shared_suffixes})
find_package(nlohmann_json 3.11 REQUIRED CONFIG)
if(TILEWRIGHT_LLVM)
  find_package(LLVM 22.1 REQUIRED CONFIG)
endif()
if(TILEWRIGHT_TBB)
  find_package(TBB 2021 REQUIRED CONFIG)
endif()
if(TILEWRIGHT_APPS OR TILEWRIGHT_TESTS)
  find_package(CLI11 2.1 REQUIRED CONFIG)
endif()
if(TILEWRIGHT_TESTS)
  find_package(GTest 1.12 REQUIRED CONFIG)
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
endif()
