// SPDX-License-Identifier: Apache-2.0
#include "tilewright/runtime/bake.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "runtime/bake_queue.hpp"
#include "runtime/offline_engine.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/gpu_image.hpp"

namespace tilewright {
namespace {

// In the place of an image that is still being compiled; nothing runs it.
class awaited_image final : public compiler::image {
 public:
  const std::vector<std::byte>& object() const noexcept override { return none_; }

 private:
  std::vector<std::byte> none_;
};

// Checks launches at once, and hands their kernels to a queue.
class baking_engine final : public detail::offline_engine {
 public:
  explicit baking_engine(compiler::target where) : offline_engine(where), kernels_({}, {compiler::front, await, {}}) {}

  // From begin() to end() it has a queue.
  void begin(runtime::bake_queue& queue) {
    const std::scoped_lock lock(guard_);
    queue_ = &queue;
    asked_.clear();
  }
  void end() noexcept {
    const std::scoped_lock lock(guard_);
    queue_ = nullptr;
  }

  const runtime::compiled_kernel& compile(const ast::module_view& module,
                                          const compiler::specialization& special) override {
    const runtime::compiled_kernel& kernel = kernels_.get(module, special, target());
    const compiler::image_key key = compiler::key_of(module, special, target());
    const std::scoped_lock lock(guard_);
    if (queue_ == nullptr) refuse_after_end(module);
    if (asked_.insert({key.words[0], key.words[1]}).second) queue_->add({&module, special, target(), key});
    return kernel;
  }

 private:
  static std::shared_ptr<const compiler::image> await(const compiler::program&, compiler::target) {
    return std::make_shared<awaited_image>();
  }
  [[noreturn]] static void refuse_after_end(const ast::module_view& module) {
    throw usage_error({.what = "a launch on the device of a bake() that has ended",
                       .where = std::string("kernel '") + module.name + "'",
                       .expected = "launches inside the function given to bake()",
                       .got = "one after it",
                       .fix = "keep neither the device nor its tensors"});
  }

  runtime::image_cache kernels_;
  std::mutex guard_;
  runtime::bake_queue* queue_ = nullptr;
  std::set<std::tuple<std::uint64_t, std::uint64_t>> asked_;
};

// A device for one bake(). Engines are used again and never destroyed: handles may outlive the call.
class lent_engine {
 public:
  lent_engine(compiler::target where, runtime::bake_queue& queue) {
    const std::scoped_lock lock(guard());
    auto& free = idle()[where];
    if (free.empty()) free.push_back(new baking_engine(where));
    engine_ = free.back();
    free.pop_back();
    engine_->begin(queue);
  }
  lent_engine(const lent_engine&) = delete;
  lent_engine& operator=(const lent_engine&) = delete;
  ~lent_engine() {
    engine_->end();
    const std::scoped_lock lock(guard());
    idle()[engine_->target()].push_back(engine_);
  }

  Device device() const { return Device(*engine_); }

 private:
  using engines = std::map<compiler::target, std::vector<baking_engine*>>;
  static std::mutex& guard() {
    static std::mutex one;
    return one;
  }
  static engines& idle() {
    static auto* const all = new engines;
    return *all;
  }

  baking_engine* engine_;
};

class memcheck_scope {
 public:
  explicit memcheck_scope(bool is_on) : before_(compiler::current_gpu_options()) {
    compiler::gpu_options options = before_;
    options.memcheck = before_.memcheck || is_on;
    compiler::set_gpu_options(options);
  }
  memcheck_scope(const memcheck_scope&) = delete;
  memcheck_scope& operator=(const memcheck_scope&) = delete;
  ~memcheck_scope() { compiler::set_gpu_options(before_); }

 private:
  const compiler::gpu_options before_;
};

int cores() {
  cpu_set_t usable;
  return sched_getaffinity(0, sizeof usable, &usable) == 0 ? std::max(1, CPU_COUNT(&usable)) : 1;
}

void require_targets(const std::vector<compiler::target>& targets) {
  const auto is_useless = [](compiler::target where) { return where == compiler::target::interp; };
  if (!targets.empty() && std::none_of(targets.begin(), targets.end(), is_useless)) return;
  throw usage_error({.what = "nothing to bake for",
                     .where = "bake_options.targets",
                     .expected = "targets that compile, as sm_90",
                     .got = targets.empty() ? "none" : "interp",
                     .fix = "name the architectures of the GPUs that will run the program"});
}

}  // namespace

bake_summary bake(const std::function<void(const Device&)>& host_code, const bake_options& options) {
  require_targets(options.targets);
  const memcheck_scope memcheck(options.memcheck);
  runtime::image_cache images(runtime::disk_settings_from_environment(), runtime::real_compiler());
  const auto print = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
  runtime::bake_queue queue(images, {.jobs = options.jobs > 0 ? options.jobs : cores(),
                                     .limit = options.limit,
                                     .progress = options.progress ? options.progress : print});
  for (const compiler::target where : options.targets) {
    const lent_engine lent(where, queue);
    host_code(lent.device());
    lent.device().synchronize();
  }
  std::vector<runtime::packed_image> made = queue.finish();
  const std::size_t count = made.size();
  const std::vector<std::byte> pack = runtime::pack_images(std::move(made));
  runtime::write_pack(options.pack, pack);
  return {count, pack.size()};
}

}  // namespace tilewright
