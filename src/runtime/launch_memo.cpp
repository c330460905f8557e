// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch_memo.hpp"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "tilewright/compiler/gpu_image.hpp"

namespace tilewright::detail {
namespace {

// All that a specialization takes from an address.
std::uint64_t alignment_of(const void* address) noexcept {
  constexpr std::uint64_t greatest = 128;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(address) | greatest;
  return bits & -bits;
}

bool is_same(const dim_bindings& a, const dim_bindings& b) noexcept {
  return a.count == b.count && std::equal(a.items, a.items + a.count, b.items, [](const auto& x, const auto& y) {
           return x.extent == y.extent && std::string_view(x.name) == y.name;
         });
}

bool is_same(const compiler::argument& a, const compiler::argument& b) noexcept {
  return a.rank == b.rank && a.extents == b.extents && a.strides == b.strides && a.piece == b.piece &&
         a.shared_by == b.shared_by && a.index_bound == b.index_bound && a.scalar == b.scalar &&
         alignment_of(a.address) == alignment_of(b.address);
}

std::size_t hash_of(const kernel_description& kernel, const std::vector<compiler::argument>& values) noexcept {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  std::uint64_t hash = std::bit_cast<std::uint64_t>(kernel.module) >> 4;
  const auto mix = [&](index_t value) { hash = (hash ^ static_cast<std::uint64_t>(value)) * odd; };
  for (const compiler::argument& value : values) {
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(value.rank); ++axis) mix(value.extents[axis]);
  }
  return static_cast<std::size_t>(hash >> 32);
}

}  // namespace

struct launch_memo::entry {
  std::uint64_t device;
  const ast::module_view* module;
  dim_bindings with, defaults;
  tilewright::schedule schedule;
  bool is_memchecked;
  std::vector<compiler::argument> values;
  bound_launch made;

  bool is_for(const device_engine& asked, const kernel_description& kernel,
              const std::vector<compiler::argument>& given) const noexcept {
    return device == asked.number() && module == kernel.module && is_same(with, *kernel.with) &&
           is_same(defaults, *kernel.defaults) && schedule == *kernel.schedule &&
           is_memchecked == compiler::current_gpu_options().memcheck &&
           std::equal(values.begin(), values.end(), given.begin(), given.end(),
                      [](const auto& a, const auto& b) { return is_same(a, b); });
  }
};

void launch_memo::deleter::operator()(entry* gone) const noexcept { delete gone; }

// A pointer may still be looked at when the thread's other objects are gone.
launch_memo* launch_memo::of_thread() {
  constinit thread_local launch_memo* memo = nullptr;
  constinit thread_local bool has_ended = false;
  if (memo != nullptr || has_ended) return memo;
  thread_local const struct cleaner {
    ~cleaner() {
      has_ended = true;
      delete std::exchange(memo, nullptr);
    }
  } at_end;
  (void)at_end;
  return memo = new launch_memo;
}

const bound_launch* launch_memo::find(const device_engine& device, const kernel_description& kernel,
                                      const std::vector<compiler::argument>& values) const noexcept {
  const entry* known = entries_[hash_of(kernel, values) % entries].get();
  return known != nullptr && known->is_for(device, kernel, values) ? &known->made : nullptr;
}

const bound_launch& launch_memo::keep(const device_engine& device, const kernel_description& kernel,
                                      const std::vector<compiler::argument>& values, bound_launch made) {
  auto& place = entries_[hash_of(kernel, values) % entries];
  entry next{device.number(),  kernel.module,    *kernel.with,
             *kernel.defaults, *kernel.schedule, compiler::current_gpu_options().memcheck,
             values,           std::move(made)};
  if (place) {
    *place = std::move(next);
  } else {
    place.reset(new entry(std::move(next)));
  }
  return place->made;
}

}  // namespace tilewright::detail
