// SPDX-License-Identifier: Apache-2.0
// What a launch accepts and refuses, on each back end: tensors of rank 0, shapes that do not fit, outputs and inputs in
// one buffer (KER-09), launches of nothing (KER-07).
#include "numeric/kernels/kernel_test.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/kernels/argmax.hpp"
#include "tilewright/kernels/attention.hpp"
#include "tilewright/kernels/elementwise.hpp"
#include "tilewright/kernels/embedding.hpp"
#include "tilewright/kernels/gemm.hpp"
#include "tilewright/kernels/normalization.hpp"
#include "tilewright/kernels/quantized_product.hpp"
#include "tilewright/kernels/rotary.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto twice = kernel<"twice">([](Out<f32> z, In<f32> x) { z.store(load_like(x, z) * 2.0f); });
inline constexpr auto grow = kernel<"grow">([](InOut<i32> z) { z.store(z.load() + 1); });
inline constexpr auto add_into =
    kernel<"add_into">([](InOut<f32, BM, BN> z, In<f32, dyn, dyn> x) { z.store(z.load() + load_like(x, z)); });
inline constexpr auto next = kernel<"next">([](Out<f32, BN> z, In<f32, dyn> x) { z.store(load_like(x, z) + 1.0f); });

class LaunchRules : public KernelTest {
 protected:
  static Tensor<f32> counting(Shape shape) { return device().iota<f32>(shape); }
};
TILEWRIGHT_ON_EACH_BACK_END(LaunchRules);

TEST_P(LaunchRules, ATensorOfRankZeroIsOneElement) {
  EXPECT_EQ(output(twice(poisoned<f32>({}).partition({}), device().full<f32>({}, 7.0f).share())),
            std::vector<f32>{14.0f});
  auto count = device().full<i32>({}, 41);
  grow(count.partition({})).sync();
  EXPECT_EQ(count.to_host(), std::vector<i32>{42});
}

// ---- What a kernel requires -----------------------------------------------------------------------------------------
// Tile `first` of x, whose rows are whole vectors of 8, and longer than 4.
inline constexpr auto from_first = kernel<"from_first">([](Out<f32, BN> z, In<f32, dyn> x, Scalar<i32> first) {
  requires_(x.extent(0) % 8 == 0);
  requires_(x.extent(0) > 4);
  requires_((first >= 0) & (to_index(first) < x.partition(tile<BN>).tiles(0)));
  z.store(x.partition(tile<BN>).load(to_index(first)));
});

TEST_P(LaunchRules, WhatAKernelRequiresIsAskedOfEachLaunch) {
  const auto run = [](index_t size, i32 first) {
    return output(from_first(poisoned<f32>({4}).partition({4}), counting({size}).share(), first));
  };
  EXPECT_EQ(run(16, 3), (std::vector<f32>{12, 13, 14, 15}));
  EXPECT_EQ(run(8, 0), (std::vector<f32>{0, 1, 2, 3}));
  for (const auto& [size, first, expected, got] : {std::tuple{index_t{15}, 0, "at most 0", "7, "},
                                                   {16, 4, "at most 3", "4, "},
                                                   {16, -1, "at least 0", "-1, "},
                                                   {0, 0, "at least 5", "0, "}}) {
    SCOPED_TRACE(std::to_string(size) + " from " + std::to_string(first));
    try {
      (void)run(size, first);
      ADD_FAILURE() << "accepted";
    } catch (const usage_error& e) {
      EXPECT_NE(e.parts().what.find("a requirement holds"), std::string::npos) << e.what();
      EXPECT_NE(e.parts().where.find("launch_rules_test.cpp"), std::string::npos) << e.what();
      EXPECT_EQ(e.parts().expected, expected) << e.what();
      EXPECT_EQ(e.parts().got.rfind(got, 0), 0u) << e.what();
    }
  }
}

