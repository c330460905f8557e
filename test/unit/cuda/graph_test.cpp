// SPDX-License-Identifier: Apache-2.0
// Graphs on a GPU: what the driver is told, what replays compute, and what is left when a call of the driver fails.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"
#include "unit/cuda/cuda_places.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

// ---- Values, everywhere --------------------------------------------------------------------------------------------
class GraphOnCuda : public OnCuda {};
INSTANTIATE_TEST_SUITE_P(Cuda, GraphOnCuda, testing::Values(place::fake, place::delayed_fake, place::driver),
                         testing::PrintToStringParamName());

TEST_P(GraphOnCuda, ReplaysInTheOrderOfTheProgram) {
  on_device([](const Device& device) {
    const Shared<f32> x = device.iota<f32>({1000}).share();
    auto y = device.zeros<f32>({1000}), z = device.zeros<f32>({1000});
    Graph graph = capture(device, [&] {
      scale(y.partition({128}), 2.0f, x).sync();
      increment(y.partition({64})).sync();
      add(z.partition({256}), y.borrow(), x.borrow()).sync();
      increment(y.partition({100})).sync();
    });
    for (int i = 0; i < 3; ++i) graph.enqueue();
    const std::vector<f32> sums = z.to_host();
    for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_EQ(sums[i], 3.0f * static_cast<f32>(i) + 1.0f);
    EXPECT_EQ(y.to_host()[10], 22.0f);
  });
}

TEST_P(GraphOnCuda, TakesTheLaunchesOfAChild) {
  on_device([](const Device& device) {
    auto y = device.zeros<f32>({1000}), z = device.zeros<f32>({1000});
    Graph parent = [&] {
      const Shared<f32> x = device.iota<f32>({1000}).share();
      Graph child = capture(device, [&] { add(y.partition({128}), z.borrow(), x.borrow()).sync(); });
      child.enqueue();
      return capture(device, [&] {
        increment(z.partition({256})).sync();
        child.enqueue();
      });
    }();
    for (int i = 0; i < 3; ++i) parent.enqueue();
    const std::vector<f32> sums = y.to_host();
    for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_EQ(sums[i], static_cast<f32>(i) + 3.0f);
  });
}

TEST_P(GraphOnCuda, CopiesViewsAndBuffersBetweenLaunches) {
  on_device([](const Device& device) {
    auto whole = device.zeros<f32>({2, 3, 4}), part = device.zeros<f32>({2, 2, 2});
    auto upload = device.host_buffer<f32>({2, 3, 4}), download = device.host_buffer<f32>({2, 2, 2});
    Graph graph = capture(device, [&] {
      copy(whole.all(), upload.borrow()).sync();
      copy(part.all(), whole.slice(1, 1, 3).slice(2, 1, 3).borrow()).sync();
      increment(part.reshape({8}).partition({4})).sync();
      copy(download.all(), part.borrow()).sync();
    });
    for (const f32 first : {1.0f, 100.0f}) {
      const std::vector<f32> values = counted(24, first);
      std::copy(values.begin(), values.end(), upload.span().begin());
      graph.enqueue();
      const auto seen = download.span();
      EXPECT_EQ(std::vector<f32>(seen.begin(), seen.end()),
                (std::vector<f32>{first + 6, first + 7, first + 10, first + 11, first + 18, first + 19, first + 22,
                                  first + 23}));
    }
  });
}

TEST_P(GraphOnCuda, ReplaysAreInOrderOnAnyStream) {
  on_device([](const Device& device) {
    auto z = device.zeros<f32>({300});
    Graph graph = capture(device, [&] { increment(z.partition({100})).sync(); });
    const Stream first = device.new_stream(), second = device.new_stream();
    for (int i = 0; i < 20; ++i) graph.enqueue_on(i % 3 == 0 ? first : second);
    increment(z.partition({300})).sync();
    graph.sync();
    EXPECT_EQ(z.to_host(), std::vector<f32>(300, 22.0f));
  });
}

