// SPDX-License-Identifier: Apache-2.0
// Any bytes as machine code for a GPU, as packs and caches may hold: refused with io_error, or told about.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "compiler/tileir/cubin.hpp"
#include "tilewright/base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewright::compiler::tileir;
  try {
    const cubin_report report = read_cubin(std::as_bytes(std::span(data, size)));
    if (report.symbol.empty() || to_text(report).empty()) std::abort();
  } catch (const tilewright::io_error&) {
  }
  return 0;
}
