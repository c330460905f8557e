// SPDX-License-Identifier: Apache-2.0
// Graphs: what is recorded, what a replay computes and in which order, and what misuse says.
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include "unit/runtime/runtime_kernels.hpp"

TILEWRIGHT_BEGIN_OWNERS  // on purpose: some tests spend what is spent, or leave what must be spent

namespace tilewright::test {
namespace {

inline constexpr auto shifted =
    kernel<"shifted">([](Out<f32, B> z, Scalar<f32> by, In<f32, dyn> x) { z.store(load_like(x, z) + by); });
// The i-th piece of x.
inline constexpr auto pick =
    kernel<"pick">([](Out<f32, B> z, In<f32, dyn> x, Scalar<index_element> i) { z.store(x.load(tile<B>, i)); });

class GraphOn : public testing::TestWithParam<std::string> {
 protected:
  const Device host = GetParam() == "interp" ? interp_device() : cpu_device();
};
INSTANTIATE_TEST_SUITE_P(Device, GraphOn, testing::Values(std::string("interp"), std::string("cpu")),
                         [](const auto& given) { return given.param; });

constexpr auto increment_given = [](auto given) { return increment(std::move(std::get<0>(given)).partition({2})); };

// ---- Recording -----------------------------------------------------------------------------------------------------
TEST_P(GraphOn, RecordsInsteadOfRunning) {
  auto z = host.zeros<f32>({4});
  const auto before = host.stream().queue().last_ticket();
  Graph graph = capture(host, [&] { increment(z.partition({2})).sync(); });
  EXPECT_EQ(host.stream().queue().last_ticket(), before);
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 0.0f));
  EXPECT_EQ(graph.nodes(), 1);
  EXPECT_EQ(graph.device(), host);
  for (int i = 0; i < 3; ++i) graph.sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 3.0f));
}

TEST_P(GraphOn, RecordsEveryWayToRunALaunch) {
  const Stream other = host.new_stream();
  const auto before = other.queue().last_ticket();
  auto a = host.zeros<f32>({4}), b = host.zeros<f32>({4}), c = host.zeros<f32>({4}), d = host.zeros<f32>({4});
  auto again = prepare(increment(host.zeros<f32>({4}).partition({2})));
  std::optional<InFlight<std::tuple<Tensor<f32>>>> flying;
  Graph graph = capture(host, [&] {
    increment(a.partition({2})).sync();
    std::tie(b) = increment(std::move(b).partition({2})).sync_on(other);
    std::tie(c) = increment(std::move(c).partition({2})).start().wait();
    flying.emplace(increment(std::move(d).partition({2})).start_on(other));
    again.enqueue();
    again.enqueue_on(other);
    again.sync();
  });
  std::tie(d) = std::move(*flying).wait();
  EXPECT_EQ(other.queue().last_ticket(), before);
  EXPECT_EQ(graph.nodes(), 7);
  graph.sync();
  graph.sync();
  for (const auto* tensor : {&a, &b, &c, &d}) EXPECT_EQ(tensor->to_host(), std::vector<f32>(4, 2.0f));
  again.sync();  // outside: runs
  auto [e] = std::move(again).finish();
  EXPECT_EQ(e.to_host(), std::vector<f32>(4, 7.0f));
}

TEST_P(GraphOn, RecordsEachLaunchOfAChain) {
  auto z = host.zeros<f32>({4});
  Graph graph = capture(host, [&] {
    std::tie(z) = increment(std::move(z).partition({4})).then(increment_given).then(increment_given).sync();
  });
  EXPECT_EQ(graph.nodes(), 3);
  graph.sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 3.0f));
}

TEST_P(GraphOn, RunsInTheOrderOfTheProgram) {
  const auto x = host.iota<f32>({4}).share();
  auto y = host.zeros<f32>({4}), z = host.zeros<f32>({4});
  Graph graph = capture(host, [&] {
    scale(y.partition({2}), 2.0f, x).sync();
    shifted(z.partition({4}), 5.0f, y.borrow()).sync();
    scale(y.partition({4}), 10.0f, z.borrow()).sync();
  });
  graph.sync();
  EXPECT_EQ(z.to_host(), (std::vector<f32>{5, 7, 9, 11}));
  EXPECT_EQ(y.to_host(), (std::vector<f32>{50, 70, 90, 110}));
}

