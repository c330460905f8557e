// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/row_copies.hpp"

#include "runtime/cuda/gpu_memory.hpp"

namespace tilewright::cuda {
namespace {

using detail::element_copy;

constexpr index_t most_transfers = 4096;
constexpr index_t greatest_pitch = INT32_MAX;  // of the driver

// Whether the innermost axis is rows for one transfer: they neither overlap nor run backwards.
bool has_rows(const element_copy& copy) {
  if (copy.rank == 0) return false;
  const auto last = static_cast<std::size_t>(copy.rank - 1);
  const auto fits = [&](index_t step) {
    return step >= static_cast<index_t>(copy.run_bytes) && step <= greatest_pitch;
  };
  return fits(copy.to_steps[last]) && fits(copy.from_steps[last]);
}

// One transfer of `rows` rows; pitches mean nothing for one row.
class transfers {
 public:
  transfers(gpu_context& context, const element_copy& copy, stream_handle stream)
      : context_(context), copy_(copy), stream_(stream), axes_(copy.rank - (has_rows(copy) ? 1 : 0)) {}

  void submit() { submit(0, copy_.to, copy_.from); }

 private:
  void submit(int at, std::byte* to, const std::byte* from) {
    if (at == axes_) return axes_ < copy_.rank ? submit_rows(to, from) : submit_run(to, from);
    const auto place = static_cast<std::size_t>(at);
    for (index_t i = 0; i < copy_.extents[place]; ++i) {
      submit(at + 1, to + i * copy_.to_steps[place], from + i * copy_.from_steps[place]);
    }
  }

  void submit_run(std::byte* to, const std::byte* from) {
    const driver_table& driver = context_.driver();
    if (copy_.is_to_host && copy_.is_from_host) return submit_rows(to, from, 1, copy_.run_bytes, copy_.run_bytes);
    if (copy_.is_to_host) {
      context_.call(driver.copy_to_host, to, gpu_blocks::address_of(from), copy_.run_bytes, stream_);
    } else if (copy_.is_from_host) {
      context_.call(driver.copy_to_device, gpu_blocks::address_of(to), from, copy_.run_bytes, stream_);
    } else {
      context_.call(driver.copy_on_device, gpu_blocks::address_of(to), gpu_blocks::address_of(from), copy_.run_bytes,
                    stream_);
    }
  }

  void submit_rows(std::byte* to, const std::byte* from) {
    const auto last = static_cast<std::size_t>(axes_);
    submit_rows(to, from, static_cast<std::size_t>(copy_.extents[last]), static_cast<std::size_t>(copy_.to_steps[last]),
                static_cast<std::size_t>(copy_.from_steps[last]));
  }

  void submit_rows(std::byte* to, const std::byte* from, std::size_t rows, std::size_t to_pitch,
                   std::size_t from_pitch) {
    const auto side = [](const std::byte* address, bool is_on_host, std::size_t pitch) {
      memory_rows made{};
      made.type = is_on_host ? memory_type::host : memory_type::device;
      (is_on_host ? made.host : made.device) = gpu_blocks::address_of(address);
      made.pitch = pitch;
      return made;
    };
    const rows_to_copy what{.from = side(from, copy_.is_from_host, from_pitch),
                            .to = side(to, copy_.is_to_host, to_pitch),
                            .width_bytes = copy_.run_bytes,
                            .height = rows};
    context_.call(context_.driver().copy_rows, &what, stream_);
  }

  gpu_context& context_;
  const element_copy& copy_;
  stream_handle stream_;
  int axes_;  // outside of what one transfer does
};

}  // namespace

void require_few_transfers(const element_copy& copy) {
  const index_t count = detail::runs_of(copy, copy.rank - (has_rows(copy) ? 1 : 0));
  if (copy.run_bytes != 0 && count > most_transfers) detail::refuse_pieces(most_transfers, count);
}

void submit(gpu_context& context, const element_copy& copy, stream_handle stream) {
  if (copy.run_bytes != 0) transfers(context, copy, stream).submit();
}

}  // namespace tilewright::cuda