TEST_P(GraphOnCuda, ReplaysInFlightOutliveTensorsAndGraph) {
  on_device([](const Device& device) {
    device.synchronize();
    const std::size_t before = device.memory().in_use_bytes;
    auto z = device.zeros<f32>({1000});
    {
      const Shared<f32> one = device.full<f32>({1000}, 1.0f).share();
      auto y = device.zeros<f32>({1000});
      Graph graph = capture(device, [&] {
        add(y.partition({100}), z.borrow(), one.borrow()).sync();
        scale(z.partition({100}), 1.0f, y.borrow()).sync();
      });
      for (int i = 0; i < 4; ++i) graph.enqueue();
    }
    // Would take the memory of y and one, were it free.
    const auto other = device.full<f32>({1000}, 7.0f), another = device.full<f32>({1000}, 8.0f);
    EXPECT_EQ(z.to_host(), std::vector<f32>(1000, 4.0f));
    device.synchronize();
    EXPECT_LE(device.memory().in_use_bytes, before + 3 * 4096);
  });
}

TEST_P(GraphOnCuda, UpdateLeavesReplaysInFlightAlone) {
  on_device([](const Device& device) {
    const Shared<f32> one = device.full<f32>({4}, 1.0f).share();
    auto y = device.zeros<f32>({4}), sum = device.zeros<f32>({4}), before = device.zeros<f32>({4});
    const auto step = [&](f32 factor, index_t piece) {
      return [&, factor, piece] {
        scale(y.partition({piece}), factor, one.borrow()).sync();
        scale(before.partition({2}), 1.0f, sum.borrow()).sync();
        add(sum.partition({2}), before.borrow(), y.borrow()).sync();
      };
    };
    Graph graph = capture(device, step(1.0f, 2));
    graph.enqueue();
    EXPECT_EQ(graph.update(step(10.0f, 2)), 1);
    graph.enqueue();
    graph.set(0, 1, 100.0f);
    graph.enqueue();
    EXPECT_EQ(graph.update(step(1000.0f, 4)), 1) << "another image, in place";
    graph.enqueue();
    EXPECT_EQ(sum.to_host(), std::vector<f32>(4, 1111.0f));
  });
}

TEST_P(GraphOnCuda, UpdateToOtherKernelsMakesItAnew) {
  on_device([](const Device& device) {
    auto z = device.zeros<f32>({4});
    Graph graph = capture(device, [&] { increment(z.partition({2})).sync(); });
    graph.enqueue();
    EXPECT_EQ(graph.update([&] {
      for (int i = 0; i < 10; ++i) increment(z.partition({2})).sync();
    }),
              10);
    graph.enqueue();
    EXPECT_EQ(z.to_host(), std::vector<f32>(4, 11.0f));
    EXPECT_EQ(graph.update([] {}), 10);
    graph.sync();
    EXPECT_EQ(z.to_host(), std::vector<f32>(4, 11.0f));
  });
}

TEST_P(GraphOnCuda, OfALongChain) {
  on_device([](const Device& device) {
    auto z = device.zeros<f32>({64});
    Graph graph = capture(device, [&] {
      for (int i = 0; i < 1000; ++i) increment(z.partition({64})).sync();
    });
    graph.sync();
    graph.sync();
    EXPECT_EQ(z.to_host(), std::vector<f32>(64, 2000.0f));
  });
}

// ---- What the driver is told ---------------------------------------------------------------------------------------
using lines = std::vector<std::string>;

class GraphForm : public testing::Test {
 protected:
  // What the driver is told while `body` runs. Stream 1 copies, stream 2 is the thread's.
  template <class Body>
  lines told(Body body) {
    const std::size_t before = here.driver.journal().size();
    body();
    const lines all = here.driver.journal();
    return {all.begin() + static_cast<std::ptrdiff_t>(before), all.end()};
  }

  fake_place here;
  const Device device = here.device();
};

TEST_F(GraphForm, HasTheEdgesThatMemoryNeeds) {
  on_own_thread([&] {
    auto x = device.zeros<f32>({4}), y = device.zeros<f32>({4}), z = device.zeros<f32>({4});
    Graph graph = capture(device, [&] {
      increment(x.partition({2})).sync();
      add_one(y.partition({4}), x.borrow()).sync();
      add_one(z.partition({4}), x.borrow()).sync();
      increment(x.partition({2})).sync();
    });
    EXPECT_EQ(told([&] { graph.sync(); }),
              (lines{"node 0: increment_0 2", "node 1: add_one_1 1 after 0", "node 2: add_one_1 1 after 0",
                     "node 3: increment_0 2 after 2 1", "graph of 4 on 2"}));
    EXPECT_EQ(told([&] { graph.sync(); }), lines{"graph of 4 on 2"}) << "made once";
  });
}