TEST_P(GraphOn, OfNothingRunsNothing) {
  Graph graph = capture(host, [] {});
  EXPECT_EQ(graph.nodes(), 0);
  graph.enqueue();
  graph.sync();
}

TEST_P(GraphOn, MadeStepByStep) {
  GraphBuilder builder(host);
  const auto x = host.iota<f32>({4}).share();
  auto y = host.zeros<f32>({4});
  auto [z] = builder.add(increment(host.zeros<f32>({4}).partition({2})).then(increment_given));
  builder.add(add(y.partition({2}), z.borrow(), x.borrow()));
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 0.0f)) << "nothing has run";
  EXPECT_EQ(builder.nodes(), 3);
  Graph graph = std::move(builder).build();
  graph.sync();
  EXPECT_EQ(y.to_host(), (std::vector<f32>{2, 3, 4, 5}));
}

// ---- Lifetime and order --------------------------------------------------------------------------------------------
TEST_P(GraphOn, OwnsItsMemory) {
  host.synchronize();
  const std::size_t before = host.memory().in_use_bytes;
  {
    auto z = host.zeros<f32>({1000});
    Graph graph = capture(host, [&] {
      const auto x = host.empty<f32>({1000});
      auto y = host.empty<f32>({1000});
      increment(z.partition({100})).sync();
      add_one(y.partition({100}), z.borrow()).sync();
      add_one(z.partition({100}), y.borrow()).sync();
    });
    EXPECT_GE(host.memory().in_use_bytes, before + 8000);
    graph.sync();
    EXPECT_EQ(z.to_host(), std::vector<f32>(1000, 3.0f));
  }
  EXPECT_EQ(host.memory().in_use_bytes, before);
}

TEST_P(GraphOn, OutlivesTheTensorsAndReplaysOutliveTheGraph) {
  host.synchronize();
  const std::size_t before = host.memory().in_use_bytes;
  const Stream stream = host.new_stream();
  stream_gate gate(stream);
  {
    Graph graph = capture(host, [&] {
      auto z = host.empty<f32>({1000});
      increment(z.partition({100})).sync();
    });
    graph.enqueue_on(stream);
    graph.enqueue_on(stream);
  }
  EXPECT_GE(host.memory().in_use_bytes, before + 4000);
  gate.open();
  stream.synchronize();
  EXPECT_EQ(host.memory().in_use_bytes, before);
}

TEST_P(GraphOn, MayBeEnqueuedWhileItIsInFlight) {
  const Stream first = host.new_stream(), second = host.new_stream();
  auto z = host.zeros<f32>({4});
  Graph graph = capture(host, [&] { increment(z.partition({2})).sync(); });
  stream_gate gate(first);
  for (int i = 0; i < 10; ++i) graph.enqueue_on(i % 2 == 0 ? first : second);
  EXPECT_FALSE(second.queue().is_done(second.queue().last_ticket())) << "it waits for the other stream";
  gate.open();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 10.0f)) << "reading waits";
}

TEST_P(GraphOn, IsInOrderWithTheOwnersLaunches) {
  const Stream first = host.new_stream(), second = host.new_stream();
  auto z = host.zeros<f32>({4});
  Graph graph = capture(host, [&] { increment(z.partition({2})).sync(); });
  stream_gate gate(first);
  graph.enqueue_on(first);  // 1
  auto doubled = scale(host.zeros<f32>({4}).partition({4}), 2.0f, std::move(z)).start_on(second);
  EXPECT_FALSE(second.queue().is_done(second.queue().last_ticket()));
  graph.enqueue_on(first);  // after the launch on the other stream
  gate.open();
  auto [y, back] = std::move(doubled).wait();
  EXPECT_EQ(y.to_host(), std::vector<f32>(4, 2.0f));
  EXPECT_EQ(back.to_host(), std::vector<f32>(4, 2.0f));
}

