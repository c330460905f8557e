// SPDX-License-Identifier: Apache-2.0
#include "runtime/image_cache.hpp"

#include <algorithm>
#include <cstdlib>

#include "tilewright/base/error.hpp"

namespace tilewright::runtime {

struct image_cache::request {
  const ast::module_view& module;
  const compiler::specialization& special;
  compiler::target where;
  compiler::image_key key;
};

struct image_cache::node {
  compiler::image_key key;
  const ast::module_view* module;
  compiled_kernel kernel;
  node* next = nullptr;
};

kernel_compiler real_compiler() { return {compiler::front, compiler::emit, compiler::load_image}; }

image_cache::image_cache(disk_settings disk, kernel_compiler compiler, loaded_images* packs)
    : disk_(std::move(disk)), compiler_(std::move(compiler)), packs_(packs) {}

image_cache::~image_cache() {
  for (std::atomic<node*>& bucket : buckets_) {
    for (node* gone = bucket.load(); gone != nullptr;) {
      const std::unique_ptr<node> owned(gone);
      gone = owned->next;
    }
  }
}

const image_cache::node* image_cache::find_image(const compiler::image_key& key) const noexcept {
  const node* at = buckets_[key.words[0] % bucket_count].load(std::memory_order_acquire);
  while (at != nullptr && at->key != key) at = at->next;
  return at;
}

const image_cache::node* image_cache::find(const request& wanted) const noexcept {
  const node* at = find_image(wanted.key);
  while (at != nullptr && (at->key != wanted.key || at->module != &wanted.module)) at = at->next;
  return at;
}

const compiled_kernel& image_cache::get(const ast::module_view& module, const compiler::specialization& special,
                                        compiler::target where) {
  const request wanted{module, special, where, compiler::key_of(module, special, where)};
  if (const node* found = find(wanted)) return found->kernel;

  std::unique_lock lock(changing_);
  finished_.wait(lock, [&] { return std::find(in_work_.begin(), in_work_.end(), wanted.key) == in_work_.end(); });
  if (const node* found = find(wanted)) return found->kernel;
  in_work_.push_back(wanted.key);
  lock.unlock();

  std::unique_ptr<node> made;
  try {
    made = make(wanted);
  } catch (...) {
    finish(wanted.key, nullptr);
    throw;
  }
  return finish(wanted.key, std::move(made))->kernel;
}

// Ends this thread's turn for a key. Those who wait for it find the new node, or try themselves.
const image_cache::node* image_cache::finish(const compiler::image_key& key, std::unique_ptr<node> made) noexcept {
  const std::scoped_lock lock(changing_);
  in_work_.erase(std::find(in_work_.begin(), in_work_.end(), key));
  finished_.notify_all();
  if (!made) return nullptr;
  std::atomic<node*>& bucket = buckets_[key.words[0] % bucket_count];
  made->next = bucket.load(std::memory_order_relaxed);
  bucket.store(made.get(), std::memory_order_release);
  return made.release();
}

std::unique_ptr<image_cache::node> image_cache::make(const request& wanted) {
  auto made = std::make_unique<node>(node{wanted.key, &wanted.module, {}});
  made->kernel.program = compiler_.front(wanted.module, wanted.special);
  const node* twin = find_image(wanted.key);
  made->kernel.image = twin != nullptr ? twin->kernel.image : load_or_emit(made->kernel.program, wanted);
  return made;
}

std::shared_ptr<const compiler::image> image_cache::load_or_emit(const compiler::program& program,
                                                                 const request& wanted) {
  if (auto image = load_packed(program, wanted)) return image;
  const bool stored = wanted.where != compiler::target::interp && disk_.is_on();
  if (stored) {
    if (auto image = load(program, wanted)) return image;
  }
  const auto turn = stored ? disk_.lock(wanted.key) : disk_cache::key_lock();
  if (stored) {
    if (auto image = load(program, wanted)) return image;  // another process was first
  }
  auto image = emit(program, wanted);
  if (stored && !image->object().empty()) disk_.store(wanted.key, image->object());
  return image;
}

std::shared_ptr<const compiler::image> image_cache::load_packed(const compiler::program& program,
                                                                const request& wanted) {
  if (packs_ == nullptr) return nullptr;
  const std::span<const std::byte> object = packs_->find(wanted.key);
  if (object.empty()) return nullptr;
  try {
    auto image = compiler_.load(program, wanted.where, object);
    loaded_.fetch_add(1, std::memory_order_relaxed);
    return image;
  } catch (const runtime_error& refusal) {
    packs_->report_unusable(wanted.key, refusal.what());
    return nullptr;
  }
}

// Where the compiler's tools are missing, the packs say what they lack: somebody meant to do without tools.
std::shared_ptr<const compiler::image> image_cache::emit(const compiler::program& program, const request& wanted) {
  try {
    auto image = compiler_.emit(program, wanted.where);
    emitted_.fetch_add(1, std::memory_order_relaxed);
    return image;
  } catch (const runtime_error& refusal) {
    const std::string missing =
        packs_ == nullptr ? "" : packs_->explain_missing(wanted.module.name, compiler::name_of(wanted.where));
    if (missing.empty()) throw;
    report parts = refusal.parts();
    parts.got = parts.got.empty() ? missing : parts.got + "; " + missing;
    throw runtime_error(std::move(parts));
  }
}

std::shared_ptr<const compiler::image> image_cache::load(const compiler::program& program, const request& wanted) {
  const auto bytes = disk_.load(wanted.key);
  if (!bytes) return nullptr;
  try {
    auto image = compiler_.load(program, wanted.where, *bytes);
    loaded_.fetch_add(1, std::memory_order_relaxed);
    return image;
  } catch (const runtime_error& refusal) {
    disk_.report_unusable(wanted.key, refusal.what());
    return nullptr;
  }
}

image_cache::counts image_cache::statistics() const noexcept {
  return {emitted_.load(std::memory_order_relaxed), loaded_.load(std::memory_order_relaxed)};
}

image_cache& image_cache::shared() {
  // Never destroyed: streams may still run its images while other objects with static storage are destroyed.
  static image_cache* const one = [] {
    if (const char* files = std::getenv("TILEWRIGHT_IMAGES"); files != nullptr) loaded_images::shared().add_list(files);
    return new image_cache(disk_settings_from_environment(), real_compiler(), &loaded_images::shared());
  }();
  return *one;
}

}  // namespace tilewright::runtime
