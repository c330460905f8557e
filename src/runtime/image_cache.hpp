// SPDX-License-Identifier: Apache-2.0
// Kernels that are ready to launch: in memory by key, behind it the packs that were loaded, then the disk. A kernel is
// compiled once per key, however many threads and processes ask for it at the same time. test/model/image_cache.pml
// models what threads do.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/disk_cache.hpp"
#include "runtime/loaded_images.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::runtime {

// The program serves parameter blocks and verify_launch; its lines are those of the module that was asked for, although
// modules that differ in lines alone share an image.
struct compiled_kernel {
  compiler::program program;
  std::shared_ptr<const compiler::image> image;
};

// The compiler as the cache sees it. Tests put counters in its place.
struct kernel_compiler {
  std::function<compiler::program(const ast::module_view&, const compiler::specialization&)> front;
  std::function<std::shared_ptr<const compiler::image>(const compiler::program&, compiler::target)> emit;
  std::function<std::shared_ptr<const compiler::image>(const compiler::program&, compiler::target,
                                                       std::span<const std::byte>)>
      load;
};
kernel_compiler real_compiler();

class image_cache {
 public:
  // What happened so far.
  struct counts {
    std::int64_t emitted = 0, loaded = 0;  // from a program, from a pack or the disk
  };

  // `packs` must live as long as the cache.
  image_cache(disk_settings disk, kernel_compiler compiler, loaded_images* packs = nullptr);
  ~image_cache();

  // The kernel for a launch. Any thread may call; a kernel that is there is found without a lock. The reference holds
  // as long as the cache; the module has to live as long. Throws what the compiler throws; nothing is kept then.
  const compiled_kernel& get(const ast::module_view& module, const compiler::specialization& special,
                             compiler::target where);

  counts statistics() const noexcept;
  const disk_cache& disk() const noexcept { return disk_; }

  // The one of this process, with the settings of its environment. Never destroyed.
  static image_cache& shared();

 private:
  struct node;
  struct request;

  const node* find(const request& wanted) const noexcept;
  const node* find_image(const compiler::image_key& key) const noexcept;
  std::unique_ptr<node> make(const request& wanted);
  const node* finish(const compiler::image_key& key, std::unique_ptr<node> made) noexcept;
  std::shared_ptr<const compiler::image> load_or_emit(const compiler::program& program, const request& wanted);
  std::shared_ptr<const compiler::image> load_packed(const compiler::program& program, const request& wanted);
  std::shared_ptr<const compiler::image> load(const compiler::program& program, const request& wanted);
  std::shared_ptr<const compiler::image> emit(const compiler::program& program, const request& wanted);

  static constexpr std::size_t bucket_count = 1024;

  disk_cache disk_;
  const kernel_compiler compiler_;
  loaded_images* const packs_;
  // SAFETY: nodes are constant once they are in a list and stay until the end, so readers need no lock.
  std::array<std::atomic<node*>, bucket_count> buckets_{};
  std::mutex changing_;  // guards in_work_ and insertion
  std::condition_variable finished_;
  std::vector<compiler::image_key> in_work_;
  std::atomic<std::int64_t> emitted_{0}, loaded_{0};
};

}  // namespace tilewright::runtime