TEST_P(GraphOn, WaitsForReadersOfWhatItWrites) {
  const Stream first = host.new_stream(), second = host.new_stream();
  auto z = host.zeros<f32>({4});
  Graph graph = capture(host, [&] { increment(z.partition({2})).sync(); });
  graph.sync();
  const auto reader = std::move(z).share();
  stream_gate gate(first);
  auto flying = add_one(host.zeros<f32>({4}).partition({4}), reader).start_on(first);
  graph.enqueue_on(second);
  EXPECT_FALSE(second.queue().is_done(second.queue().last_ticket()));
  gate.open();
  auto [y, same] = std::move(flying).wait();
  EXPECT_EQ(y.to_host(), std::vector<f32>(4, 2.0f)) << "as it was before the second replay";
  EXPECT_EQ(same.to_host(), std::vector<f32>(4, 2.0f)) << "after it";
}

TEST_P(GraphOn, AndAnotherGraphOfTheSameMemoryAreInOrder) {
  const Stream first = host.new_stream(), second = host.new_stream();
  auto y = host.zeros<f32>({4}), z = host.zeros<f32>({4});
  Graph counts = capture(host, [&] { increment(y.partition({2})).sync(); });
  Graph copies = capture(host, [&] { scale(z.partition({2}), 1.0f, y.borrow()).sync(); });
  stream_gate gate(first);
  counts.enqueue_on(first);
  copies.enqueue_on(second);
  counts.enqueue_on(first);
  gate.open();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
  EXPECT_EQ(y.to_host(), std::vector<f32>(4, 2.0f));
}

TEST_P(GraphOn, AndAPreparedLaunchOfTheSameMemoryAreInOrder) {
  const Stream first = host.new_stream(), second = host.new_stream();
  auto y = host.zeros<f32>({4});
  Graph counts = capture(host, [&] { increment(y.partition({2})).sync(); });
  auto copies = prepare(scale(host.zeros<f32>({4}).partition({2}), 1.0f, std::move(y)));
  copies.sync();
  stream_gate gate(first);
  counts.enqueue_on(first);
  copies.enqueue_on(second);
  counts.enqueue_on(first);
  gate.open();
  auto [z, back] = std::move(copies).finish();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
  EXPECT_EQ(back.to_host(), std::vector<f32>(4, 2.0f));
}

TEST_P(GraphOn, KeepsATensorFromBecomingUnique) {
  auto shared = host.iota<f32>({4}).share();
  auto z = host.zeros<f32>({4});
  {
    Graph graph = capture(host, [&] { add_one(z.partition({2}), shared.borrow()).sync(); });
    graph.sync();
    EXPECT_THROW((void)Shared<f32>(std::move(shared)).into_unique(), usage_error);
  }
  EXPECT_EQ(z.to_host(), counted(4, 1.0f));
}

// ---- Changes -------------------------------------------------------------------------------------------------------
TEST_P(GraphOn, UpdateChangesWhatDiffersInPlace) {
  const auto x = host.iota<f32>({4}).share(), other = host.full<f32>({4}, 7.0f).share();
  auto y = host.zeros<f32>({4}), z = host.zeros<f32>({4});
  const auto step = [&](f32 factor, const Shared<f32>& from, index_t piece) {
    return [&, factor, piece] {
      scale(y.partition({2}), factor, from.borrow()).sync();
      add(z.partition({piece}), y.borrow(), x.borrow()).sync();
    };
  };
  Graph graph = capture(host, step(2.0f, x, 2));
  EXPECT_EQ(graph.update(step(2.0f, x, 2)), 0);
  EXPECT_EQ(graph.update(step(3.0f, x, 2)), 1) << "a number";
  graph.sync();
  EXPECT_EQ(z.to_host(), (std::vector<f32>{0, 4, 8, 12}));
  EXPECT_EQ(graph.update(step(3.0f, other, 2)), 1) << "a tensor";
  EXPECT_EQ(graph.update(step(3.0f, other, 4)), 1) << "a grid";
  EXPECT_EQ(graph.update(step(1.0f, other, 2)), 2);
  graph.sync();
  EXPECT_EQ(z.to_host(), (std::vector<f32>{7, 8, 9, 10}));
}

