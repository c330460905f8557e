// SPDX-License-Identifier: Apache-2.0
// Compiled images in a folder, one file each, shared by all processes of a user. A cache may lose anything: whatever is
// wrong with the folder or a file is a miss, never an error. It knows bytes and keys, not what they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tilewright/compiler/compile.hpp"

namespace tilewright::runtime {

struct disk_settings {
  std::filesystem::path folder;  // empty: no disk cache
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
  std::string problem;  // why there is no folder, when one was wanted
};

// TILEWRIGHT_CACHE_DIR ("off" for none), else $XDG_CACHE_HOME/tilewright, else $HOME/.cache/tilewright; and
// TILEWRIGHT_CACHE_MAX_BYTES.
disk_settings disk_settings_from_environment();

class disk_cache {
 public:
  explicit disk_cache(disk_settings settings);

  // The bytes stored under a key; nothing when there is no sound entry.
  std::optional<std::vector<std::byte>> load(const compiler::image_key& key);

  // Those of all entries, sound or not, in order. Throws io_error for a folder that cannot be read.
  std::vector<compiler::image_key> keys() const;

  // Stores bytes under a key, whole or not at all, in place of what is there; drops the entries that were not used for
  // longest when the folder grows past its limit.
  void store(const compiler::image_key& key, std::span<const std::byte> object);

  // Says that an entry's bytes were no use to the compiler, although they are what was stored.
  void report_unusable(const compiler::image_key& key, const std::string& reason);

  // Held by the process that makes the image of a key; others wait, for a while. Without it work is done twice.
  class key_lock {
   public:
    explicit key_lock(int file = -1) noexcept : file_(file) {}
    key_lock(key_lock&& other) noexcept : file_(other.file_) { other.file_ = -1; }
    key_lock& operator=(key_lock&&) = delete;
    ~key_lock();

   private:
    int file_;
  };
  key_lock lock(const compiler::image_key& key);

  bool is_on() const noexcept { return !settings_.folder.empty(); }
  const std::filesystem::path& folder() const noexcept { return settings_.folder; }

  // The last thing that went wrong, with path and reason; empty when nothing did. The first one is also printed to
  // stderr, once.
  std::string last_problem() const;

 private:
  bool prepare_folder();
  std::filesystem::path entry_path(const compiler::image_key& key) const;
  void add_problem(const std::filesystem::path& path, const std::string& reason);
  void make_room(std::uint64_t added_bytes);

  const disk_settings settings_;
  mutable std::mutex guard_;
  std::string last_problem_;
  std::optional<std::uint64_t> used_bytes_;  // of the folder as this process knows it; unknown before the first store
};

}  // namespace tilewright::runtime
