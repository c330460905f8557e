# SPDX-License-Identifier: Apache-2.0
# What users of the library compile with, so that misuse of tensors and ops is an error wherever their compiler sees it.
# The one list of these flags: the library exports it, and tools/misuse compiles its corpus with it.
function(tilewright_ownership_checks target)
  if(NOT TILEWRIGHT_OWNERSHIP_CHECKS)
    target_compile_definitions(${target} INTERFACE TILEWRIGHT_NO_OWNERSHIP_CHECKS)
    return()
  endif()
  # unused-variable is how both compilers say that an Op or an InFlight has a name and is never mentioned again.
  target_compile_options(${target} INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Werror=unused-result;-Werror=unused-variable>"
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Werror=consumed;-Werror=dangling;-Werror=return-stack-address>"
    $<$<AND:$<COMPILE_LANG_AND_ID:CXX,Clang>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,21>>:-Werror=thread-safety-analysis>)
endfunction()
