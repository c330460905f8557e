// SPDX-License-Identifier: Apache-2.0
// Who may touch a tensor, and when: the program of docs/tutorial/ownership.md. Heat flows through a rod; every step
// reads one half of the work and writes the other.
#include <cmath>
#include <string>

#include "support/table_row.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

inline constexpr Dim B{"B"};

inline constexpr auto mix = kernel<"mix">([](Out<f32, B> z, In<f32, dyn> x, In<f32, dyn> y, Scalar<f32> part) {
  auto from = load_like(x, z);
  z.store(from + (load_like(y, z) - from) * part);
});
inline constexpr auto cool = kernel<"cool">([](InOut<f32, B> z, Scalar<f32> factor) { z.store(z.load() * factor); });

constexpr index_t block_size = 1024;

// What the library says when the compiler cannot know: an index that is only known when the program runs.
static std::string refused_second_use(const Device& d, int index) {
  std::vector<Tensor<f32>> rods;
  rods.push_back(d.zeros<f32>({block_size}));
  auto given = std::move(rods[0]).share();
  try {
    return std::to_string(rods[static_cast<std::size_t>(index)].shape()[0]);
  } catch (const usage_error& refusal) {
    return refusal.what();
  }
}

int main(int count, char**) {
  const Device d = device();
  const index_t size = example::sized(1 << 20, 1 << 12);

  // One owner. A Tensor is moved, never copied; its memory is freed with it.
  auto rod = d.full<f32>({size}, 80.0F);

  // Given: the launch owns the tensor and gives it back.
  auto [cooled] = cool(std::move(rod).partition({block_size}), 0.5F).sync();

  // Lent: for one expression. The tensor stays where it is.
  cool(cooled.partition({block_size}), 0.5F).sync();

  // Shared: any number of readers, on any thread, and no writer.
  const Shared<f32> outside = d.full<f32>({size}, 10.0F).share();
  auto next = d.empty<f32>({size});
  mix(next.partition({block_size}), cooled.borrow(), outside, 0.25F).sync();

  // Two parts that share no element: one launch may read the one and write the other.
  auto [left, right] = next.split_at(0, size / 2);
  mix(left.partition({block_size}), right.borrow(), right.borrow(), 0.0F).sync();

  // The only handle left: a Shared becomes a Tensor again, and can be written.
  auto again = d.iota<f32>({size}).share();
  auto unique = std::move(again).into_unique();
  const double seconds = example::seconds_of([&] { cool(unique.partition({block_size}), 1.0F).sync(); });

  example::WorstError worst;
  const auto mixed = next.to_host();
  for (std::size_t i = 0; i < mixed.size(); ++i) worst.compare(mixed[i], 20.0 + (10.0 - 20.0) * 0.25, 0x1p-19);
  const bool is_refused = refused_second_use(d, count - 1).find("given away") != std::string::npos;
  return example::finish("08 ownership", example::shape_text({size}), seconds, 8.0 * static_cast<double>(size), "GB/s",
                         worst) +
         (is_refused ? 0 : 1);
}
