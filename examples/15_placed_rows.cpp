// SPDX-License-Identifier: Apache-2.0
// Rows stored where data says: tokens are copied to the rows of the experts that they chose. The host checks once that
// no two tokens have one row; the kernel then stores them in any order, and no block meets another.
#include "support/table_row.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto place = kernel<"place">(
    [](Scatter<f32, BM, BN> z, Unique<i32> rows, In<f32, dyn, dyn> x) { z.store(rows, load_like(x, z)); });

int main() {
  const Device d = device();
  const index_t tokens = example::sized(16'384, 300), columns = example::sized(1024, 40), experts = 8;
  std::vector<i32> slots;  // of each token: a group of rows for each expert, tokens in their order
  std::vector<index_t> used(static_cast<std::size_t>(experts), 0);
  for (index_t t = 0; t < tokens; ++t) {
    const index_t expert = (t * t + t / 3) % experts;
    slots.push_back(static_cast<i32>(expert * tokens + used[static_cast<std::size_t>(expert)]++));
  }

  const auto x = d.randn<f32>({tokens, columns}, 1).share();
  const auto list = d.from_host(slots, {tokens}).share();
  auto z = d.full<f32>({experts * tokens, columns}, -1.0f);
  const auto rows = unique_indices(list, experts * tokens);
  const auto launch = [&] { place(z.partition({64, 64}), rows, x).sync(); };
  launch();

  example::WorstError worst;
  const auto values = x.to_host(), placed = z.to_host();
  std::vector<f32> expected(placed.size(), -1.0f);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto slot = static_cast<index_t>(slots[i / static_cast<std::size_t>(columns)]);
    expected[static_cast<std::size_t>(slot * columns) + i % static_cast<std::size_t>(columns)] = values[i];
  }
  for (std::size_t i = 0; i < placed.size(); ++i) worst.compare(placed[i], expected[i], 1e-30);

  const double seconds = example::seconds_of(launch);
  const double bytes = 8.0 * static_cast<double>(tokens) * static_cast<double>(columns);
  return example::finish("15 placed rows", example::shape_text({tokens, columns}), seconds, bytes, "GB/s", worst);
}
