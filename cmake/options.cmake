# SPDX-License-Identifier: Apache-2.0
# The few options of the build. Tests, applications and install rules are on only when this is the top project.
find_package(LLVM 22.1 CONFIG QUIET)

option(TILEWRIGHT_LLVM "Build the cpu back end with LLVM 22; without it the interpreter serves" ${LLVM_FOUND})
option(TILEWRIGHT_CUDA "Build the CUDA runtime (the driver is loaded at run time)" ON)
option(TILEWRIGHT_TBB "Run blocks over oneTBB; without it a small std::thread pool does" ON)
option(TILEWRIGHT_STATIC_DEPENDENCIES "Link fmt, xxHash and PCRE2 statically, so that programs run on other systems" OFF)
option(TILEWRIGHT_OWNERSHIP_CHECKS "Let the optimiser report misuse of tensors and ops while C++ compiles" ON)
# A plugin has to be what its clang is: same version, no sanitizer.
find_path(TILEWRIGHT_CLANG_HEADERS clang/Frontend/FrontendPluginRegistry.h PATHS ${LLVM_INCLUDE_DIRS} NO_DEFAULT_PATH)
mark_as_advanced(TILEWRIGHT_CLANG_HEADERS)
set(twcheck_default OFF)
if(PROJECT_IS_TOP_LEVEL AND TILEWRIGHT_LLVM AND TILEWRIGHT_CLANG_HEADERS AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(twcheck_default ON)
endif()
option(TILEWRIGHT_TWCHECK "Build twcheck, the ownership checker for clang 22" ${twcheck_default})
option(TILEWRIGHT_TESTS "Build tests, examples and benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(TILEWRIGHT_LARGE_TESTS "Build the tests labelled large: gigabytes and minutes" OFF)
option(TILEWRIGHT_APPS "Build the programs tilewright and grout" ${PROJECT_IS_TOP_LEVEL})
option(TILEWRIGHT_INSTALL "Add install rules" ${PROJECT_IS_TOP_LEVEL})
option(TILEWRIGHT_FUZZ "Let fuzz tests search with libFuzzer (Clang) instead of replaying their stored inputs" OFF)
set(TILEWRIGHT_FUZZ_SECONDS 60 CACHE STRING "How long each fuzz test searches")
