// SPDX-License-Identifier: Apache-2.0
// Elements that data chooses: a histogram of bytes, and how many tokens go to each expert with what weight. An Accum of
// dyn extents is the whole tensor, which all blocks share; combine_at adds at the elements that an index tile names.
#include "support/table_row.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

inline constexpr Dim BM{"BM"};

// A byte is below 256, so that no index needs a check. Lanes past the end hold 0 and are left out.
inline constexpr auto byte_counts =
    kernel<"byte_counts">([](Block b, Accum<u32, combiner::sum, dyn> bins, In<u8, dyn> text) {
      auto place = b.iota<index_element>(tile<BM>) + b.pid(1) * b.size(tile<BM>);
      bins.combine_at(1, text.load(tile<BM>, b.pid(1), pad(0)), where(place < text.extent(0)));
    });

// Each token has chosen an expert, and the router's table says how much it weighs there. -1: none.
inline constexpr auto expert_load =
    kernel<"expert_load">([](Block b, Accum<i32, combiner::sum, dyn> tokens, Accum<f64, combiner::sum, dyn> weight,
                             In<i32, dyn> choice, In<f32, dyn, dyn> router) {
      auto token = b.iota<index_element>(tile<BM>) + b.pid(1) * b.size(tile<BM>);
      auto expert = choice.load(tile<BM>, b.pid(1), pad(-1));
      auto has_chosen = expert >= 0;
      tokens.combine_at(1, expert, where(has_chosen));
      auto given = router.gather(token, expert, where(has_chosen));
      assert_(given >= 0, "a weight is positive or 0");
      weight.combine_at(cast<f64>(given), expert, where(has_chosen));
    });

namespace {

index_t tiles(index_t elements, index_t tile) { return (elements + tile - 1) / tile; }

}  // namespace

int main() {
  const Device d = device();
  const index_t length = example::sized(1 << 22, 5000), count = example::sized(100'000, 700), experts = 13, block = 256;
  std::vector<u8> text;
  std::vector<u32> expected_bytes(256, 0);
  for (index_t i = 0; i < length; ++i) {
    text.push_back(static_cast<u8>(i * i % 251 % 7 == 0 ? 32 : i * 37 % 256));
    ++expected_bytes[text.back()];
  }
  std::vector<i32> choice;
  std::vector<f32> router;
  std::vector<i32> expected_tokens(static_cast<std::size_t>(experts), 0);
  std::vector<f64> expected_weight(static_cast<std::size_t>(experts), 0);
  for (index_t t = 0; t < count; ++t) {
    choice.push_back(static_cast<i32>(t * 29 % (experts + 1)) - 1);
    for (index_t e = 0; e < experts; ++e) router.push_back(static_cast<f32>((t + e) % 64) / 64);  // exact sums
    if (choice.back() < 0) continue;
    const auto chosen = static_cast<std::size_t>(choice.back());
    ++expected_tokens[chosen];
    expected_weight[chosen] += router[static_cast<std::size_t>(t * experts) + chosen];
  }

  example::WorstError worst;
  const auto bytes = d.from_host(text, {length}).share();
  auto bins = d.zeros<u32>({256});
  const auto launch = [&] { byte_counts.with(BM = block)(bins.all(shared_by(tiles(length, block))), bytes).sync(); };
  launch();
  const auto counted = bins.to_host();
  for (std::size_t i = 0; i < counted.size(); ++i) worst.compare(counted[i], expected_bytes[i], 0.5);

  auto tokens = d.zeros<i32>({experts});
  auto weight = d.zeros<f64>({experts});
  expert_load
      .with(BM = block)(tokens.all(shared_by(tiles(count, block))), weight.all(shared_by(tiles(count, block))),
                        d.from_host(choice, {count}).share(), d.from_host(router, {count, experts}).share())
      .sync();
  const auto per_expert = tokens.to_host();
  const auto weights = weight.to_host();
  for (std::size_t e = 0; e < per_expert.size(); ++e) {
    worst.compare(per_expert[e], expected_tokens[e], 0.5);
    worst.compare(weights[e], expected_weight[e], 1e-9);
  }

  const double seconds = example::seconds_of(launch);  // counts once more into the bins
  return example::finish("13 histogram", example::shape_text({length}), seconds, static_cast<double>(length), "GB/s",
                         worst);
}