TEST_P(GraphOn, UpdateToOtherKernelsReplacesAll) {
  auto z = host.zeros<f32>({4});
  Graph graph = capture(host, [&] { increment(z.partition({2})).sync(); });
  const auto twice = [&] {
    increment(z.partition({2})).sync();
    increment(z.partition({2})).sync();
  };
  EXPECT_EQ(graph.update(twice), 2);
  EXPECT_EQ(graph.nodes(), 2);
  graph.sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 2.0f));
  EXPECT_EQ(graph.update([&] { scale(z.partition({2}), 4.0f, host.empty<f32>({4})).sync(); }), 2);
  EXPECT_EQ(graph.nodes(), 1);
  EXPECT_EQ(graph.update([] {}), 1);
  EXPECT_EQ(graph.nodes(), 0);
}

TEST_P(GraphOn, UpdateLeavesReplaysInFlightAlone) {
  const Stream stream = host.new_stream();
  const auto x = host.full<f32>({4}, 1.0f).share();
  auto y = host.zeros<f32>({4});
  auto sum = host.zeros<f32>({4}), before = host.zeros<f32>({4});
  const auto step = [&](f32 factor) {
    return [&, factor] {
      scale(y.partition({2}), factor, x.borrow()).sync();
      scale(before.partition({2}), 1.0f, sum.borrow()).sync();
      add(sum.partition({2}), before.borrow(), y.borrow()).sync();
    };
  };
  Graph graph = capture(host, step(1.0f));
  stream_gate gate(stream);
  graph.enqueue_on(stream);
  EXPECT_EQ(graph.update(step(10.0f)), 1);
  graph.enqueue_on(stream);
  graph.set(0, 1, 100.0f);
  graph.enqueue_on(stream);
  gate.open();
  EXPECT_EQ(sum.to_host(), std::vector<f32>(4, 111.0f));
}

TEST_P(GraphOn, UpdateThatThrowsChangesNothing) {
  auto z = host.zeros<f32>({4});
  Graph graph = capture(host, [&] { increment(z.partition({2})).sync(); });
  EXPECT_THROW(graph.update([&] {
    increment(z.partition({2})).sync();
    throw std::runtime_error("no");
  }),
               std::runtime_error);
  EXPECT_EQ(graph.nodes(), 1);
  increment(z.partition({2})).sync();  // runs at once: nothing is being recorded
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
  graph.sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 2.0f));
}

TEST_P(GraphOn, UpdateFreesWhatIsUsedNoMore) {
  host.synchronize();
  const std::size_t before = host.memory().in_use_bytes;
  auto z = host.zeros<f32>({1000});
  const auto step = [&] { scale(z.partition({100}), 1.0f, host.empty<f32>({1000})).sync(); };
  Graph graph = capture(host, step);
  const std::size_t with_graph = host.memory().in_use_bytes;
  EXPECT_EQ(graph.update(step), 1);
  EXPECT_EQ(graph.update(step), 1);
  EXPECT_EQ(host.memory().in_use_bytes, with_graph);
  EXPECT_GT(with_graph, before);
}

TEST_P(GraphOn, SetChangesOneNumber) {
  const auto x = host.iota<f32>({4}).share();
  auto y = host.zeros<f32>({4}), z = host.zeros<f32>({4});
  Graph graph = capture(host, [&] {
    scale(y.partition({2}), 2.0f, x.borrow()).sync();
    shifted(z.partition({2}), 1.0f, y.borrow()).sync();
  });
  graph.set(0, 1, 3.0f);
  graph.set(1, 1, -1.0f);
  graph.sync();
  EXPECT_EQ(z.to_host(), (std::vector<f32>{-1, 2, 5, 8}));
}

TEST_P(GraphOn, SetRefusesWhatDoesNotFit) {
  auto z = host.zeros<f32>({4});
  Graph graph = capture(host, [&] { scale(z.partition({2}), 2.0f, host.empty<f32>({4})).sync(); });
  EXPECT_EQ(usage_of([&] { graph.set(1, 1, 3.0f); }).what, "no such node");
  EXPECT_EQ(usage_of([&] { graph.set(-1, 1, 3.0f); }).what, "no such node");
  EXPECT_EQ(usage_of([&] { graph.set(0, 3, 3.0f); }).what, "no such parameter");
  EXPECT_EQ(usage_of([&] { graph.set(0, 0, 3.0f); }).what, "set() changes Scalar parameters only");
  const report type = usage_of([&] { graph.set(0, 1, 3); });
  EXPECT_EQ(type.what, "a number of another type");
  EXPECT_EQ(type.expected, "f32");
  EXPECT_EQ(type.got, "i32");
}

