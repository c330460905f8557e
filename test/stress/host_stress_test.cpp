// SPDX-License-Identifier: Apache-2.0
// Threads that do at random what a host program may: launches given, lent and prepared, on streams of their own and of
// others, chains, scopes, copies, graphs that change, tasks that are cancelled, faults. Each tensor's value is known,
// so whatever overtakes, overwrites or is lost shows. TILEWRIGHT_STRESS_SECONDS (5) and TILEWRIGHT_STRESS_SEED (the
// clock) choose how long and what.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "tilewright/runtime/task.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

constexpr index_t size = 600;
constexpr int threads = 8;
constexpr f32 largest = 1e6f;  // sums of whole numbers stay exact

inline constexpr auto add_to =
    kernel<"add_to">([](InOut<f32, B> z, In<f32, dyn> x) { z.store(z.load() + load_like(x, z)); });
// The piece of x that i[0] names, which may not be there.
inline constexpr auto pick = kernel<"pick">([](Out<f32, B> z, In<f32, dyn> x, In<i32, dyn> i) {
  z.store(x.load(tile<B>, to_index(reshape(i.load(tile<1>, 0), tile<>))));
});

// A tensor and the value of all its elements.
struct known_tensor {
  Tensor<f32> tensor;
  f32 value;
};
struct known_reader {
  Shared<f32> tensor;
  f32 value;
};

// Tensors that any thread reads.
class readers {
 public:
  std::optional<known_reader> any(std::mt19937& random) {
    const std::lock_guard lock(mutex_);
    if (all_.empty()) return std::nullopt;
    return all_[random() % all_.size()];
  }
  void put(known_reader reader, std::mt19937& random) {
    const std::lock_guard lock(mutex_);
    if (all_.size() < 16) {
      all_.push_back(std::move(reader));
    } else {
      all_[random() % all_.size()] = std::move(reader);
    }
  }

 private:
  std::mutex mutex_;
  std::vector<known_reader> all_;
};

Task<Tensor<f32>> count_up(Tensor<f32> z, int times) {
  for (int i = 0; i < times; ++i) {
    auto [next] = co_await increment(std::move(z).partition({64}));
    z = std::move(next);
  }
  co_return z;
}
Task<std::tuple<Tensor<f32>, Tensor<f32>>> count_both_up(Tensor<f32> a, Tensor<f32> b, int times) {
  co_return co_await when_all(count_up(std::move(a), times), count_up(std::move(b), times));
}

class stressed_thread {
 public:
  stressed_thread(const Device& device, const std::vector<Stream>& streams, readers& shared, unsigned seed)
      : device_(device), streams_(streams), shared_(shared), random_(seed), mine_{fresh(), fresh()} {}

  void run_until(std::chrono::steady_clock::time_point end) {
    using action = void (stressed_thread::*)();
    constexpr action actions[] = {&stressed_thread::lend,
                                  &stressed_thread::give,
                                  &stressed_thread::leave,
                                  &stressed_thread::chain,
                                  &stressed_thread::scoped,
                                  &stressed_thread::record,
                                  &stressed_thread::replay,
                                  &stressed_thread::task,
                                  &stressed_thread::share,
                                  &stressed_thread::read,
                                  &stressed_thread::fault,
                                  &stressed_thread::look,
                                  &stressed_thread::lend_two,
                                  &stressed_thread::give_two,
                                  &stressed_thread::halves,
                                  &stressed_thread::prepared,
                                  &stressed_thread::update,
                                  &stressed_thread::two_tasks,
                                  &stressed_thread::to_host_and_back};
    while (std::chrono::steady_clock::now() < end && !testing::Test::HasFailure()) {
      (this->*actions[random_() % std::size(actions)])();
      for (known_tensor& each : mine_) {
        if (each.value <= largest) continue;
        drop_graph_of(each);
        each = fresh();
      }
      ++steps_;
    }
    graph_.reset();
    for (const known_tensor& each : mine_) expect(each);
  }
  long steps() const { return steps_; }

