// SPDX-License-Identifier: Apache-2.0
// Checks every number of the tensor table against the file's size, with arithmetic that cannot wrap.
#include "grout/gguf/parse_tensors.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace grout {
namespace {

constexpr std::uint64_t largest_extent = std::numeric_limits<std::int64_t>::max();

struct Entry {
  GgufTensor tensor;
  std::uint64_t offset;  // from the start of the data part
  std::uint64_t size_bytes;
};

std::string shape_text(const GgufTensor& tensor) {
  std::string text = "[";
  for (const auto extent : tensor.file_order()) text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  return text + "]";
}

void read_extents(ByteReader& reader, GgufTensor& tensor) {
  const auto rank = reader.read<std::uint32_t>("a rank");
  if (rank < 1 || rank > GgufTensor::max_rank) {
    reader.fail("unsupported rank", "1 to 4 axes", std::to_string(rank), fix_damaged);
  }
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const auto extent = reader.read<std::uint64_t>("an extent");
    if (extent < 1 || extent > largest_extent) {
      reader.fail("an extent is out of range", "1 to " + std::to_string(largest_extent),
                  std::to_string(extent) + " on axis " + std::to_string(axis) + " (file order)", fix_damaged);
    }
    tensor.extents[tensor.rank++] = static_cast<std::int64_t>(extent);
  }
}

void read_block(ByteReader& reader, GgufTensor& tensor) {
  const auto type_id = reader.read<std::uint32_t>("a tensor type");
  const auto block = find_ggml_block(type_id);
  if (!block) {
    reader.fail("unknown tensor type", "a known ggml type, as 0 (F32), 2 (Q4_0), 3 (Q4_1), 8 (Q8_0) or 30 (BF16)",
                std::to_string(type_id), "use a newer Grout, or convert the model to a supported type");
  }
  tensor.block = *block;
  if (tensor.extents[0] % block->elements == 0) return;
  reader.fail("a row is not a whole number of blocks",
              std::string(block->name) + " rows of a multiple of " + std::to_string(block->elements) + " elements",
              "rows of " + std::to_string(tensor.extents[0]) + " elements", fix_writer);
}

std::uint64_t size_bytes(const ByteReader& reader, const GgufTensor& tensor) {
  // Blocks first: the first extent is a multiple of the block, so the division is exact.
  std::int64_t size = tensor.extents[0] / tensor.block.elements;
  bool wraps = __builtin_mul_overflow(size, tensor.block.size_bytes, &size);
  for (std::size_t axis = 1; axis < tensor.rank; ++axis) {
    wraps = wraps || __builtin_mul_overflow(size, tensor.extents[axis], &size);
  }
  if (wraps) {
    reader.fail("the size of the tensor overflows", "fewer than 2^63 bytes",
                std::string(tensor.block.name) + " " + shape_text(tensor), fix_damaged);
  }
  return static_cast<std::uint64_t>(size);
}

Entry read_entry(ByteReader& reader) {
  Entry entry{};
  reader.subject("tensor table", {});
  entry.tensor.name = reader.read_string("a tensor name");
  if (entry.tensor.name.empty()) reader.fail("a tensor has no name", "1 byte or more", "0 bytes", fix_damaged);
  reader.subject("tensor", entry.tensor.name);
  read_extents(reader, entry.tensor);
  read_block(reader, entry.tensor);
  entry.size_bytes = size_bytes(reader, entry.tensor);
  entry.offset = reader.read<std::uint64_t>("a data offset");
  return entry;
}

void refuse_duplicates(ByteReader& reader, const std::vector<Entry>& entries) {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) names.push_back(entry.tensor.name);
  std::sort(names.begin(), names.end());
  const auto twin = std::adjacent_find(names.begin(), names.end());
  if (twin == names.end()) return;
  reader.subject("tensor", *twin);
  reader.fail("duplicate tensor name", "each name once", "a second one", fix_writer);
}

void resolve_data(ByteReader& reader, Entry& entry, std::uint64_t data_begin, std::uint64_t alignment,
                  std::string_view file) {
  reader.subject("tensor", entry.tensor.name);
  if (entry.offset % alignment != 0) {
    reader.fail("misaligned tensor data", "an offset that is a multiple of " + std::to_string(alignment),
                "offset " + std::to_string(entry.offset), fix_writer);
  }
  const std::uint64_t available = data_begin <= file.size() ? file.size() - data_begin : 0;
  if (entry.size_bytes > available || entry.offset > available - entry.size_bytes) {
    reader.fail("tensor data reaches past the end of the file",
                std::to_string(entry.size_bytes) + " bytes at offset " + std::to_string(entry.offset) +
                    " of the data part, which starts at byte " + std::to_string(data_begin),
                "a file of " + std::to_string(file.size()) + " bytes", fix_damaged);
  }
  entry.tensor.data = std::as_bytes(std::span(file.substr(data_begin + entry.offset, entry.size_bytes)));
}

void refuse_overlaps(ByteReader& reader, const std::vector<GgufTensor>& tensors) {
  std::vector<const GgufTensor*> by_address;
  for (const auto& tensor : tensors) by_address.push_back(&tensor);
  std::sort(by_address.begin(), by_address.end(),
            [](const auto* a, const auto* b) { return a->data.data() < b->data.data(); });
  for (std::size_t i = 1; i < by_address.size(); ++i) {
    const GgufTensor& before = *by_address[i - 1];
    const auto free_bytes = by_address[i]->data.data() - before.data.data();
    if (free_bytes >= static_cast<std::ptrdiff_t>(before.data.size())) continue;
    reader.subject("tensor", by_address[i]->name);
    reader.fail("the data of two tensors overlap",
                std::to_string(before.data.size()) + " bytes for '" + printable(before.name) + "' before it",
                std::to_string(free_bytes) + " bytes", fix_writer);
  }
}

}  // namespace

std::vector<GgufTensor> parse_tensors(ByteReader& reader, std::uint64_t count, std::uint64_t alignment,
                                      std::string_view file) {
  std::vector<Entry> entries;
  for (std::uint64_t i = 0; i < count; ++i) entries.push_back(read_entry(reader));
  refuse_duplicates(reader, entries);
  const std::uint64_t data_begin = (reader.offset() + alignment - 1) / alignment * alignment;
  std::vector<GgufTensor> tensors;
  for (Entry& entry : entries) {
    resolve_data(reader, entry, data_begin, alignment, file);
    tensors.push_back(entry.tensor);
  }
  refuse_overlaps(reader, tensors);
  return tensors;
}

}  // namespace grout
