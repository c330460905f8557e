// SPDX-License-Identifier: Apache-2.0
// Puts the parts of a GGUF file together: header, values, tensor table.
#include "grout/gguf.hpp"

#include <bit>
#include <utility>

#include "grout/gguf/byte_reader.hpp"
#include "grout/gguf/parse_metadata.hpp"
#include "grout/gguf/parse_tensors.hpp"
#include "tilewright/base/error.hpp"

namespace grout {
namespace {

constexpr std::int64_t default_alignment = 32;
constexpr std::int64_t largest_alignment = 1 << 30;

std::int64_t read_alignment(ByteReader& reader, const GgufMetadata& metadata) {
  constexpr std::string_view key = "general.alignment";
  if (!metadata.has(key)) return default_alignment;
  const auto alignment = metadata.integer(key, {1, largest_alignment});
  if (!std::has_single_bit(static_cast<std::uint64_t>(alignment))) {
    reader.subject("key", key);
    reader.fail("bad alignment", "a power of two", std::to_string(alignment), fix_writer);
  }
  return alignment;
}

}  // namespace

std::vector<std::int64_t> GgufTensor::row_major_shape() const {
  const auto extents_in_file = file_order();
  return {extents_in_file.rbegin(), extents_in_file.rend()};
}

Gguf Gguf::open(const std::filesystem::path& path) {
  MappedFile file(path);
  Gguf result = parse(file.bytes(), file.path());
  result.file_.emplace(std::move(file));
  return result;
}

Gguf Gguf::parse(std::string_view bytes, std::string name) {
  Gguf result(std::move(name));
  ByteReader reader(bytes, result.name_);
  const GgufHeader header = parse_header(reader);
  result.version_ = header.version;
  result.metadata_ = GgufMetadata(result.name_, parse_values(reader, header.value_count));
  result.alignment_ = read_alignment(reader, result.metadata_);
  result.tensors_ = parse_tensors(reader, header.tensor_count, static_cast<std::uint64_t>(result.alignment_), bytes);
  for (std::size_t i = 0; i < result.tensors_.size(); ++i) {
    result.index_.emplace(result.tensors_[i].name, i);
  }
  return result;
}

const GgufTensor* Gguf::find_tensor(std::string_view name) const {
  const auto entry = index_.find(name);
  return entry == index_.end() ? nullptr : &tensors_[entry->second];
}

const GgufTensor& Gguf::tensor(std::string_view name) const {
  if (const auto* found = find_tensor(name)) return *found;
  throw tilewright::io_error({.what = "a tensor is missing",
                              .where = "file " + name_ + ", tensor '" + printable(name) + "'",
                              .expected = "a tensor of this name",
                              .got = "none among " + std::to_string(tensors_.size()),
                              .fix = "use a model of a supported family, or get the file again"});
}

}  // namespace grout
