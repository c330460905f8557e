// SPDX-License-Identifier: Apache-2.0
// Many images in one file: what bake() writes and load_images() reads. Bytes and keys only; images stay as the compiler
// stored them. The same images give the same bytes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/compiler/compile.hpp"
#include "tilewright/compiler/identity.hpp"

namespace tilewright::runtime {

struct packed_image {
  compiler::image_key key;
  std::string kernel;  // for people
  std::string target;  // "sm_90"
  std::vector<std::byte> object;
};

// The file's bytes; of images with equal keys the first one is kept.
std::vector<std::byte> pack_images(std::vector<packed_image> images);

// Whole or not at all: a reader never meets half of it. Throws io_error.
void write_pack(const std::filesystem::path& file, std::span<const std::byte> pack);

// Throws io_error.
std::vector<std::byte> read_pack(const std::filesystem::path& file);

// A pack whose every byte was checked; it points into the bytes.
class image_pack {
 public:
  struct entry {
    compiler::image_key key;
    std::string_view kernel, target;
    std::span<const std::byte> object;
  };

  // `where` names the bytes in messages. Throws io_error that says what is wrong with them.
  image_pack(std::span<const std::byte> bytes, std::string where);

  const std::string& where() const noexcept { return where_; }
  const compiler::compiler_identity& made_by() const noexcept { return made_by_; }
  const std::vector<entry>& entries() const noexcept { return entries_; }  // by key
  const entry* find(const compiler::image_key& key) const noexcept;

 private:
  std::string where_;
  compiler::compiler_identity made_by_;
  std::vector<entry> entries_;
};

}  // namespace tilewright::runtime