 private:
  known_tensor fresh() {
    const auto value = static_cast<f32>(random_() % 100);
    return {device_.full<f32>({size}, value), value};
  }
  known_tensor& any() { return mine_[random_() % mine_.size()]; }
  const Stream& stream() { return streams_[random_() % streams_.size()]; }
  static void expect(const known_tensor& each) {
    for (const f32 element : each.tensor.to_host()) ASSERT_EQ(element, each.value);
  }
  // A graph writes its tensor until it is gone.
  void drop_graph_of(const known_tensor& each) {
    if (graph_ && graph_place_ == &each) graph_.reset();
  }

  void lend() {
    known_tensor& z = any();
    increment(z.tensor.partition({static_cast<index_t>(1 + random_() % 200)})).sync();
    z.value += 1;
  }
  void lend_two() {
    add_to(mine_[0].tensor.partition({128}), mine_[1].tensor.borrow()).sync();
    mine_[0].value += mine_[1].value;
  }
  void give() {
    known_tensor& z = any();
    auto flying = increment(std::move(z.tensor).partition({100})).start_on(stream());
    std::tie(z.tensor) = std::move(flying).wait();
    z.value += 1;
  }
  void give_two() {
    auto [first, second] = zip(increment(std::move(mine_[0].tensor).partition({100})),
                               increment(std::move(mine_[1].tensor).partition({60})))
                               .sync_on(stream());
    std::tie(mine_[0].tensor) = std::move(first);
    std::tie(mine_[1].tensor) = std::move(second);
    for (known_tensor& each : mine_) each.value += 1;
  }
  void prepared() {
    known_tensor& z = any();
    const int times = static_cast<int>(random_() % 4);
    auto launch = prepare(increment(std::move(z.tensor).partition({75})));
    for (int i = 0; i < times; ++i) launch.enqueue_on(stream());
    std::tie(z.tensor) = std::move(launch).finish();
    z.value += static_cast<f32>(times);
  }
  void to_host_and_back() {
    known_tensor& z = any();
    auto [buffer, read] = copy(device_.host_buffer<f32>({size}), std::move(z.tensor)).start_on(stream()).wait();
    for (f32& element : buffer.span()) {
      ASSERT_EQ(element, z.value);
      element += 1;
    }
    std::tie(z.tensor, std::ignore) = copy(std::move(read), std::move(buffer)).sync_on(stream());
    z.value += 1;
  }
  // Work that nobody waits for.
  void leave() {
    known_tensor& z = any();
    drop_graph_of(z);
    increment(std::move(z.tensor).partition({50})).start_on(stream()).detach();
    z = fresh();
  }
  void chain() {
    known_tensor& z = any();
    std::tie(z.tensor) =
        increment(std::move(z.tensor).partition({64}))
            .then([](auto given) { return increment(std::move(std::get<0>(given)).partition({size})); })
            .sync_on(stream());
    z.value += 2;
  }
  void scoped() {
    scope([&](Scope& within) {
      within.start_on(stream(), increment(mine_[0].tensor.partition({64})));
      within.start_on(stream(), increment(mine_[1].tensor.partition({64})));
    });
    for (known_tensor& each : mine_) each.value += 1;
  }
  void halves() {
    known_tensor& z = any();
    scope([&](Scope& within) {
      auto [head, tail] = z.tensor.split_at(0, 200);
      within.start_on(stream(), increment(head.partition({50})));
      within.start_on(stream(), increment(tail.partition({50})));
    });
    z.value += 1;
  }
  void record() {
    known_tensor& z = any();
    graph_.emplace(capture(device_, [&] { add_two(z); }));
    graph_place_ = &z;
  }
  void update() {
    if (!graph_) return;
    known_tensor& z = any();
    graph_->update([&] { add_two(z); });
    graph_place_ = &z;
  }
  void add_two(known_tensor& z) {
    increment(z.tensor.partition({64})).sync();
    increment(z.tensor.partition({150})).sync();
    copy(mirror_.all(), z.tensor.borrow()).sync();
  }
  void replay() {
    if (!graph_) return;
    const int times = static_cast<int>(random_() % 4);
    for (int i = 0; i < times; ++i) graph_->enqueue_on(stream());
    graph_place_->value += static_cast<f32>(2 * times);
    if (times == 0 || random_() % 4 != 0) return;
    for (const f32 element : mirror_.to_host()) ASSERT_EQ(element, graph_place_->value);
  }
  void task() {
    known_tensor& z = any();
    drop_graph_of(z);
    const int times = static_cast<int>(random_() % 5);
    auto running = spawn(count_up(std::move(z.tensor), times));
    switch (random_() % 4) {
      case 0:
        std::move(running).cancel();
        break;
      case 1:
        std::move(running).detach();
        break;
      default: {
        if (random_() % 3 == 0) running.request_cancel();
        auto result = std::move(running).try_wait();
        if (!result) break;
        z = {std::move(result).value(), z.value + static_cast<f32>(times)};
        return;
      }
    }
    z = fresh();
  }
  void two_tasks() {
    const int times = static_cast<int>(random_() % 4);
    std::tie(mine_[0].tensor, mine_[1].tensor) =
        count_both_up(std::move(mine_[0].tensor), std::move(mine_[1].tensor), times).sync();
    for (known_tensor& each : mine_) each.value += static_cast<f32>(times);
  }
  void share() {
    known_tensor& z = any();
    drop_graph_of(z);
    shared_.put({std::move(z.tensor).share(), z.value}, random_);
    z = fresh();
  }
  void read() {
    const std::optional<known_reader> other = shared_.any(random_);
    if (!other) return;
    known_tensor& z = any();
    auto [next, same] = add_to(std::move(z.tensor).partition({64}), other->tensor).sync_on(stream());
    z = {std::move(next), z.value + other->value};
  }
  void fault() {
    const Shared<i32> nowhere = device_.full<i32>({1}, 1000).share();
    const known_tensor x = fresh();
    auto lost = device_.empty<f32>({64});
    EXPECT_THROW((void)pick(lost.partition({64}), x.tensor.borrow(), nowhere).sync(), device_fault);
    EXPECT_THROW((void)lost.to_host(), device_fault);
  }
  void look() { expect(any()); }

