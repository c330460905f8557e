# SPDX-License-Identifier: Apache-2.0
# How tests are declared. The folder of a test is its kind and its CTest label.
include(GoogleTest)

# Each builds every binary of one kind.
foreach(label IN ITEMS unit numeric large golden tileir fuzz stress)
  add_custom_target(tests_${label})
endforeach()

# tilewright_add_tests(<label> <name> [SOURCES ...] [LINK ...])
# One GoogleTest binary <label>_<name>; each case is a CTest test of its own, a skipped case counts as skipped.
function(tilewright_add_tests label name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;LINK")
  set(binary ${label}_${name})
  if(NOT arg_SOURCES)
    add_custom_target(${binary})
    return()
  endif()
  add_executable(${binary} ${arg_SOURCES})
  tilewright_own_code(${binary})
  # What is tested is optimised, the tests need not be: that would double their compile time.
  target_compile_options(${binary} PRIVATE $<IF:$<STREQUAL:${label},numeric>,-O1,-O0>)
  target_include_directories(${binary} PRIVATE "${PROJECT_SOURCE_DIR}/test" "${PROJECT_SOURCE_DIR}/src")
  target_compile_definitions(${binary} PRIVATE TILEWRIGHT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${binary} PRIVATE ${arg_LINK} GTest::gtest_main)
  add_dependencies(tests_${label} ${binary})
  set(timeout 300)
  if(label STREQUAL large)
    set(timeout 3600)
  endif()
  gtest_discover_tests(${binary}
    TEST_PREFIX ${binary}.
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${label} TIMEOUT ${timeout} ENVIRONMENT "TILEWRIGHT_CACHE_DIR=${PROJECT_BINARY_DIR}/image_cache")
endfunction()

# tilewright_add_check(<label> <name> COMMAND ...): a script or program whose exit code is the result; 77 is a skip.
function(tilewright_add_check label name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "TIMEOUT" "COMMAND")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  add_test(NAME ${label}.${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${label}.${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT ${arg_TIMEOUT})
endfunction()

# tilewright_add_fuzz_target(<name> [LINK ...] [MUTATIONS <count>]): <name>_fuzz.cpp defines LLVMFuzzerTestOneInput.
# With TILEWRIGHT_FUZZ (preset fuzz) its test searches for TILEWRIGHT_FUZZ_SECONDS; else it replays the stored inputs,
# and that many changed copies of them.
function(tilewright_add_fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MUTATIONS" "LINK")
  if(NOT arg_MUTATIONS)
    set(arg_MUTATIONS 0)
  endif()
  set(binary fuzz_${name})
  set(corpus "${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name}")
  add_executable(${binary} ${name}_fuzz.cpp)
  tilewright_own_code(${binary})
  target_link_libraries(${binary} PRIVATE ${arg_LINK})
  add_dependencies(tests_fuzz ${binary})
  if(TILEWRIGHT_FUZZ)
    target_link_options(${binary} PRIVATE -fsanitize=fuzzer)
    set(found "${CMAKE_CURRENT_BINARY_DIR}/found/${name}")
    file(MAKE_DIRECTORY "${found}")
    tilewright_add_check(fuzz ${name} COMMAND ${binary}
      -max_total_time=${TILEWRIGHT_FUZZ_SECONDS} -error_exitcode=1 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
      -artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/ "${found}" "${corpus}")
  else()
    target_sources(${binary} PRIVATE "${PROJECT_SOURCE_DIR}/test/support/replay_corpus.cpp")
    tilewright_add_check(fuzz ${name} COMMAND ${binary} -mutations=${arg_MUTATIONS} "${corpus}")
  endif()
endfunction()
