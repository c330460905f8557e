// SPDX-License-Identifier: Apache-2.0
#include "runtime/element_copy.hpp"

#include <cstring>
#include <string>

#include "runtime/device_engine.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::detail {
namespace {

struct axis {
  index_t extent, to_step, from_step;
};

template <std::size_t Size>
void copy_row(std::byte* to, const std::byte* from, const axis& along) noexcept {
  for (index_t i = 0; i < along.extent; ++i, to += along.to_step, from += along.from_step) std::memcpy(to, from, Size);
}

// The innermost axis: short runs have a loop of their own, without a call for each.
void copy_row(std::byte* to, const std::byte* from, const axis& along, std::size_t run_bytes) noexcept {
  switch (run_bytes) {
    case 1:
      return copy_row<1>(to, from, along);
    case 2:
      return copy_row<2>(to, from, along);
    case 4:
      return copy_row<4>(to, from, along);
    case 8:
      return copy_row<8>(to, from, along);
    default:
      break;
  }
  for (index_t i = 0; i < along.extent; ++i, to += along.to_step, from += along.from_step) {
    std::memcpy(to, from, run_bytes);
  }
}

constexpr index_t most_runs_across = 1024;  // each is waited for

bool is_host_memory(const storage* memory) { return memory->is_on_host || memory->device->is_on_host(); }

// Pinned memory is within reach of every GPU.
bool is_seen_by_one_device(const storage* to, const storage* from) {
  if (to->device == from->device || (is_host_memory(to) && is_host_memory(from))) return true;
  const bool is_any_on_host = to->device->is_on_host() || from->device->is_on_host();
  return !is_any_on_host && (to->is_on_host || from->is_on_host);
}

void copy_axes(const element_copy& copy, int at, std::byte* to, const std::byte* from) noexcept {
  if (at == copy.rank) return void(std::memcpy(to, from, copy.run_bytes));
  const auto place = static_cast<std::size_t>(at);
  const axis along{copy.extents[place], copy.to_steps[place], copy.from_steps[place]};
  if (at + 1 == copy.rank) return copy_row(to, from, along, copy.run_bytes);
  for (index_t i = 0; i < along.extent; ++i, to += along.to_step, from += along.from_step) {
    copy_axes(copy, at + 1, to, from);
  }
}

}  // namespace

element_copy make_copy(const launch_argument& to, const launch_argument& from) {
  element_copy made;
  made.to = to.memory->address + (static_cast<const std::byte*>(to.value.address) - to.memory->address);
  made.from = static_cast<const std::byte*>(from.value.address);
  made.is_to_host = to.memory->is_on_host;
  made.is_from_host = from.memory->is_on_host;
  const index_t size = info(to.memory->element).size_bytes;
  axis axes[max_rank];
  int count = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(to.value.rank); ++i) {
    const axis next{to.value.extents[i], to.value.strides[i] * size, from.value.strides[i] * size};
    if (next.extent == 0) return made;
    if (next.extent == 1) continue;
    axis* before = count > 0 ? &axes[count - 1] : nullptr;
    const bool continues = before != nullptr && before->to_step == next.extent * next.to_step &&
                           before->from_step == next.extent * next.from_step;
    if (continues) {
      *before = {before->extent * next.extent, next.to_step, next.from_step};
    } else {
      axes[count++] = next;
    }
  }
  made.run_bytes = static_cast<std::size_t>(size);
  if (count > 0 && axes[count - 1].to_step == size && axes[count - 1].from_step == size) {
    made.run_bytes *= static_cast<std::size_t>(axes[--count].extent);
  }
  made.rank = count;
  for (int i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(i);
    made.extents[place] = axes[i].extent;
    made.to_steps[place] = axes[i].to_step;
    made.from_steps[place] = axes[i].from_step;
  }
  if (!is_seen_by_one_device(to.memory, from.memory)) {
    made.to_device = to.memory->device;
    made.from_device = from.memory->device;
    const index_t runs = runs_of(made, made.rank);
    if (runs > most_runs_across) refuse_pieces(most_runs_across, runs);
  }
  return made;
}

device_engine& device_of_copy(const launch_argument& to, const launch_argument& from) {
  device_engine &there = *to.memory->device, &here = *from.memory->device;
  if (!is_seen_by_one_device(to.memory, from.memory)) return copying_device(there, here);
  if (there.is_on_host() || here.is_on_host()) return there.is_on_host() ? there : here;
  return to.memory->is_on_host && !from.memory->is_on_host ? here : there;
}

index_t runs_of(const element_copy& copy, int axes) {
  index_t count = 1;
  for (int axis = 0; axis < axes; ++axis) {
    if (__builtin_mul_overflow(count, copy.extents[static_cast<std::size_t>(axis)], &count)) return INT64_MAX;
  }
  return count;
}

void refuse_pieces(index_t expected, index_t got) {
  throw usage_error({.what = "a copy of a view in too many pieces",
                     .where = "copy()",
                     .expected = "at most " + std::to_string(expected) + " transfers",
                     .got = std::to_string(got),
                     .fix = "let a kernel store what it loads from the view, then copy its output"});
}

void copy_elements(const element_copy& copy) noexcept {
  if (copy.run_bytes != 0) copy_axes(copy, 0, copy.to, copy.from);
}

void copy_across(const element_copy& copy, stream_queue& stream) {
  const index_t count = copy.run_bytes != 0 ? runs_of(copy, copy.rank) : 0;
  for (index_t run = 0; run < count; ++run) {
    index_t rest = run, to = 0, from = 0;
    for (int axis = copy.rank - 1; axis >= 0; --axis) {
      const auto place = static_cast<std::size_t>(axis);
      to += rest % copy.extents[place] * copy.to_steps[place];
      from += rest % copy.extents[place] * copy.from_steps[place];
      rest /= copy.extents[place];
    }
    stream.device().copy({copy.to_device, copy.to + to, copy.from_device, copy.from + from, copy.run_bytes}, stream);
  }
}

}  // namespace tilewright::detail
