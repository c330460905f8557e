// SPDX-License-Identifier: Apache-2.0
// Reads GGUF model files (versions 2 and 3, little-endian). Everything is checked while opening: after that every
// tensor's bytes are known to lie inside the file, aligned, apart from each other and of the size its type asks for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grout/ggml_type.hpp"
#include "grout/gguf_metadata.hpp"
#include "grout/mapped_file.hpp"
#include "tilewright/base/config.hpp"

namespace grout {

// One tensor of the file, in its stored encoding.
struct TILEWRIGHT_API GgufTensor {
  static constexpr std::size_t max_rank = 4;

  std::string_view name;
  GgmlBlock block{};                             // type, its name and block size
  std::size_t rank = 0;                          // 1 to 4
  std::array<std::int64_t, max_rank> extents{};  // in file order, see below
  std::span<const std::byte> data;

  // As the file lists them: the fastest-varying axis first.
  std::span<const std::int64_t> file_order() const { return std::span(extents).first(rank); }
  // As Tilewright and C arrays count them: the slowest-varying axis first, so a weight is (outputs, inputs).
  std::vector<std::int64_t> row_major_shape() const;

  std::int64_t row_elements() const { return extents[0]; }
  std::int64_t row_bytes() const { return extents[0] / block.elements * block.size_bytes; }
  std::int64_t rows() const { return static_cast<std::int64_t>(data.size()) / row_bytes(); }
};

// Throws tilewright::io_error for anything that is not a well-formed GGUF file, naming the tensor or key at fault.
// Memory is bounded by a small multiple of the file's header, whatever counts the file claims. Tensor data is not
// touched while opening. Spans and views live as long as the object and survive its moves.
class TILEWRIGHT_API Gguf {
 public:
  static Gguf open(const std::filesystem::path& path);
  // Reads bytes that the caller keeps alive; `name` stands for the path in messages.
  static Gguf parse(std::string_view bytes, std::string name);

  const std::string& name() const noexcept { return name_; }
  std::uint32_t version() const noexcept { return version_; }
  std::int64_t alignment() const noexcept { return alignment_; }
  const GgufMetadata& metadata() const noexcept { return metadata_; }

  std::span<const GgufTensor> tensors() const noexcept { return tensors_; }  // in file order
  const GgufTensor* find_tensor(std::string_view name) const;                // null if absent
  const GgufTensor& tensor(std::string_view name) const;                     // io_error if absent

 private:
  explicit Gguf(std::string name) : name_(std::move(name)) {}

  std::optional<MappedFile> file_;
  std::string name_;
  std::uint32_t version_ = 0;
  std::int64_t alignment_ = 0;
  GgufMetadata metadata_;
  std::vector<GgufTensor> tensors_;
  std::map<std::string_view, std::size_t> index_;
};

}  // namespace grout
