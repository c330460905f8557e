// SPDX-License-Identifier: Apache-2.0
#include "runtime/bake_queue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tilewright/base/error.hpp"

namespace tilewright::runtime {

bake_queue::bake_queue(image_cache& images, settings wanted) : images_(images), wanted_(std::move(wanted)) {
  for (int i = 0; i < wanted_.jobs; ++i) workers_.emplace_back([this] { work(); });
}

bake_queue::~bake_queue() { end_workers(true); }

void bake_queue::add(job added) {
  const std::scoped_lock lock(guard_);
  waiting_.push_back(std::move(added));
  ++asked_;
  changed_.notify_one();
}

void bake_queue::end_workers(bool drops_rest) noexcept {
  {
    const std::scoped_lock lock(guard_);
    is_ending_ = true;
    if (drops_rest) waiting_.clear();
    changed_.notify_all();
  }
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
}

void bake_queue::work() {
  std::unique_lock lock(guard_);
  for (;;) {
    changed_.wait(lock, [&] { return is_ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    if (is_late()) {
      dropped_ += waiting_.size();
      waiting_.clear();
      continue;
    }
    const job next = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    compile(next);
    lock.lock();
  }
}

void bake_queue::compile(const job& next) {
  const auto before = clock::now();
  const char* kernel = next.module->name;
  const char* where = compiler::name_of(next.where);
  std::string outcome;
  const auto note = [&](const error& refusal, bool is_of_the_kernel) {
    outcome = fmt::format("{} for {}: {}", kernel, where, refusal.what());
    const std::scoped_lock lock(guard_);
    failures_.push_back({outcome, is_of_the_kernel});
  };
  try {
    const auto image = images_.get(*next.module, next.special, next.where).image;
    const std::chrono::duration<double> took = clock::now() - before;
    outcome = fmt::format("{} for {}: {} bytes in {:.1f} s", kernel, where, image->object().size(), took.count());
    const std::scoped_lock lock(guard_);
    made_.push_back({next.key, kernel, where, image->object()});
  } catch (const compile_error& refusal) {
    note(refusal, true);
  } catch (const error& refusal) {
    note(refusal, false);
  }
  const std::scoped_lock lock(guard_);
  ++ended_;
  if (wanted_.progress) wanted_.progress(fmt::format("[{}/{}] {}", ended_, asked_, outcome));
}

std::vector<packed_image> bake_queue::finish() {
  end_workers(false);
  if (dropped_ > 0) {
    throw runtime_error({.what = "baking takes longer than its limit",
                         .where = fmt::format("{} of {} images", made_.size(), asked_),
                         .expected = fmt::format("{} ms at most", wanted_.limit.count()),
                         .got = fmt::format("{} images that were not begun", dropped_),
                         .fix = "run it again, which goes on from here, or give a longer limit"});
  }
  if (failures_.empty()) return std::move(made_);
  constexpr std::size_t most_told = 8;
  std::string told;
  bool is_of_kernels = false;
  for (std::size_t i = 0; i < failures_.size(); ++i) {
    is_of_kernels = is_of_kernels || failures_[i].is_of_the_kernel;
    if (i < most_told) told += "\n  " + failures_[i].text;
  }
  if (failures_.size() > most_told) told += fmt::format("\n  and {} more", failures_.size() - most_told);
  report parts{.what = fmt::format("{} of {} images cannot be baked", failures_.size(), asked_),
               .where = {},
               .expected = {},
               .got = told,
               .fix = "change these kernels, or leave them or their targets out"};
  if (is_of_kernels) throw compile_error(std::move(parts));
  parts.fix = "see each line";
  throw runtime_error(std::move(parts));
}

}  // namespace tilewright::runtime