TEST_F(GraphForm, KernelsThatWaitByThemselvesStartEarlyAfterTheOnlyOneTheyWaitFor) {
  on_own_thread([&] {
    auto x = device.zeros<f32>({4}), y = device.zeros<f32>({4}), z = device.zeros<f32>({4});
    scale(y.partition({4}), 1.0f, x.borrow()).sync();  // compiled without
    here.engine->form.programmatic = true;
    Graph graph = capture(device, [&] {
      increment(x.partition({2})).sync();
      increment(x.partition({2})).sync();
      scale(y.partition({4}), 1.0f, x.borrow()).sync();
      increment(y.partition({2})).sync();
      add_one(z.partition({4}), x.borrow()).sync();
      add(x.partition({4}), y.borrow(), z.borrow()).sync();
    });
    EXPECT_EQ(told([&] { graph.sync(); }),
              (lines{"node 0: increment_1 2", "node 1: increment_1 2 early after 0", "node 2: scale_0 1 after 1",
                     "node 3: increment_1 2 early after 2", "node 4: add_one_2 1 early after 1",
                     "node 5: add_3 1 after 4 3", "graph of 6 on 2"}));
  });
}

TEST_F(GraphForm, HasANodeForEachTransferOfACopy) {
  on_own_thread([&] {
    auto x = device.zeros<f32>({2, 3, 4}), y = device.zeros<f32>({2, 2, 2}), z = device.zeros<f32>({8});
    auto buffer = device.host_buffer<f32>({2, 3, 4});
    here.engine->form.programmatic = true;
    const auto step = [&](index_t first) {
      return [&, first] {
        copy(x.all(), buffer.borrow()).sync();
        copy(y.all(), x.slice(1, first, first + 2).slice(2, 1, 3).borrow()).sync();
        copy(z.all(), y.reshape({8}).borrow()).sync();
        increment(z.partition({4})).sync();
      };
    };
    Graph graph = capture(device, step(0));
    const lines nodes = {"node 0: copy 1 x 96", "node 1: copy 2 x 8 after 0", "node 2: copy 2 x 8 after 1",
                         "node 3: copy 1 x 32 after 2", "node 4: increment_0 2 after 3"};
    lines made = nodes;
    made.push_back("graph of 5 on 2");
    EXPECT_EQ(told([&] { graph.sync(); }), made);
    EXPECT_EQ(told([&] { EXPECT_EQ(graph.update(step(0)), 0); }), lines{});
    EXPECT_EQ(told([&] { EXPECT_EQ(graph.update(step(1)), 1); }), nodes) << "made anew";
  });
}

TEST_F(GraphForm, ChangesInPlaceAreOneCallForEachNodeThatDiffers) {
  on_own_thread([&] {
    const Shared<f32> x = device.zeros<f32>({4}).share();
    auto y = device.zeros<f32>({4}), z = device.zeros<f32>({4});
    const auto step = [&](f32 factor) {
      return [&, factor] {
        scale(y.partition({4}), 1.0f, x.borrow()).sync();
        scale(z.partition({4}), factor, x.borrow()).sync();
        increment(z.partition({4})).sync();
      };
    };
    Graph graph = capture(device, step(1.0f));
    EXPECT_EQ(told([&] { graph.update(step(2.0f)); }), lines{}) << "there is nothing to change yet";
    graph.sync();
    EXPECT_EQ(told([&] { graph.update(step(3.0f)); }), lines{"set node 1"});
    EXPECT_EQ(told([&] { graph.set(0, 1, 5.0f); }), lines{"set node 0"});
    EXPECT_EQ(told([&] { graph.sync(); }), lines{"graph of 3 on 2"});
  });
}

TEST_F(GraphForm, IsMadeAnewWhenItsEdgesChange) {
  on_own_thread([&] {
    auto x = device.zeros<f32>({4}), y = device.zeros<f32>({4});
    const auto step = [&](Tensor<f32>& second, index_t rows) {
      return [&, rows] {
        increment(x.slice(0, 0, rows).partition({4})).sync();
        increment(second.partition({4})).sync();
      };
    };
    Graph graph = capture(device, step(x, 4));
    EXPECT_EQ(told([&] { graph.sync(); }),
              (lines{"node 0: increment_0 1", "node 1: increment_0 1 after 0", "graph of 2 on 2"}));
    EXPECT_EQ(told([&] { EXPECT_EQ(graph.update(step(y, 4)), 1); }),
              (lines{"node 0: increment_0 1", "node 1: increment_0 1"}));
    EXPECT_EQ(told([&] { EXPECT_EQ(graph.update(step(y, 0)), 1); }), lines{"node 0: increment_0 1"})
        << "a launch without blocks is no node";
    graph.sync();
    EXPECT_EQ(x.to_host(), std::vector<f32>(4, 2.0f));
    EXPECT_EQ(y.to_host(), std::vector<f32>(4, 1.0f));
  });
}