// ---- What a kernel asserts ------------------------------------------------------------------------------------------
inline constexpr auto checked_root = kernel<"checked_root">([](Out<f32, 2, BN> z, In<f32, dyn, dyn> x) {
  auto tile = load_like(x, z);
  assert_(tile >= 0);
  z.store(sqrt(tile));
});
constexpr auto line_of_assertion = __LINE__ - 3;
inline constexpr auto explained_root = kernel<"checked_root">([](Out<f32, 2, BN> z, In<f32, dyn, dyn> x) {
  auto tile = load_like(x, z);
  assert_(tile >= 0, "a root is real");
  z.store(sqrt(tile));
});

TEST_P(LaunchRules, WhatAKernelAssertsFailsThatLaunchAlone) {
  const auto run = [](const std::vector<f32>& x) {
    return output(checked_root(poisoned<f32>({2, 3}).partition({2, 3}), device().from_host(x, {2, 3}).share()));
  };
  try {
    (void)run({4, 9, 16, 0, NAN, -1});
    ADD_FAILURE() << "accepted";
  } catch (const device_fault& e) {
    EXPECT_EQ(e.parts().what, "an assertion failed in a kernel");
    EXPECT_EQ(e.parts().where, "kernel 'checked_root' at launch_rules_test.cpp:" + std::to_string(line_of_assertion));
    EXPECT_EQ(e.parts().got, "false at element (1, 1)");
  }
  EXPECT_EQ(run({4, 9, 16, 0, 25, 1}), (std::vector<f32>{2, 3, 4, 0, 5, 1}));
}

TEST_P(LaunchRules, AnAssertionSaysWhatItsAuthorWrote) {
  try {
    const std::vector<f32> x = {4, 9, 16, 0, -1, 1};
    (void)explained_root(poisoned<f32>({2, 3}).partition({2, 3}), device().from_host(x, {2, 3}).share()).sync();
    ADD_FAILURE() << "accepted";
  } catch (const device_fault& e) {
    EXPECT_EQ(e.parts().what, "an assertion failed in a kernel: a root is real");
    EXPECT_EQ(e.parts().got, "false at element (1, 1)");
  }
}

// ---- Shapes that do not fit ----------------------------------------------------------------------------------------
class WrongShapes : public KernelTest {
 protected:
  static Tensor<f32> out(Shape shape) { return poisoned<f32>(shape); }
  static Shared<f32> in(Shape shape) { return device().zeros<f32>(shape).share(); }

