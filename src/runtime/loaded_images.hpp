// SPDX-License-Identifier: Apache-2.0
// The packs that a process has loaded. Looked into by the image cache, between its memory and its disk.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "runtime/image_pack.hpp"

namespace tilewright::runtime {

class loaded_images {
 public:
  // Throws io_error.
  void add_file(const std::filesystem::path& file);
  // Bytes that stay.
  void add_bytes(std::span<const std::byte> pack, const std::string& where);
  // Bytes that stay and are looked at later, when find() is first called.
  void add_linked(std::span<const std::byte> pack) noexcept;
  // A list of files with ':' between.
  void add_list(std::string_view files);

  // The object stored under a key; empty when no pack has one.
  std::span<const std::byte> find(const compiler::image_key& key);

  // Says once that the bytes found under a key are of no use to the compiler.
  void report_unusable(const compiler::image_key& key, const std::string& reason);

  // Why the packs have no image for a kernel, for the message of a launch that cannot be compiled here; empty when
  // nothing was loaded.
  std::string explain_missing(std::string_view kernel, std::string_view target);

  // The one of this process. Never destroyed.
  static loaded_images& shared();

 private:
  struct kept {
    std::vector<std::byte> bytes;  // empty: they stay elsewhere
    image_pack pack;
  };

  void add(kept added);
  void take_linked();

  std::mutex guard_;
  std::vector<std::unique_ptr<const kept>> packs_;  // the last one first
  std::vector<std::span<const std::byte>> linked_;
  std::set<std::string> reported_;
};

}  // namespace tilewright::runtime
