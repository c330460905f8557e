// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/print_code.hpp"

#include "compiler/cpu/boxes.hpp"
#include "compiler/cpu/elements.hpp"
#include "compiler/print_sink.hpp"
#include "compiler/printed_line.hpp"

namespace tilewright::compiler {

void emit_print(kernel_state& state, const instruction& i) {
  const printed_line line = line_of_print(state.source, i);
  const std::vector<std::size_t> places = places_of(line);
  const std::int64_t room = take_room(state.scratch_bytes, static_cast<std::int64_t>(places.back()));
  const std::size_t ids = line.values.size() - i.operands.size();
  for (std::size_t n = 0; n < line.values.size(); ++n) {
    const std::int64_t offset = room + static_cast<std::int64_t>(places[n]);
    const value_type& type = line.values[n];
    if (type.rank > 0) {
      store_tile(state, i.operands[n - ids], offset);
    } else {
      const ir::value element = n < ids ? state.block_ids[n] : state.scalars[at(i.operands[n - ids])];
      store_stored(state, type, offset, first_place(state), element);
    }
  }
  ir::module_builder& code = state.code;
  code.call(print_symbol, code.constants(to_bytes(line)), code.offset(code.scratch(), room));
}

void print_from_code(const char* line, const std::byte* values) noexcept {
  print_line(to_text(line_from_bytes(line), values));
}

}  // namespace tilewright::compiler
