// SPDX-License-Identifier: Apache-2.0
// The smallest kernel. It is an ordinary lambda over tiles, captured while C++ compiles.
#include "support/table_row.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

// A Dim is an extent that the launch gives: here the size of a block's piece.
inline constexpr Dim B{"B"};

// z is this block's piece of the output, x and y are whole tensors. load_like takes from them the tile that lies where
// the piece lies; the last one may hang over the edge, and what hangs over is never stored.
inline constexpr auto add =
    kernel<"add">([](Out<f32, B> z, In<f32, dyn> x, In<f32, dyn> y) { z.store(load_like(x, z) + load_like(y, z)); });

int main() {
  const Device d = device();
  const index_t size = example::sized(1 << 23, 1 << 14) + 5;
  auto x = d.randn<f32>({size}, 1).share();  // any number of readers
  auto y = d.randn<f32>({size}, 2).share();
  auto z = d.empty<f32>({size});  // one owner, who lends it to a launch

  // Pieces of 65536 elements, a block for each. Nothing runs before sync().
  add(z.partition({65536}), x, y).sync();

  example::WorstError worst;
  const auto a = x.to_host(), b = y.to_host(), sum = z.to_host();
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const double reference = static_cast<double>(a[i]) + static_cast<double>(b[i]);
    worst.compare(sum[i], reference, 0x1p-24 * std::abs(reference) + 0x1p-150);  // rounded once
  }
  const double seconds = example::seconds_of([&] { add(z.partition({65536}), x, y).sync(); });
  return example::finish("01 vector add", example::shape_text({size}), seconds, 12.0 * static_cast<double>(size),
                         "GB/s", worst);
}