TEST_P(GraphOn, SetIsCheckedAsALaunchIs) {
  const auto x = host.iota<f32>({8}).share();
  auto z = host.zeros<f32>({4});
  Graph graph = capture(host, [&] { pick(z.partition({4}), x.borrow(), index_t{0}).sync(); });
  graph.set(0, 2, index_t{1});
  for (const index_t outside : {index_t{2}, index_t{-1}}) {
    const report wanted = usage_of([&] { (void)pick(host.zeros<f32>({4}).partition({4}), x, outside).sync(); });
    EXPECT_EQ(usage_of([&] { graph.set(0, 2, outside); }).what, wanted.what);
  }
  graph.sync();
  EXPECT_EQ(z.to_host(), counted(4, 4.0f)) << "as it was set before";
}

// ---- Misuse --------------------------------------------------------------------------------------------------------
TEST_P(GraphOn, ContentsStayOutOfReachInACapture) {
  auto z = host.zeros<f32>({4});
  const auto refusal = [&](auto use) {
    return usage_of([&] {
             (void)capture(host, [&] {
               increment(z.partition({2})).sync();
               use();
             });
           })
        .what;
  };
  const std::size_t before = host.memory().in_use_bytes;
  EXPECT_EQ(refusal([&] { (void)z.to_host(); }), "to_host() inside a capture");
  EXPECT_EQ(refusal([&] { (void)host.zeros<f32>({4}); }), "zeros() or full() inside a capture");
  EXPECT_EQ(refusal([&] { (void)host.full<f32>({4}, 1.0f); }), "zeros() or full() inside a capture");
  EXPECT_EQ(refusal([&] { (void)host.iota<f32>({4}); }), "iota() inside a capture");
  EXPECT_EQ(refusal([&] { (void)host.randn<f32>({4}); }), "randn() inside a capture");
  EXPECT_EQ(refusal([&] { (void)host.from_host(std::vector<f32>(4), {4}); }), "from_host() inside a capture");
  EXPECT_EQ(host.memory().in_use_bytes, before);
  increment(z.partition({2})).sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f)) << "no capture goes on";
}

TEST_P(GraphOn, CapturesDoNotNest) {
  auto z = host.zeros<f32>({4});
  Graph graph = capture(host, [&] { increment(z.partition({2})).sync(); });
  const auto inside = [&](auto use) { return usage_of([&] { (void)capture(host, use); }).what; };
  EXPECT_EQ(inside([&] { (void)capture(host, [] {}); }), "capture() inside a capture");
  EXPECT_EQ(inside([&] { (void)graph.update([] {}); }), "update() inside a capture");
  EXPECT_EQ(inside([&] { (void)graph.profile(); }), "profile() inside a capture");
  EXPECT_EQ(inside([&] {
              GraphBuilder builder(host);
              (void)builder.add(increment(host.empty<f32>({4}).partition({4})));
            }),
            "GraphBuilder::add() inside a capture");
  graph.sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
}

TEST_P(GraphOn, TakesTheLaunchesOfAChild) {
  auto y = host.zeros<f32>({4}), z = host.zeros<f32>({4});
  Graph child = capture(host, [&] { shifted(y.partition({2}), 3.0f, z.borrow()).sync(); });
  GraphBuilder builder(host);
  builder.add(increment(z.partition({2})));
  EXPECT_EQ(builder.add(child), 1);
  EXPECT_EQ(builder.nodes(), 2);
  Graph built = std::move(builder).build();
  Graph recorded = capture(host, [&] {
    child.enqueue();
    increment(z.partition({4})).sync();
    child.enqueue_on(host.new_stream());
    child.sync();
  });
  EXPECT_EQ(y.to_host(), std::vector<f32>(4, 0.0f)) << "nothing has run";
  EXPECT_EQ(recorded.nodes(), 4);
  built.sync();
  EXPECT_EQ(y.to_host(), std::vector<f32>(4, 4.0f));
  recorded.sync();
  EXPECT_EQ(y.to_host(), std::vector<f32>(4, 5.0f));
}

