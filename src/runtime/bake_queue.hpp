// SPDX-License-Identifier: Apache-2.0
// Compiles many images at a time, while others are still being asked for.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "runtime/image_cache.hpp"
#include "runtime/image_pack.hpp"

namespace tilewright::runtime {

class bake_queue {
 public:
  struct settings {
    int jobs = 1;
    std::chrono::milliseconds limit{0};  // 0: none
    std::function<void(const std::string& line)> progress;
  };
  struct job {
    const ast::module_view* module;
    compiler::specialization special;
    compiler::target where;
    compiler::image_key key;
  };

  bake_queue(image_cache& images, settings wanted);
  bake_queue(const bake_queue&) = delete;
  bake_queue& operator=(const bake_queue&) = delete;
  ~bake_queue();  // drops what no compiler has begun

  void add(job added);
  // Waits for all; the images, or an error that names each kernel that has none and why.
  std::vector<packed_image> finish();

 private:
  using clock = std::chrono::steady_clock;
  struct failure {
    std::string text;
    bool is_of_the_kernel;
  };

  void work();
  void compile(const job& next);
  bool is_late() const { return wanted_.limit.count() > 0 && clock::now() - began_ > wanted_.limit; }
  void end_workers(bool drops_rest) noexcept;

  image_cache& images_;
  const settings wanted_;
  const clock::time_point began_ = clock::now();
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<job> waiting_;
  std::size_t asked_ = 0, ended_ = 0, dropped_ = 0;
  bool is_ending_ = false;
  std::vector<packed_image> made_;
  std::vector<failure> failures_;
  std::vector<std::thread> workers_;
};

}  // namespace tilewright::runtime
