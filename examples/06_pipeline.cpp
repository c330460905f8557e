// SPDX-License-Identifier: Apache-2.0
// Work that runs while the program goes on. An op is work that has not started: then() puts another behind it, start()
// enqueues the chain and returns at once. Tensors travel through the chain: who gave one away cannot touch it before
// it comes back, so there is nothing to lock and nothing to free too early.
#include <cstdint>

#include "support/table_row.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

inline constexpr Dim B{"B"};

inline constexpr auto scale =
    kernel<"scale">([](Out<f32, B> z, In<f32, dyn> x, Scalar<f32> factor) { z.store(load_like(x, z) * factor); });
inline constexpr auto square_up = kernel<"square_up">([](InOut<f32, B> z) {
  auto v = z.load();
  z.store(v * v + 1);
});

constexpr index_t block_size = 4096;

// One batch: z = (3 x)^2 + 1. The second kernel is called when the first one is enqueued, with what that gives back.
static auto process(Tensor<f32> z, Tensor<f32> x) {
  return scale(std::move(z).partition({block_size}), std::move(x), 3.0F).then([](auto given) {
    auto& [scaled, input] = given;
    return square_up(std::move(scaled).partition({block_size}));
  });
}

// What the host does meanwhile: the next batch.
static std::vector<f32> make_batch(index_t size, unsigned batch) {
  std::vector<f32> values(static_cast<std::size_t>(size));
  unsigned state = batch * 2654435761U + 1;
  for (f32& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<f32>(state >> 8) * 0x1p-23F - 1;
  }
  return values;
}

static void compare(const std::vector<f32>& x, const std::vector<f32>& z, example::WorstError& worst) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double scaled = 3.0 * static_cast<double>(x[i]), reference = scaled * scaled + 1;
    worst.compare(z[i], reference, 0x1p-24 * (3 * scaled * scaled + reference));
  }
}

int main() {
  const Device d = device();
  const index_t size = example::sized(1 << 20, 1 << 12);
  constexpr unsigned batches = 8;

  example::WorstError worst;
  auto host = make_batch(size, 0);
  for (unsigned batch = 0; batch < batches; ++batch) {
    auto running = process(d.empty<f32>({size}), d.from_host(host, {size})).start();
    auto next = make_batch(size, batch + 1);  // while the device computes
    auto [z] = std::move(running).wait();     // gives the tensors back; throws what failed
    compare(host, z.to_host(), worst);
    host = std::move(next);
  }

  // Several chains in flight, each on a stream of its own; streams keep their order, different ones may overlap.
  const Stream streams[] = {d.new_stream(), d.new_stream()};
  const auto input = make_batch(size, 0);
  const double seconds = example::seconds_of([&] {
    auto first = process(d.empty<f32>({size}), d.from_host(input, {size})).start_on(streams[0]);
    auto second = process(d.empty<f32>({size}), d.from_host(input, {size})).start_on(streams[1]);
    (void)std::move(first).wait();
    (void)std::move(second).wait();
  });
  return example::finish("06 pipeline", "2 x " + example::shape_text({size}), seconds,
                         2 * 16.0 * static_cast<double>(size), "GB/s", worst);
}
