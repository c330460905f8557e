# SPDX-License-Identifier: Apache-2.0
# cmake -DOUTPUT=file -DSOURCES=list -P source_hash.cmake: writes a C++ file that holds a hash of the sources, so that
# an image of another compiler is never taken for one of this.
set(digests "")
foreach(source IN LISTS SOURCES)
  file(SHA256 "${source}" digest)
  string(APPEND digests "${digest}\n")
endforeach()
string(SHA256 digest "${digests}")
file(WRITE "${OUTPUT}"
  "#include \"compiler/formats.hpp\"\n"
  "const char* const tilewright::compiler::compiler_source_hash = \"${digest}\";\n")