  template <class Launch>
  static void expect_refused(const char* header, Launch launch) {
    try {
      launch();
      ADD_FAILURE() << "accepted";
    } catch (const usage_error& e) {
      EXPECT_NE(std::string(e.what()).find("a pair of extents is equal"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find(header), std::string::npos) << e.what();
    }
  }
};
TILEWRIGHT_ON_EACH_BACK_END(WrongShapes);

TEST_P(WrongShapes, OfElementwiseOperandsAreRefused) {
  const auto launch = [](Shape x, Shape y) {
    kernels::add<f32, BM, BN>()(out({4, 5}).partition({4, 8}), in(x), in(y)).sync();
  };
  launch({4, 5}, {4, 5});
  for (const Shape& other : {Shape{4, 6}, Shape{4, 4}, Shape{3, 5}, Shape{5, 4}, Shape{400, 5}}) {
    SCOPED_TRACE(to_text(other));
    expect_refused("elementwise.hpp", [&] { launch(other, {4, 5}); });
    expect_refused("elementwise.hpp", [&] { launch({4, 5}, other); });
  }
}

TEST_P(WrongShapes, OfAProductAreRefused) {
  const auto launch = [](Shape x, Shape y) {
    kernels::gemm<f32>()(out({4, 5}).partition({4, 8}), in(x), in(y)).sync();
  };
  launch({4, 7}, {7, 5});
  expect_refused("gemm.hpp", [&] { launch({4, 7}, {8, 5}); });
  expect_refused("gemm.hpp", [&] { launch({4, 8}, {7, 5}); });
  expect_refused("gemm.hpp", [&] { launch({3, 7}, {7, 5}); });
  expect_refused("gemm.hpp", [&] { launch({4, 7}, {7, 6}); });
  expect_refused("gemm.hpp", [&] { kernels::gemv<f32>()(out({4}).partition({4}), in({4, 7}), in({8})).sync(); });
}

TEST_P(WrongShapes, OfRowsAreRefused) {
  const auto softmax = [](Shape x, index_t tile) {
    kernels::softmax<f32>()(out({4, 8}).partition({4, tile}), in(x)).sync();
  };
  softmax({4, 8}, 8);
  expect_refused("normalization.hpp", [&] { softmax({4, 8}, 4); });  // a block must hold whole rows
  expect_refused("normalization.hpp", [&] { softmax({4, 9}, 16); });
  expect_refused("normalization.hpp", [&] {
    kernels::rms_norm<f32>()(out({4, 8}).partition({4, 8}), in({4, 8}), in({7}), 1e-5f).sync();
  });
  expect_refused("normalization.hpp", [&] {
    kernels::layer_norm<f32>()(out({4, 8}).partition({4, 8}), in({4, 8}), in({8}), in({9}), 1e-5f).sync();
  });
  expect_refused("argmax.hpp", [&] {
    kernels::argmax_row<f32>()(poisoned<i64>({4}).partition({4}), in({3, 8})).sync();
  });
  expect_refused("embedding.hpp", [&] {
    kernels::embedding<f32>()(out({2, 8}).partition({1, 8}), in({9, 7}), device().zeros<i32>({2}).share()).sync();
  });
}

TEST_P(WrongShapes, OfAttentionAreRefused) {
  const auto launch = [](Shape k, Shape v) {
    kernels::attention<f32>()
        .with(kernels::HEADS = 2)(out({3, 8}).partition({4, 4}), in({3, 8}), in(k), in(v), 1.0f, 0)
        .sync();
  };
  launch({6, 4}, {6, 4});
  expect_refused("attention.hpp", [&] { launch({6, 4}, {5, 4}); });
  expect_refused("attention.hpp", [&] { launch({6, 8}, {6, 8}); });
}

TEST_P(WrongShapes, OfQuantisedProductsAreRefused) {
  const auto planes = [](index_t rows) { return device().zeros<u8>({rows, 1, 32}).share(); };
  const auto headers = [](index_t rows) { return in({rows, 2, 1}); };
  const auto row = [&](Shape z, Shape x, index_t quants, index_t scales) {
    kernels::q4_row(out(z).partition({1, 4}), in(x), planes(quants), headers(scales), headers(quants)).sync();
  };
  row({2, 5}, {2, 2, 1, 32}, 5, 5);
  const char* file = "quantized_product.hpp";
  expect_refused(file, [&] { row({2, 5}, {3, 2, 1, 32}, 5, 5); });  // rows of x
  EXPECT_THROW(row({2, 5}, {2, 2, 2, 32}, 5, 5), usage_error);      // depth
  expect_refused(file, [&] { row({2, 5}, {2, 2, 1, 32}, 6, 6); });  // rows of the weights
  expect_refused(file, [&] { row({2, 5}, {2, 2, 1, 32}, 5, 6); });  // planes that differ
  const auto tile = [&](Shape residual, Shape x, index_t rows) {
    kernels::q8_tile_add
        .with(kernels::BG = 1, kernels::BK = 32)(out({2, 5}).partition({2, 4}), in(residual), in(x),
                                                 device().zeros<i8>({rows, 1, 32}).share(), in({rows, 1}))
        .sync();
  };
  tile({2, 5}, {2, 32}, 5);
  expect_refused(file, [&] { tile({2, 6}, {2, 32}, 5); });
  expect_refused(file, [&] { tile({2, 5}, {1, 32}, 5); });
  expect_refused(file, [&] { tile({2, 5}, {2, 32}, 4); });
}

TEST_P(WrongShapes, OfQueriesKeysAndValuesAreRefused) {
  const auto launch = [](index_t rows, index_t query_heads, index_t heads, index_t value_rows) {
    kernels::rotary_qkv<f32>()
        .with(kernels::HEADS = 2)(
            out({rows, query_heads, 2, 2}).partition({1, 2, 2, 2}), out({rows, 1, 2, 2}).partition({1, 1, 2, 2}),
            out({value_rows, 1, 2, 2}).partition({1, 1, 2, 2}), in({2, heads, 2, 2}), in({9, 2}), in({9, 2}), 0)
        .sync();
  };
  launch(2, 2, 4, 2);
  expect_refused("rotary.hpp", [&] { launch(1, 2, 4, 1); });
  expect_refused("rotary.hpp", [&] { launch(2, 1, 4, 2); });
  expect_refused("rotary.hpp", [&] { launch(2, 2, 5, 2); });
}

// ---- Outputs and inputs in one buffer ------------------------------------------------------------------------------
// KER-09: an owned tensor has no transposed view, so an alias can only be a slice of it.
TEST_P(LaunchRules, RefusesAnInOutThatIsAlsoRead) {
  auto x = counting({2, 2});
  EXPECT_THROW(add_into(x.partition({2, 2}), x.slice(0, 0, 2).borrow()).sync(), usage_error);
  EXPECT_EQ(x.to_host(), (std::vector<f32>{0, 1, 2, 3})) << "nothing ran";
}

// KER-09
TEST_P(LaunchRules, AddsATransposedViewOfAnotherBuffer) {
  const auto x = counting({2, 2}).share();
  auto z = counting({2, 2});
  add_into(z.partition({2, 2}), x.transpose()).sync();
  EXPECT_EQ(z.to_host(), (std::vector<f32>{0, 3, 3, 6}));
}

// KER-09
TEST_P(LaunchRules, AddsATransposedViewTheSameEveryTime) {
  const index_t size = is_interp() ? 64 : 512;
  const auto values = random_matrix<f32>(size, size);
  const auto x = upload(values);
  std::vector<f32> expected = values.values;
  for (index_t i = 0; i < size * size; ++i) {
    expected[static_cast<std::size_t>(i)] += values.at(i % size, i / size);
  }
  for (int run = 0; run < (is_interp() ? 2 : 100); ++run) {
    auto z = device().from_host(values.values, {size, size});
    add_into(z.partition({48, 64}), x.transpose()).sync();
    ASSERT_EQ(z.to_host(), expected) << "run " << run;
  }
}

// KER-09
TEST_P(LaunchRules, ReadsOneElementForAllThroughAStrideOfZero) {
  const auto x = device().full<f32>({1}, 3.0f).share().strided({10}, {0}, 0);
  if (is_gpu()) {  // which takes no such view
    EXPECT_THROW((kernels::add<f32, BN>()(poisoned<f32>({10}).partition({4}), x, x).discard()), usage_error);
    return;
  }
  EXPECT_EQ(output(kernels::add<f32, BN>()(poisoned<f32>({10}).partition({4}), x, x)), std::vector<f32>(10, 6.0f));
}

// KER-09
TEST_P(LaunchRules, RefusesOverlappingPartsAndTakesPartsSideBySide) {
  auto z = counting({16});
  EXPECT_THROW(next(z.slice(0, 0, 8).partition({4}), z.slice(0, 4, 12).borrow()).sync(), usage_error);
  next(z.slice(0, 0, 8).partition({4}), z.slice(0, 8, 16).borrow()).sync();
  EXPECT_EQ(z.to_host(), (std::vector<f32>{9, 10, 11, 12, 13, 14, 15, 16, 8, 9, 10, 11, 12, 13, 14, 15}));
}

// KER-07
TEST_P(LaunchRules, WhatFollowsALaunchOfNothingStillRuns) {
  auto chain = kernels::gemm<f32>()(poisoned<f32>({0, 4}).partition({4, 4}), upload(matrix<f32>(0, 5)),
                                    upload(matrix<f32>(5, 4)))
                   .then([](std::tuple<Tensor<f32>, Shared<f32>, Shared<f32>> given) {
                     EXPECT_EQ(std::get<0>(given).shape(), (Shape{0, 4}));
                     return next(poisoned<f32>({3}).partition({2}), device().full<f32>({3}, 1.0f).share());
                   });
  EXPECT_EQ(output(std::move(chain)), std::vector<f32>(3, 2.0f));
}

}  // namespace
}  // namespace tilewright::test
