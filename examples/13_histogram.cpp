// SPDX-License-Identifier: Apache-2.0
// Elements that data chooses: how often each byte occurs, and what each expert of a layer is given. Blocks share all
// bins, and each lane combines into the one that its index names.
#include "support/table_row.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

inline constexpr Dim BM{"BM"};

// Which lanes of this block's tile are elements of a list.
constexpr auto are_elements(const Block& b, const Index& length) {
  return b.iota<index_element>(tile<BM>) + b.pid(1) * b.size(tile<BM>) < length;
}

// A byte names one of 256 bins: each launch compares that there are so many, and the kernel checks nothing.
inline constexpr auto byte_counts =
    kernel<"byte_counts">([](Block b, Accum<u32, combiner::sum, dyn> bins, In<u8, dyn> bytes) {
      auto byte = bytes.load(tile<BM>, b.pid(1), pad(0));
      bins.combine_at(1, byte, where(are_elements(b, bytes.extent(0))));
    });

// The sum of the weights that each expert is chosen with. Nobody knows that an expert is one, so the kernel checks it,
// and a wrong one fails this launch, by a device_fault that names it.
inline constexpr auto expert_loads = kernel<"expert_loads">(
    [](Block b, Accum<f32, combiner::sum, dyn> loads, In<i32, dyn> experts, In<f32, dyn> weights) {
      require_equal(experts.extent(0), weights.extent(0));
      auto expert = experts.load(tile<BM>, b.pid(1), pad(0));
      auto weight = weights.load(tile<BM>, b.pid(1), pad(0));
      loads.combine_at(weight, expert, where(are_elements(b, experts.extent(0))));
    });

int main() {
  const Device d = device();
  const index_t size = example::sized(1 << 22, 5000), tile_size = 1024, experts = 60;
  std::vector<std::uint8_t> text;
  std::vector<i32> chosen;
  std::vector<f32> weights;
  std::vector<double> expected_counts(256, 0), expected_loads(static_cast<std::size_t>(experts), 0);
  for (index_t i = 0; i < size; ++i) {
    text.push_back(static_cast<std::uint8_t>(i * i % 251));
    chosen.push_back(static_cast<i32>(i * 37 % experts));
    weights.push_back(static_cast<f32>(i % 8) / 8);  // sums of eighths are exact
    ++expected_counts[text.back()];
    expected_loads[static_cast<std::size_t>(chosen.back())] += weights.back();
  }
  const auto bytes = d.from_host(text, {size}).share();
  const auto blocks = shared_by((size + tile_size - 1) / tile_size);

  auto counts = d.zeros<u32>({256});
  const auto launch = [&] { byte_counts.with(dim<BM>(tile_size))(counts.all(blocks), bytes).sync(); };
  launch();
  example::WorstError worst;
  const auto counted = counts.to_host();
  for (std::size_t i = 0; i < counted.size(); ++i) worst.compare(counted[i], expected_counts[i], 0.5);

  auto loads = d.zeros<f32>({experts});
  expert_loads
      .with(dim<BM>(tile_size))(loads.all(blocks), d.from_host(chosen, {size}).share(),
                                d.from_host(weights, {size}).share())
      .sync();
  const auto loaded = loads.to_host();
  for (std::size_t i = 0; i < loaded.size(); ++i) worst.compare(loaded[i], expected_loads[i], 0.01);

  const double seconds = example::seconds_of(launch);  // counts on in the same bins
  return example::finish("13 histogram", example::shape_text({size}), seconds, static_cast<double>(size), "GB/s",
                         worst);
}
