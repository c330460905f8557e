// SPDX-License-Identifier: Apache-2.0
// Launches recorded once and replayed: a graph. Each launch was checked when it was recorded, so a replay costs a GPU
// one submission and the host next to nothing. The graph owns its memory; the tensors stay yours: reading one waits for
// the replays before.
#include <cmath>

#include "support/table_row.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

inline constexpr Dim B{"B"};

// Many pendulums, small swings: x' = v, v' = -x, one step of size h.
inline constexpr auto drift =
    kernel<"drift">([](InOut<f32, B> x, In<f32, dyn> v, Scalar<f32> h) { x.store(x.load() + load_like(v, x) * h); });
inline constexpr auto kick =
    kernel<"kick">([](InOut<f32, B> v, In<f32, dyn> x, Scalar<f32> h) { v.store(v.load() - load_like(x, v) * h); });

constexpr index_t block_size = 4096;
constexpr int steps_per_replay = 10;

// The same steps on the host, in double.
static double swing(double x, int steps, double h) {
  double v = 0;
  for (int i = 0; i < steps; ++i) {
    x += v * h;
    v -= x * h;
  }
  return x;
}

int main() {
  const Device d = device();
  const index_t size = example::sized(1 << 20, 1 << 12);
  constexpr f32 h = 0x1p-6F;

  const auto start = d.iota<f32>({size}).to_host();
  auto x = d.from_host(start, {size});
  auto v = d.zeros<f32>({size});

  // What would run is recorded instead; the loans end at once.
  Graph graph = capture(d, [&] {
    for (int i = 0; i < steps_per_replay; ++i) {
      drift(x.partition({block_size}), v.borrow(), h).sync();
      kick(v.partition({block_size}), x.borrow(), h).sync();
    }
  });

  constexpr int replays = 20;
  for (int i = 0; i < replays; ++i) graph.enqueue();  // returns at once; they run in order
  example::WorstError worst;
  const auto swung = x.to_host();
  for (std::size_t i = 0; i < swung.size(); ++i) {
    constexpr int steps = replays * steps_per_replay;
    // A step rounds x and v by half a unit in the last place; the steps after it turn that error, and do not grow it.
    worst.compare(swung[i], swing(start[i], steps, h), 4 * steps * 0x1p-24 * start[i]);
  }

  // Numbers of a node can change between replays, here the h of its first drift; so can all else, by update().
  graph.set(0, 2, 2 * h);
  const double seconds = example::seconds_of([&] { graph.sync(); });
  return example::finish("07 graph", std::to_string(graph.nodes()) + " x " + example::shape_text({size}), seconds,
                         graph.nodes() * 12.0 * static_cast<double>(size), "GB/s", worst);
}