TEST_P(GraphOn, KeepsAChildAsItWas) {
  auto y = host.zeros<f32>({4});
  Graph graph = [&] {
    const auto x = host.iota<f32>({4}).share();
    Graph child = capture(host, [&] { shifted(y.partition({2}), 3.0f, x).sync(); });
    Graph parent = capture(host, [&] { child.enqueue(); });
    child.set(0, 1, 100.0f);
    return parent;
  }();
  graph.sync();
  EXPECT_EQ(y.to_host(), (std::vector<f32>{3, 4, 5, 6}));
  graph.set(0, 1, 7.0f);
  graph.sync();
  EXPECT_EQ(y.to_host(), (std::vector<f32>{7, 8, 9, 10}));
}

TEST_P(GraphOn, AndItsChildAreInOrder) {
  auto z = host.zeros<f32>({4});
  Graph child = capture(host, [&] { increment(z.partition({2})).sync(); });
  Graph parent = capture(host, [&] {
    child.enqueue();
    child.enqueue();
  });
  const Stream first = host.new_stream(), second = host.new_stream();
  for (int i = 0; i < 50; ++i) {
    child.enqueue_on(first);
    parent.enqueue_on(second);
  }
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 150.0f));
}

TEST_P(GraphOn, RefusesAChildOfAnotherDevice) {
  const Device other = host == cpu_device() ? interp_device() : cpu_device();
  auto y = host.zeros<f32>({4}), z = other.zeros<f32>({4});
  Graph child = capture(other, [&] { increment(z.partition({2})).sync(); });
  GraphBuilder builder(host);
  builder.add(increment(y.partition({2})));
  EXPECT_EQ(usage_of([&] { builder.add(child); }).what, "a launch of another device inside a capture");
  EXPECT_EQ(builder.nodes(), 1);
}

TEST_P(GraphOn, HasOneDevice) {
  const Device other = host == cpu_device() ? interp_device() : cpu_device();
  auto z = other.zeros<f32>({4});
  EXPECT_EQ(usage_of([&] { (void)capture(host, [&] { increment(z.partition({2})).sync(); }); }).what,
            "a launch of another device inside a capture");
  GraphBuilder builder(host);
  EXPECT_EQ(usage_of([&] { builder.add(increment(z.partition({2}))); }).what,
            "a launch of another device inside a capture");
  EXPECT_EQ(builder.nodes(), 0);
  Graph graph = capture(host, [&] { EXPECT_EQ(z.to_host(), std::vector<f32>(4, 0.0f)) << "of no concern here"; });
  EXPECT_EQ(usage_of([&] { graph.enqueue_on(other.stream()); }).what, "work of one device on a stream of another");
}

TEST_P(GraphOn, AChainThatFailsLeavesNothingInTheBuilder) {
  GraphBuilder builder(host);
  EXPECT_THROW((void)builder.add(increment(host.zeros<f32>({4}).partition({4})).then([](auto given) {
    if (std::get<0>(given).shape()[0] == 4) throw std::runtime_error("no");
    return increment(std::move(std::get<0>(given)).partition({4}));
  })),
               std::runtime_error);
  EXPECT_EQ(builder.nodes(), 0);
}

TEST_P(GraphOn, TakesNothingAfterBuild) {
  GraphBuilder builder(host);
  auto [z] = builder.add(increment(host.zeros<f32>({4}).partition({2})));
  Graph graph = std::move(builder).build();
  const std::string refused = "use of a GraphBuilder that was given away";
  EXPECT_EQ(usage_of([&] { (void)builder.nodes(); }).what, refused);
  auto op = increment(host.zeros<f32>({4}).partition({2}));
  EXPECT_EQ(usage_of([&] { (void)builder.add(std::move(op)); }).what, refused);
  EXPECT_EQ(usage_of([&] { (void)builder.add(graph); }).what, refused);
  EXPECT_EQ(usage_of([&] { (void)std::move(builder).build(); }).what, refused);
  graph.sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
}

