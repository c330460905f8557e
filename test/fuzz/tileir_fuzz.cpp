// SPDX-License-Identifier: Apache-2.0
// Any bytes as Tile IR bytecode: refused with io_error, or a module that can be printed and checked, and written and
// read to the same module again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "compiler/tileir/read.hpp"
#include "compiler/tileir/text.hpp"
#include "compiler/tileir/verify.hpp"
#include "compiler/tileir/write.hpp"
#include "tilewright/base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewright::compiler::tileir;
  // SAFETY: bytes may be read as characters.
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const bytecode made = read(bytes);
    if (to_text(made).empty() || read(write(made)) != made) std::abort();
    if (const auto fault = find_fault(made); fault && to_text(*fault).empty()) std::abort();
  } catch (const tilewright::io_error&) {
  }
  return 0;
}
