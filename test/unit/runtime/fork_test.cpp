// SPDX-License-Identifier: Apache-2.0
// A process forked after the use of a device: every use of it there is refused, nothing hangs, and the parent goes on.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "unit/runtime/child_process.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

constexpr int all_refused = 100;

template <class Use>
bool is_refused(Use use) {
  try {
    use();
  } catch (const usage_error& error) {
    return error.parts().what == "a device does not survive a fork" && !error.parts().fix.empty();
  }
  return false;
}

Task<int> seven() { co_return 7; }

class Fork : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (const char* why = why_no_child_of_threads()) GTEST_SKIP() << why;
  }

  const Device device = GetParam() ? cpu_device() : interp_device();
};
INSTANTIATE_TEST_SUITE_P(Of, Fork, testing::Bool(), [](const auto& each) { return each.param ? "cpu" : "interp"; });

// What the child has of its parent: memory and handles, but no thread.
TEST_P(Fork, EveryUseInTheChildIsRefused) {
  Tensor<f32> held = device.zeros<f32>({100});
  const Shared<f32> x = device.full<f32>({100}, 1.0f).share();
  std::optional<Op<std::tuple<Tensor<f32>, Shared<f32>>>> op;
  op.emplace(add_one(device.empty<f32>({100}).partition({10}), x));
  auto prepared = prepare(increment(device.zeros<f32>({100}).partition({10})));
  prepared.sync();
  const Stream stream = device.new_stream();
  stream_gate gate(stream);
  auto flying = increment(device.zeros<f32>({100}).partition({10})).start_on(stream);
  const pid_t child = start_child([&] {
    const bool refused[] = {
        is_refused([&] { (void)device.zeros<f32>({4}); }),
        is_refused([&] { (void)device.stream(); }),
        is_refused([&] { (void)device.new_stream(); }),
        is_refused([&] { device.synchronize(); }),
        is_refused([&] { stream.synchronize(); }),
        is_refused([&] { (void)held.to_host(); }),
        is_refused([&] { add_one(std::move(held).partition({10}), x).discard(); }),
        is_refused([&] { (void)std::move(*op).sync(); }),
        is_refused([&] { prepared.enqueue(); }),
        is_refused([&] { prepared.enqueue_on(stream); }),
        is_refused([&] { (void)std::move(flying).wait(); }),
    };
    for (const bool each : refused) {
      if (!each) return static_cast<int>(&each - refused);
    }
    return all_refused;
  });
  EXPECT_EQ(wait_for(child), all_refused);
  gate.open();
  EXPECT_EQ(std::get<0>(std::move(flying).wait()).to_host(), std::vector<f32>(100, 1.0f));
  EXPECT_EQ(std::get<0>(std::move(*op).sync()).to_host(), std::vector<f32>(100, 2.0f));
  prepared.sync();
  EXPECT_EQ(std::get<0>(std::move(prepared).finish()).to_host(), std::vector<f32>(100, 2.0f));
}

// Through exit(), with its destructors.
TEST_P(Fork, TheChildEnds) {
  (void)increment(device.zeros<f32>({100}).partition({10})).sync();
  const pid_t ending = ::fork();
  if (ending == 0) std::exit(3);
  EXPECT_EQ(wait_for(ending), 3);
}

// The thread of spawned tasks is another thing that the child does not have.
TEST(ForkAfterTasks, RefusesOthersAndTheChildEnds) {
  if (const char* why = why_no_child_of_threads()) GTEST_SKIP() << why;
  EXPECT_EQ(spawn(seven()).wait(), 7);
  const pid_t asking = start_child([] { return is_refused([] { (void)spawn(seven()).wait(); }) ? all_refused : 0; });
  EXPECT_EQ(wait_for(asking), all_refused);
  const pid_t ending = ::fork();
  if (ending == 0) std::exit(3);
  EXPECT_EQ(wait_for(ending), 3);
  EXPECT_EQ(spawn(seven()).wait(), 7);
}

}  // namespace
}  // namespace tilewright::test