  const Device device_;
  const std::vector<Stream>& streams_;
  readers& shared_;
  std::mt19937 random_;
  std::array<known_tensor, 2> mine_;                 // a graph knows one of them by its place
  Tensor<f32> mirror_ = device_.zeros<f32>({size});  // to which it copies that one
  std::optional<Graph> graph_;
  known_tensor* graph_place_ = nullptr;
  long steps_ = 0;
};

unsigned number_from_environment(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

void stress(const Device& device) {
  const auto now = std::chrono::steady_clock::now();
  const unsigned seconds = number_from_environment("TILEWRIGHT_STRESS_SECONDS", 5);
  const unsigned seed =
      number_from_environment("TILEWRIGHT_STRESS_SEED", static_cast<unsigned>(now.time_since_epoch().count()));
  SCOPED_TRACE("TILEWRIGHT_STRESS_SEED=" + std::to_string(seed));
  device.synchronize();
  const std::size_t before = device.memory().in_use_bytes;
  long steps = 0;
  {
    std::vector<Stream> streams;
    for (int i = 0; i < 3; ++i) streams.push_back(device.new_stream());
    readers shared;
    std::mutex counting;
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t) {
      running.emplace_back([&, t] {
        stressed_thread one(device, streams, shared, seed + static_cast<unsigned>(t));
        one.run_until(now + std::chrono::seconds(seconds));
        const std::lock_guard lock(counting);
        steps += one.steps();
      });
    }
    for (std::thread& each : running) each.join();
  }
  device.synchronize();
  for (int i = 0; i < 1000 && device.memory().in_use_bytes != before; ++i) {  // of tasks that were cancelled
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    device.synchronize();
  }
  EXPECT_EQ(device.memory().in_use_bytes, before) << "memory was lost";
  std::printf("%ld steps, seed %u\n", steps, seed);
  EXPECT_GT(steps, threads);
}

TEST(Stress, OfTheCpuDevice) { stress(cpu_device()); }
// ThreadSanitizer does not see the elements that compiled kernels touch; the interpreter's accesses it sees.
TEST(Stress, OfTheInterpreter) { stress(interp_device()); }

}  // namespace
}  // namespace tilewright::test
