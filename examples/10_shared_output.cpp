// SPDX-License-Identifier: Apache-2.0
// Blocks that share pieces of an output: sums of columns and a histogram. An Accum can be combined with and not read,
// so no kernel sees how far the others are; it starts from what the tensor holds.
#include "support/table_row.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

inline constexpr Dim BM{"BM"}, BN{"BN"}, Bins{"Bins"};

// Block (j, i) adds the rows of tile i to piece j of the sums: axis 1 of the grid counts the blocks that share a piece.
inline constexpr auto column_sums =
    kernel<"column_sums">([](Block b, Accum<i64, combiner::sum, BN> sums, In<i32, dyn, dyn> x) {
      auto part = x.load(tile<BM, BN>, b.pid(1), b.pid(0), pad(0));
      sums.combine(reshape(reduce_sum<0>(cast<i64>(part)), tile<BN>));
    });

// How many elements of x have each value from 0 on; all blocks share all bins.
inline constexpr auto histogram =
    kernel<"histogram">([](Block b, Accum<u32, combiner::sum, Bins> bins, In<i32, dyn> x) {
      auto values = reshape(x.load(tile<BM>, b.pid(1), pad(-1)), tile<BM, 1>);
      auto hits = cast<u32>(values == b.iota<i32>(tile<1, Bins>));
      bins.combine(reshape(reduce_sum<0>(hits), tile<Bins>));
    });

int main() {
  const Device d = device();
  const index_t rows = example::sized(4096, 300), columns = 1000, block_rows = 64, bins = 32;
  std::vector<i32> values;
  std::vector<i64> expected_sums(static_cast<std::size_t>(columns), 7);
  std::vector<u32> expected_counts(static_cast<std::size_t>(bins), 0);
  for (index_t i = 0; i < rows * columns; ++i) {
    values.push_back(static_cast<i32>(i * 37 % 41));
    expected_sums[static_cast<std::size_t>(i % columns)] += values.back();
    if (values.back() < bins) ++expected_counts[static_cast<std::size_t>(values.back())];
  }

  const auto x = d.from_host(values, {rows, columns}).share();
  const index_t row_tiles = (rows + block_rows - 1) / block_rows;
  auto sums = d.full<i64>({columns}, 7);
  const auto launch = [&] {
    column_sums.with(dim<BM>(block_rows))(sums.partition({128}, shared_by(row_tiles)), x).sync();
  };
  launch();
  example::WorstError worst;
  const auto got = sums.to_host();
  for (std::size_t i = 0; i < got.size(); ++i) {
    worst.compare(static_cast<double>(got[i]), static_cast<double>(expected_sums[i]), 0.5);
  }

  auto counts = d.zeros<u32>({bins});
  const index_t chunks = (rows * columns + 255) / 256;
  histogram.with(BM = 256)(counts.all(shared_by(chunks)), x.reshape({rows * columns})).sync();
  const auto counted = counts.to_host();
  for (std::size_t i = 0; i < counted.size(); ++i) worst.compare(counted[i], expected_counts[i], 0.5);

  const double seconds = example::seconds_of(launch);  // adds once more to the sums
  return example::finish("10 column sums", example::shape_text({rows, columns}), seconds,
                         4.0 * static_cast<double>(rows * columns), "GB/s", worst);
}
