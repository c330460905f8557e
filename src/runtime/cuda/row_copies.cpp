// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/row_copies.hpp"

#include "runtime/cuda/gpu_memory.hpp"

namespace tilewright::cuda {
namespace {

using detail::element_copy;

constexpr index_t most_transfers = 4096;
constexpr index_t greatest_pitch = INT32_MAX;              // of the driver
constexpr std::size_t longest_row = std::size_t{1} << 30;  // of a node, below that

// Whether the innermost axis is rows for one transfer: they neither overlap nor run backwards.
bool has_rows(const element_copy& copy) {
  if (copy.rank == 0) return false;
  const auto last = static_cast<std::size_t>(copy.rank - 1);
  const auto fits = [&](index_t step) {
    return step >= static_cast<index_t>(copy.run_bytes) && step <= greatest_pitch;
  };
  return fits(copy.to_steps[last]) && fits(copy.from_steps[last]);
}

rows_to_copy rows_of(const element_copy& copy, std::byte* to, const std::byte* from, std::size_t rows,
                     std::size_t to_pitch, std::size_t from_pitch) {
  const auto side = [](const std::byte* address, bool is_on_host, std::size_t pitch) {
    memory_rows made{};
    made.type = is_on_host ? memory_type::host : memory_type::device;
    (is_on_host ? made.host : made.device) = gpu_blocks::address_of(address);
    made.pitch = pitch;
    return made;
  };
  return {.from = side(from, copy.is_from_host, from_pitch),
          .to = side(to, copy.is_to_host, to_pitch),
          .width_bytes = copy.run_bytes,
          .height = rows};
}

// Calls visit(rows_to_copy, to, from) for each transfer; a run alone is one row.
template <class Visit>
void each_transfer(const element_copy& copy, int at, std::byte* to, const std::byte* from, const Visit& visit) {
  const auto place = static_cast<std::size_t>(at);
  if (at == copy.rank) return visit(rows_of(copy, to, from, 1, copy.run_bytes, copy.run_bytes), to, from);
  if (at + 1 == copy.rank && has_rows(copy)) {
    return visit(
        rows_of(copy, to, from, static_cast<std::size_t>(copy.extents[place]),
                static_cast<std::size_t>(copy.to_steps[place]), static_cast<std::size_t>(copy.from_steps[place])),
        to, from);
  }
  for (index_t i = 0; i < copy.extents[place]; ++i) {
    each_transfer(copy, at + 1, to + i * copy.to_steps[place], from + i * copy.from_steps[place], visit);
  }
}

template <class Visit>
void each_transfer(const element_copy& copy, const Visit& visit) {
  if (copy.run_bytes != 0) each_transfer(copy, 0, copy.to, copy.from, visit);
}

// Nodes of graphs copy rows only, and a pitch is limited: so rows that lie end to end, and what is left.
void add_long_run(std::vector<rows_to_copy>& all, const element_copy& copy, std::byte* to, const std::byte* from) {
  const std::size_t rows = copy.run_bytes / longest_row, rest = copy.run_bytes % longest_row;
  all.push_back(rows_of(copy, to, from, rows, longest_row, longest_row));
  all.back().width_bytes = longest_row;
  if (rest == 0) return;
  const std::size_t done = rows * longest_row;
  all.push_back(rows_of(copy, to + done, from + done, 1, rest, rest));
  all.back().width_bytes = rest;
}

}  // namespace

void require_few_transfers(const element_copy& copy) {
  const index_t count = detail::runs_of(copy, copy.rank - (has_rows(copy) ? 1 : 0));
  if (copy.run_bytes != 0 && count > most_transfers) detail::refuse_pieces(most_transfers, count);
}

void submit(gpu_context& context, const element_copy& copy, stream_handle stream) {
  const driver_table& driver = context.driver();
  each_transfer(copy, [&](const rows_to_copy& rows, std::byte* to, const std::byte* from) {
    if (rows.height != 1 || (copy.is_to_host && copy.is_from_host)) {
      context.call(driver.copy_rows, &rows, stream);
    } else if (copy.is_to_host) {
      context.call(driver.copy_to_host, to, gpu_blocks::address_of(from), copy.run_bytes, stream);
    } else if (copy.is_from_host) {
      context.call(driver.copy_to_device, gpu_blocks::address_of(to), from, copy.run_bytes, stream);
    } else {
      context.call(driver.copy_on_device, gpu_blocks::address_of(to), gpu_blocks::address_of(from), copy.run_bytes,
                   stream);
    }
  });
}

std::vector<rows_to_copy> transfers_of(const element_copy& copy) {
  std::vector<rows_to_copy> all;
  each_transfer(copy, [&](const rows_to_copy& rows, std::byte* to, const std::byte* from) {
    if (rows.height == 1 && copy.run_bytes > longest_row) {
      add_long_run(all, copy, to, from);
    } else {
      all.push_back(rows);
    }
  });
  return all;
}

}  // namespace tilewright::cuda
