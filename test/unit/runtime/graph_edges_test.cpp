// SPDX-License-Identifier: Apache-2.0
// The order between launches of a graph: all that their memory needs, and nothing twice.
#include "runtime/graph_edges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

using detail::graph_edges;

const Device host = interp_device();

template <class F>
graph_edges edges_of(F callable) {
  return detail::edges_of(detail::record(host, "a test", callable).recorder().nodes());
}
Tensor<f32> made() { return host.empty<f32>({4}); }
void read(Tensor<f32>& to, const Tensor<f32>& from) { add_one(to.partition({4}), from.borrow()).sync(); }

TEST(GraphEdges, LaunchesThatShareNothingHaveNone) {
  auto a = made(), b = made();
  EXPECT_EQ(edges_of([&] {
              increment(a.partition({4})).sync();
              increment(b.partition({4})).sync();
            }),
            (graph_edges{{}, {}}));
}

TEST(GraphEdges, ReadersOfOneTensorHaveNoneBetweenThem) {
  auto a = made(), b = made(), c = made();
  EXPECT_EQ(edges_of([&] {
              increment(a.partition({4})).sync();
              read(b, a);
              read(c, a);
            }),
            (graph_edges{{}, {0}, {0}}));
}

TEST(GraphEdges, WriterComesAfterAllReaders) {
  auto a = made(), b = made(), c = made();
  EXPECT_EQ(edges_of([&] {
              increment(a.partition({4})).sync();
              read(b, a);
              read(c, a);
              increment(a.partition({4})).sync();
            }),
            (graph_edges{{}, {0}, {0}, {2, 1}}));
}

TEST(GraphEdges, ChainHasOneEach) {
  auto a = made(), b = made();
  EXPECT_EQ(edges_of([&] {
              for (int i = 0; i < 3; ++i) {
                read(b, a);
                read(a, b);
              }
            }),
            (graph_edges{{}, {0}, {1}, {2}, {3}, {4}}));
}

TEST(GraphEdges, PartsOfOneTensorAreOneTensor) {
  auto a = made();
  EXPECT_EQ(edges_of([&] {
              increment(a.slice(0, 0, 2).partition({2})).sync();
              increment(a.slice(0, 2, 4).partition({2})).sync();
            }),
            (graph_edges{{}, {0}}));
}

TEST(GraphEdges, LaunchesWithoutBlocksAreLeftOut) {
  auto a = made(), b = made(), none = host.empty<f32>({0});
  EXPECT_EQ(edges_of([&] {
              increment(a.partition({4})).sync();
              add_one(none.partition({4}), a.borrow()).sync();
              increment(a.partition({4})).sync();
            }),
            (graph_edges{{}, {}, {0}}));
}

// Against the definition: two launches are ordered, by a path, if and only if they are ordered by conflicts.
TEST(GraphEdges, OfRandomProgramsOrderAllConflictsAndNothingElse) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<Tensor<f32>> tensors;
    for (int i = 0; i < 6; ++i) tensors.push_back(made());
    constexpr int launches = 70;  // more than one word of bits
    std::vector<std::pair<std::size_t, std::size_t>> touched;
    const graph_edges edges = edges_of([&] {
      for (int i = 0; i < launches; ++i) {
        const std::size_t to = random() % 6, from = (to + 1 + random() % 5) % 6;
        touched.emplace_back(to, from);
        read(tensors[to], tensors[from]);
      }
    });
    std::vector<std::vector<bool>> needed(launches, std::vector<bool>(launches)), got = needed;
    for (std::size_t i = 0; i < launches; ++i) {
      const auto reach = [&](std::vector<std::vector<bool>>& table, std::size_t earlier) {
        table[i][earlier] = true;
        for (std::size_t k = 0; k < earlier; ++k) table[i][k] = table[i][k] || table[earlier][k];
      };
      for (std::size_t j = 0; j < i; ++j) {
        const auto [to, from] = touched[i];
        if (to == touched[j].first || to == touched[j].second || from == touched[j].first) reach(needed, j);
      }
      for (const int earlier : edges[i]) {
        EXPECT_FALSE(got[i][static_cast<std::size_t>(earlier)]) << "said by another edge";
        reach(got, static_cast<std::size_t>(earlier));
      }
      ASSERT_EQ(needed[i], got[i]) << "launch " << i << " of round " << round;
    }
  }
}

}  // namespace
}  // namespace tilewright::test
