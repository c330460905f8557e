// SPDX-License-Identifier: Apache-2.0
// Any bytes as a GGUF file: refused with io_error, or accepted with every view inside the bytes, a tokenizer, if there
// is one, that gives valid text back, and a model, if there is one, whose tensors were all checked.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "grout/dequantize.hpp"
#include "grout/gguf.hpp"
#include "grout/tokenizer.hpp"
#include "grout/weights.hpp"
#include "tilewright/base/error.hpp"

namespace {

using grout::Gguf;
using grout::GgufValueType;

void require(bool condition) {
  if (!condition) std::abort();
}

void read_value(const grout::GgufMetadata& values, std::string_view key, const grout::GgufValue& value) {
  using enum GgufValueType;
  const bool is_real = value.element == f32 || value.element == f64;
  if (value.element == array) return;
  if (value.element == boolean) {
    if (!value.is_array) values.boolean(key);
  } else if (value.element == string) {
    value.is_array ? void(values.strings(key)) : void(values.string(key));
  } else if (is_real) {
    value.is_array ? void(values.reals(key)) : void(values.real(key));
  } else {
    value.is_array ? void(values.integers(key)) : void(values.integer(key));
  }
}

void read_values(const Gguf& file) {
  for (const auto& [key, value] : file.metadata().values()) {
    try {
      read_value(file.metadata(), key, value);
    } catch (const tilewright::io_error&) {  // an integer past the largest int64
    }
  }
}

void read_tensors(const Gguf& file, std::string_view bytes) {
  const auto all = std::as_bytes(std::span(bytes));
  for (const grout::GgufTensor& tensor : file.tensors()) {
    require(tensor.data.data() >= all.data() && tensor.data.data() + tensor.data.size() <= all.data() + all.size());
    require(!tensor.data.empty() && tensor.rows() > 0 && tensor.row_major_shape().size() == tensor.rank);
    require(&file.tensor(tensor.name) == &tensor);
    if (grout::can_dequantize(tensor.block.type)) grout::dequantize_row(tensor, tensor.rows() - 1);
  }
}

void use_tokenizer(const Gguf& file, std::string_view bytes) {
  try {
    const auto tokenizer = grout::Tokenizer::from_gguf(file);
    const std::string text = tokenizer.decode(tokenizer.encode(bytes.substr(0, 2048), true));
    require(grout::is_valid_utf8(text));
  } catch (const tilewright::io_error&) {  // no tokenizer, or one that contradicts itself
  }
}

void check_model(const Gguf& file) {
  try {
    const grout::ModelConfig config = grout::read_config(file);
    grout::check_weights(file, config);
    require(config.heads % config.key_heads == 0 && config.head_size % 2 == 0);
    require(file.tensor("token_embd.weight").rows() == config.vocabulary);
  } catch (const tilewright::io_error&) {  // no model, or one that contradicts itself
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  try {
    const Gguf file = Gguf::parse(bytes, "fuzz.gguf");
    read_values(file);
    read_tensors(file, bytes);
    use_tokenizer(file, bytes);
    check_model(file);
  } catch (const tilewright::io_error&) {
  }
  return 0;
}
