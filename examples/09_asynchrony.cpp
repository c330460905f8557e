// SPDX-License-Identifier: Apache-2.0
// Work that goes on while the program does: the program of docs/tutorial/asynchrony.md. Pictures come from the host,
// are brightened, and go back.
#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "support/table_row.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"
#include "tilewright/runtime/task.hpp"

using namespace tilewright;

inline constexpr Dim B{"B"};

inline constexpr auto brighten =
    kernel<"brighten">([](InOut<f32, B> z, Scalar<f32> factor) { z.store(z.load() * factor); });
inline constexpr auto blend =
    kernel<"blend">([](Out<f32, B> z, In<f32, dyn> x, In<f32, dyn> y) { z.store(load_like(x, z) + load_like(y, z)); });
// Picture number[0] of a row of them: whether there is one, only the device sees.
inline constexpr auto take = kernel<"take">([](Out<f32, B> z, In<f32, dyn> pictures, In<i32, dyn> number) {
  z.store(pictures.load(tile<B>, to_index(reshape(number.load(tile<1>, 0), tile<>))));
});

constexpr index_t block_size = 1024;

static double sum_of(std::span<const f32> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

// A task: it gives the thread back at each co_await, and goes on when that is done.
static Task<double> brightness(Tensor<f32> picture) {
  auto buffer = picture.device().host_buffer<f32>(picture.shape());
  auto [bright] = co_await brighten(std::move(picture).partition({block_size}), 2.0F);
  auto [read, same] = co_await copy(std::move(buffer), std::move(bright));
  co_return sum_of(read.span());
}

// Awaits two others: both are begun, take turns, and go on alone where they await.
static Task<double> brightness_of_both(Tensor<f32> left, Tensor<f32> right) {
  auto [a, b] = co_await when_all(brightness(std::move(left)), brightness(std::move(right)));
  co_return a + b;
}

// Never ends by itself.
static Task<> shimmer(Tensor<f32> picture) {
  for (;;) {
    auto [next] = co_await brighten(std::move(picture).partition({block_size}), 1.0F);
    picture = std::move(next);
  }
}

struct Lesson {
  const Device d = device();
  const index_t size = example::sized(1 << 20, 1 << 12);
  std::vector<f32> values = std::vector<f32>(static_cast<std::size_t>(size));
  const Stream left = d.new_stream(), right = d.new_stream();
  example::WorstError worst;

  void expect_sum(double got, double expected) { worst.compare(got, expected, 0x1p-20 * expected); }

  void start_and_wait() {
    auto picture = d.from_host(values, {size});

    // Returns at once. The tensors are in flight with the work; wait() gives them back, or throws what failed.
    auto flying = brighten(std::move(picture).partition({block_size}), 2.0F).start();
    const double meanwhile = sum_of(values);  // on this thread, while the device computes
    auto [bright] = std::move(flying).wait();
    expect_sum(sum_of(bright.to_host()), 2 * meanwhile);
  }

  void combine() {
    auto bright = d.from_host(values, {size});

    // One launch after another: the function gets what the first one gives when that is enqueued, not when it is done.
    auto [brighter] = brighten(std::move(bright).partition({block_size}), 2.0F)
                          .then([](auto given) {
                            auto& [so_far] = given;
                            return brighten(std::move(so_far).partition({block_size}), 0.25F);
                          })
                          .sync();

    // A function of the result, once that is computed.
    const double total = brighten(std::move(brighter).partition({block_size}), 3.0F)
                             .map([](auto given) { return sum_of(std::get<0>(given).to_host()); })
                             .sync();
    expect_sum(total, 1.5 * sum_of(values));

    // Several ops as one: all are started before the first is waited for.
    auto [first, second] = zip(brighten(d.full<f32>({size}, 1.0F).partition({block_size}), 5.0F),
                               brighten(d.full<f32>({size}, 1.0F).partition({block_size}), 7.0F))
                               .sync();
    auto [five] = std::move(first);
    auto [seven] = std::move(second);
    expect_sum(sum_of(five.to_host()) + sum_of(seven.to_host()), 12.0 * static_cast<double>(size));
  }

  void use_streams() {
    auto five = d.full<f32>({size}, 5.0F), seven = d.full<f32>({size}, 7.0F);

    // A stream keeps its order; work of different ones may overlap.
    auto on_left = brighten(std::move(five).partition({block_size}), 2.0F).start_on(left);
    auto on_right = brighten(std::move(seven).partition({block_size}), 2.0F).start_on(right);
    auto [ten] = std::move(on_left).wait();
    auto [fourteen] = std::move(on_right).wait();
    auto sums = d.empty<f32>({size});
    blend(sums.partition({block_size}), ten.borrow(), fourteen.borrow()).sync();
    expect_sum(sum_of(sums.to_host()), 24.0 * static_cast<double>(size));

    // Another device: its ops go to its own stream, and copy() orders the two.
    const Device other = cpu_device();
    auto [there, sent] = copy(other.empty<f32>({size}), std::move(sums)).sync();
    auto [mixed, mine] = zip(brighten(std::move(there).partition({block_size}), 0.5F),
                             brighten(std::move(sent).partition({block_size}), 0.5F))
                             .sync();
    expect_sum(sum_of(std::get<0>(mixed).to_host()), 12.0 * static_cast<double>(size));
  }

  void use_host_memory() {
    // Host memory that a copy takes into flight: pinned, where the device is a GPU.
    auto upload = d.host_buffer<f32>({size});
    std::copy(values.begin(), values.end(), upload.span().begin());
    auto there_and_back = copy(d.empty<f32>({size}), std::move(upload))
                              .then([](auto given) {
                                auto& [on_device, buffer] = given;
                                return copy(std::move(buffer), std::move(on_device));
                              })
                              .start();
    auto [download, on_device] = std::move(there_and_back).wait();
    expect_sum(sum_of(download.span()), sum_of(values));

    // Lent and in flight: scope() returns when all that was started in it is done.
    scope([&](Scope& s) {
      auto [head, tail] = on_device.split_at(0, size / 2);
      s.start_on(left, brighten(head.partition({block_size}), 4.0F));
      s.start_on(right, brighten(tail.partition({block_size}), 4.0F));
    });
    expect_sum(sum_of(on_device.to_host()), 4 * sum_of(values));
  }

  void run_tasks() {
    // Here, on this thread; or on the one thread that all spawned tasks share.
    const double here = brightness(d.from_host(values, {size})).sync();
    auto running = spawn(brightness_of_both(d.from_host(values, {size}), d.from_host(values, {size})));
    const double spawned = std::move(running).wait();
    expect_sum(here, 2 * sum_of(values));
    expect_sum(spawned, 4 * sum_of(values));
  }

  bool cancel() {
    auto picture = d.from_host(values, {size});

    // The co_await that the task is in throws `cancelled`. Work in flight goes on to its end, and keeps its memory.
    auto shimmering = spawn(shimmer(std::move(picture)));
    shimmering.request_cancel();
    bool is_stopped = false;
    try {
      std::move(shimmering).wait();
    } catch (const cancelled&) {
      is_stopped = true;
    }
    return is_stopped;
  }

  bool fail() {
    // There is no ninth picture, and only the device can know: a failure as a value. The pictures come back.
    const Shared<f32> pictures = d.full<f32>({4 * block_size}, 1.0F).share();
    const Shared<i32> ninth = d.full<i32>({1}, 9).share();
    auto result = take(d.empty<f32>({block_size}).partition({block_size}), pictures, ninth).try_sync();
    const bool is_told = !result && std::string(result.error().what()).find("take") != std::string::npos;
    auto arguments = std::move(result).arguments();
    return is_told && arguments.has_value();
  }
};

int main() {
  Lesson lesson;
  std::iota(lesson.values.begin(), lesson.values.end(), 1.0F);
  lesson.start_and_wait();
  lesson.combine();
  lesson.use_streams();
  lesson.use_host_memory();
  lesson.run_tasks();
  const bool is_as_told = lesson.cancel() && lesson.fail();

  auto timed = lesson.d.full<f32>({lesson.size}, 1.0F);
  const double seconds =
      example::seconds_of([&] { scope([&](Scope& s) { s.start(brighten(timed.partition({block_size}), 1.0F)); }); });
  return example::finish("09 asynchrony", example::shape_text({lesson.size}), seconds,
                         8.0 * static_cast<double>(lesson.size), "GB/s", lesson.worst) +
         (is_as_told ? 0 : 1);
}
