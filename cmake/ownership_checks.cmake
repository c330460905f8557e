# SPDX-License-Identifier: Apache-2.0
# What users of the library compile with, so that misuse of tensors and ops is an error wherever their compiler sees it.
# The one list of these flags: the library exports it, and tools/misuse compiles its corpus with it.
function(tilewright_ownership_checks target)
  if(NOT TILEWRIGHT_OWNERSHIP_CHECKS)
    target_compile_definitions(${target} INTERFACE TILEWRIGHT_NO_OWNERSHIP_CHECKS)
    return()
  endif()
  # unused-variable is the only way of g++ to say that an Op or an InFlight has a name and is never mentioned again, and
  # that of clang for a Result; it cannot be had for some types alone.
  target_compile_options(${target} INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Werror=unused-result;-Werror=unused-variable>"
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Werror=consumed;-Werror=dangling;-Werror=return-stack-address>"
    $<$<AND:$<COMPILE_LANG_AND_ID:CXX,Clang>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,21>>:-Werror=thread-safety-analysis>)
endfunction()

# Whoever links `target` compiles with the plugin twcheck, where the compiler is the clang that it is made for.
function(tilewright_load_twcheck target plugin)
  set(is_clang_22 "$<COMPILE_LANG_AND_ID:CXX,Clang>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,22>")
  string(APPEND is_clang_22 ",$<VERSION_LESS:$<CXX_COMPILER_VERSION>,23>")
  target_compile_options(${target} INTERFACE "$<$<AND:${is_clang_22}>:-fplugin=${plugin}>")
endfunction()