TEST_F(GraphForm, IsMadeAnewWhenANodeReadsAnotherTensor) {
  on_own_thread([&] {
    auto x = device.zeros<f32>({4}), y = device.zeros<f32>({4}), z = device.zeros<f32>({4});
    const auto step = [&](const Tensor<f32>& from) {
      return [&] {
        increment(x.partition({4})).sync();
        add_one(z.partition({4}), from.borrow()).sync();
      };
    };
    Graph graph = capture(device, step(y));
    EXPECT_EQ(told([&] { graph.sync(); }), (lines{"node 0: increment_0 1", "node 1: add_one_1 1", "graph of 2 on 2"}));
    EXPECT_EQ(told([&] { graph.update(step(x)); }), (lines{"node 0: increment_0 1", "node 1: add_one_1 1 after 0"}));
  });
}

// ---- Failures of the driver ----------------------------------------------------------------------------------------
void use_graphs(const Device& device) {
  auto x = device.zeros<f32>({8}), y = device.zeros<f32>({8}), z = device.zeros<f32>({8});
  const auto step = [&](f32 factor, int repeats) {
    return [&, factor, repeats] {
      scale(y.partition({4}), factor, x.borrow()).sync();
      for (int i = 0; i < repeats; ++i) increment(y.partition({4})).sync();
      copy(z.all(), y.borrow()).sync();
      scale(x.partition({4}), 1.0f, z.borrow()).sync();
    };
  };
  Graph graph = capture(device, step(1.0f, 2));
  const Stream other = device.new_stream();
  graph.enqueue();
  graph.enqueue_on(other);
  graph.update(step(2.0f, 2));
  graph.sync();
  graph.update(step(0.5f, 3));
  graph.sync();
  device.synchronize();
  ASSERT_EQ(x.to_host(), std::vector<f32>(8, 8.0f));
}

class GraphFailures : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Cuda, GraphFailures, testing::Bool(),
                         [](const auto& each) { return each.param ? "Delayed" : "AtOnce"; });

TEST_P(GraphFailures, OfAnyCallAreTypedAndLeaveNothing) {
  std::int64_t calls = 0;
  {
    fake_place here;
    here.driver.set_delayed(GetParam());
    const std::int64_t before = here.driver.calls();
    on_own_thread([&] { use_graphs(here.device()); });
    calls = here.driver.calls() - before;
  }
  ASSERT_GT(calls, 50);
  int errors = 0;
  for (std::int64_t n = 1; n <= calls; ++n) {
    SCOPED_TRACE("call " + std::to_string(n) + " of " + std::to_string(calls));
    fake_place here;
    here.driver.set_delayed(GetParam());
    here.driver.fail_call(n, cuda::result::not_supported);
    on_own_thread([&] {
      try {
        use_graphs(here.device());
      } catch (const runtime_error&) {
        ++errors;
      }
    });
    here.driver.fail_call(0, cuda::result::not_supported);  // never
    on_own_thread([&] {
      try {
        here.device().synchronize();  // takes what nobody waited for
      } catch (const runtime_error&) {
      }
      use_graphs(here.device());
      EXPECT_EQ(here.device().memory().in_use_bytes, 0u);
    });
    if (HasFailure()) FAIL() << here.driver.failed_call();
  }
  EXPECT_GT(errors, 20);
}

TEST(LostContext, IsSaidByAReplay) {
  fake_place here;
  on_own_thread([&] {
    const Device device = here.device();
    auto z = device.zeros<f32>({4});
    Graph graph = capture(device, [&] { increment(z.partition({4})).sync(); });
    graph.sync();
    here.driver.lose_context(cuda::result::illegal_address);
    graph.enqueue();
    EXPECT_THROW(graph.sync(), driver_error);
    EXPECT_THROW(graph.sync(), driver_error);
    EXPECT_THROW((void)z.to_host(), driver_error);
    here.driver.lose_context(cuda::result::success);  // so that the driver takes back what it would take at exit
  });
}

}  // namespace
}  // namespace tilewright::test
