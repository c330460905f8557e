// SPDX-License-Identifier: Apache-2.0
// Verifier and printer on arbitrary modules. The first byte says which tables come from the input; the others are those
// of a valid module, so that the search reaches the rules of single records.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "ast/record_reader.hpp"
#include "support/good_module.hpp"
#include "tilewright/ast/printer.hpp"
#include "tilewright/ast/verify.hpp"

namespace {

using namespace tilewright;

class input {
 public:
  input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  std::uint8_t byte() {
    std::uint8_t value = 0;
    take(&value, 1);
    return value;
  }
  // At most `most` items, as their bytes stand in the input.
  template <class T>
  std::vector<T> items(std::size_t most) {
    std::vector<T> all(std::min(most, left_ / sizeof(T)));
    take(all.data(), all.size() * sizeof(T));
    return all;
  }

 private:
  void take(void* to, std::size_t bytes) {
    bytes = std::min(bytes, left_);
    if (bytes == 0) return;
    std::memcpy(to, data_, bytes);
    data_ += bytes;
    left_ -= bytes;
  }
  const std::uint8_t* data_;
  std::size_t left_;
};

template <class T>
std::int32_t size_of(const std::vector<T>& items) {
  return static_cast<std::int32_t>(items.size());
}

std::int32_t count_of_records(const ast::module_view& module) {
  ast::record_reader reader(module);
  ast::record r;
  std::int32_t count = 0;
  while (reader.next(r) == ast::record_reader::status::record) ++count;
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  test::module_builder builder;
  test::build_good_module(builder);
  ast::module_view module = builder.view();
  input from(data, size_bytes);
  const std::uint8_t own_tables = from.byte();

  std::vector<ast::tile_type> types;
  std::vector<ast::symbol> symbols;
  std::vector<ast::parameter_record> parameters;
  std::vector<char> files;
  if ((own_tables & 1) != 0) {
    types = from.items<ast::tile_type>(from.byte());
    module.types = types.data();
    module.type_count = size_of(types);
  }
  if ((own_tables & 2) != 0) {
    symbols = from.items<ast::symbol>(from.byte());
    module.symbols = symbols.data();
    module.symbol_count = size_of(symbols);
  }
  if ((own_tables & 4) != 0) {
    parameters = from.items<ast::parameter_record>(from.byte());
    module.parameters = parameters.data();
    module.parameter_count = size_of(parameters);
  }
  if ((own_tables & 8) != 0) {
    files = from.items<char>(from.byte());
    module.files = files.data();
    module.files_size = size_of(files);
  }
  std::vector<char> texts;
  if ((own_tables & 16) != 0) {
    texts = from.items<char>(from.byte());
    module.texts = texts.data();
    module.texts_size = size_of(texts);
  }
  const auto code = from.items<std::int32_t>(1 << 16);
  module.code = code.data();
  module.code_size = size_of(code);
  const std::vector<std::int32_t> locations(code.size() + 1);
  module.locations = locations.data();
  module.record_count = count_of_records(module);
  // A verified module prints to its end.
  const bool valid = ast::verify(module).empty();
  if (valid && ast::to_text(module).find("cannot be read") != std::string::npos) std::abort();
  if (ast::to_text(module).empty()) std::abort();
  return 0;
}
