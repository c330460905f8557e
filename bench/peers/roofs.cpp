// SPDX-License-Identifier: Apache-2.0
#include "peers/roofs.hpp"

#include <algorithm>
#include <atomic>

#include "harness/paired.hpp"
#include "peers/aligned_array.hpp"
#include "peers/parallel_loop.hpp"
#include "peers/plain_loops.hpp"
#include "peers/roof_loops.hpp"

namespace tilewright::bench {
Roofs::Roofs(PinnedThreads& threads, bool is_smoke) : threads_(threads), is_smoke_(is_smoke) {}

double Roofs::best_of(const std::function<double()>& work_per_second) const {
  double best = 0.0;
  for (int i = 0; i < (is_smoke_ ? 1 : roof_repeats); ++i) best = std::max(best, work_per_second());
  return best;
}

// Streaming loops work on lines of 16 elements.
std::size_t Roofs::size_of_array(std::size_t elements) const {
  return std::min(elements, is_smoke_ ? std::size_t{1} << 16 : 2 * large) / 1024 * 1024 + 1024;
}

double Roofs::copy_bytes(std::size_t elements) {
  double& known = copy_[elements];
  if (known > 0.0) return known;
  const std::size_t count = size_of_array(elements);
  AlignedArray z(count, 0.0f), x(count, 1.0f);
  const auto rate = [&](auto loop) {
    return 8.0 * static_cast<double>(count) / seconds_of([&] {
             parallel_loop(threads_, count, [&](std::size_t first, std::size_t part) {
               loop(z.data() + first, x.data() + first, part);
             });
           });
  };
  return known = best_of([&] { return std::max(rate(streaming_copy), rate(plain_copy)); });
}

double Roofs::add_bytes(std::size_t elements) {
  double& known = add_[elements];
  if (known > 0.0) return known;
  const std::size_t count = size_of_array(elements);
  AlignedArray z(count, 0.0f), x(count, 1.0f), y(count, 2.0f);
  const auto rate = [&](auto loop) {
    return 12.0 * static_cast<double>(count) / seconds_of([&] {
             parallel_loop(threads_, count, [&](std::size_t first, std::size_t part) {
               loop(z.data() + first, x.data() + first, y.data() + first, part);
             });
           });
  };
  return known = best_of([&] { return std::max(rate(streaming_add), rate(plain_add)); });
}

double Roofs::read_bytes() {
  if (read_ > 0.0) return read_;
  const std::size_t count = size_of_array(large);
  AlignedArray x(count, 1.0f);
  std::atomic<float> sink = 0.0f;
  return read_ = best_of([&] {
           return 4.0 * static_cast<double>(count) / seconds_of([&] {
                    parallel_loop(threads_, count, [&](std::size_t first, std::size_t part) {
                      sink = read_loop(x.data() + first, part);
                    });
                  });
         });
}

double Roofs::multiply_adds() {
  if (multiply_add_ > 0.0) return multiply_add_;
  std::atomic<double> done = 0.0;
  return multiply_add_ = best_of([&] {
           done = 0.0;
           const double seconds = seconds_of([&] {
             threads_.run([&](int) {
               float sink = 1.0f;
               done += multiply_add_loop(is_smoke_ ? 1000 : 20'000'000, sink);
             });
           });
           return done / seconds;
         });
}

limit Roofs::copy_limit(std::size_t elements) {
  return {copy_bytes(elements) * gigabytes_per_second.scale, "best copy of this size"};
}
limit Roofs::add_limit(std::size_t elements) {
  return {add_bytes(elements) * gigabytes_per_second.scale, "best add of this size"};
}
limit Roofs::multiply_add_limit() { return {multiply_adds() * gigaflops.scale, "f32 multiply-adds in registers"}; }

}  // namespace tilewright::bench
