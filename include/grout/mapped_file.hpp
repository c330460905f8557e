// SPDX-License-Identifier: Apache-2.0
// A file mapped read-only into memory. The one place where Grout opens weight files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "tilewright/base/config.hpp"

namespace grout {

// Owns one read-only mapping; pages are read when touched, so opening a large file costs nothing.
// Throws tilewright::io_error with the path and the system's reason. Views stay valid until destruction, also across
// moves. The file must not be cut short while it is mapped: the system answers a touch past its end with SIGBUS.
class TILEWRIGHT_API MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& path() const noexcept { return path_; }
  std::string_view bytes() const noexcept { return {static_cast<const char*>(address_), size_bytes_}; }

 private:
  std::string path_;
  void* address_ = nullptr;  // null for an empty file, which cannot be mapped
  std::size_t size_bytes_ = 0;
};

}  // namespace grout