TEST_P(GraphOn, IsNotCapturedInsideThen) {
  EXPECT_EQ(usage_of([&] {
              (void)increment(host.zeros<f32>({4}).partition({4}))
                  .then([](auto given) {
                    (void)capture(std::get<0>(given).device(), [] {});
                    return increment(std::move(std::get<0>(given)).partition({4}));
                  })
                  .sync();
            }).what,
            "capture() inside a function given to then()");
}

TEST_P(GraphOn, ThatWasMovedIsRefused) {
  Graph graph = capture(host, [] {});
  const Graph taken = std::move(graph);
  EXPECT_EQ(taken.nodes(), 0);
  EXPECT_THROW((void)graph.nodes(), usage_error);
  EXPECT_THROW(graph.enqueue(), usage_error);
  EXPECT_THROW(graph.set(0, 0, 1.0f), usage_error);
}

// ---- Some nodes ----------------------------------------------------------------------------------------------------
TEST_P(GraphOn, RecordsSomeNodesAgain) {
  auto a = host.zeros<f32>({4}), b = host.zeros<f32>({4});
  int shifting = -1;
  EXPECT_EQ(recorded_launches(), 0);
  const auto shift_by = [&](float by) { shifted(b.partition({2}), by, a.borrow()).sync(); };
  Graph graph = capture(host, [&] {
    increment(a.partition({2})).sync();
    shifting = recorded_launches();
    shift_by(2.0f);
    increment(a.partition({2})).sync();
  });
  ASSERT_EQ(shifting, 1);
  const std::vector<int> nodes{shifting};
  EXPECT_EQ(graph.update(nodes, [&] { shift_by(5.0f); }), 1);
  EXPECT_EQ(graph.update(nodes, [&] { shift_by(5.0f); }), 0);
  graph.sync();
  EXPECT_EQ(a.to_host(), std::vector<f32>(4, 2.0f));
  EXPECT_EQ(b.to_host(), std::vector<f32>(4, 6.0f));
}

TEST_P(GraphOn, RefusesOtherLaunchesThanItsNodesHave) {
  auto a = host.zeros<f32>({4}), b = host.zeros<f32>({4});
  Graph graph = capture(host, [&] {
    increment(a.partition({2})).sync();
    shifted(b.partition({2}), 2.0f, a.borrow()).sync();
  });
  const std::vector<int> first{0}, none{}, outside{2};
  const auto increments = [&] { increment(a.partition({2})).sync(); };
  EXPECT_THROW((void)graph.update(first, [&] { shifted(b.partition({2}), 2.0f, a.borrow()).sync(); }), usage_error);
  EXPECT_THROW((void)graph.update(first, [] {}), usage_error);
  EXPECT_THROW((void)graph.update(none, increments), usage_error);
  EXPECT_THROW((void)graph.update(outside, increments), usage_error);
  graph.sync();
  EXPECT_EQ(b.to_host(), std::vector<f32>(4, 3.0f));
}

// ---- Profile --------------------------------------------------------------------------------------------------------
TEST_P(GraphOn, AProfileTimesEachKernelApart) {
  auto a = host.zeros<f32>({4}), b = host.zeros<f32>({4});
  Graph graph = capture(host, [&] {
    increment(a.partition({2})).sync();
    shifted(b.partition({2}), 2.0f, a.borrow()).sync();
    increment(a.partition({2})).sync();
  });
  const std::vector<KernelTime> times = graph.profile(3);
  ASSERT_EQ(times.size(), 2u);
  for (const KernelTime& time : times) {
    EXPECT_EQ(time.launches, time.kernel == "shifted" ? 1 : 2) << time.kernel;
    EXPECT_GT(time.microseconds, 0) << time.kernel;
  }
  EXPECT_NE(times[0].kernel, times[1].kernel);
  EXPECT_EQ(a.to_host(), std::vector<f32>(4, 8.0f));  // two launches, once to warm up and three times
  EXPECT_THROW((void)graph.profile(0), usage_error);
  EXPECT_THROW((void)capture(host, [&] { (void)graph.profile(); }), usage_error);
}

}  // namespace
}  // namespace tilewright::test

TILEWRIGHT_END_OWNERS
