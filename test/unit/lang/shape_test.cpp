// SPDX-License-Identifier: Apache-2.0
// Operations that move or rename axes, reductions and scans along one, and the matrix product.
#include "support/captured_text.hpp"

namespace tilewright::test {
namespace {

constexpr Dim M{"M"}, N{"N"}, K{"K"}, H{"H"}, D{"D"}, BK{"BK"}, BG{"BG"};

TEST(Shapes, TransposeAndPermuteMoveAxes) {
  constexpr auto moves =
      kernel<"moves">([](Out<f32, N, M> y, Out<f32, 2, N, M> z, In<f32, dyn, dyn> a, In<f32, dyn, dyn, dyn> c) {
        y.store(transpose(a.load(tile<M, N>, 0, 0)));
        z.store(permute<2, 0, 1>(c.load(tile<N, M, 2>, 0, 0, 0)));
      });
  EXPECT_EQ(records(moves),
            "%0 = constant 0 : index[]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = load %0, %1 parameter 2 : f32[M, N]\n"
            "%3 = permute %2 axes 1, 0 : f32[N, M]\n"
            "store %3 parameter 0\n"
            "%5 = constant 0 : index[]\n"
            "%6 = constant 0 : index[]\n"
            "%7 = constant 0 : index[]\n"
            "%8 = load %5, %6, %7 parameter 3 : f32[N, M, 2]\n"
            "%9 = permute %8 axes 2, 0, 1 : f32[2, N, M]\n"
            "store %9 parameter 1\n");
}

TEST(Shapes, ReshapeKeepsTheElements) {
  constexpr auto reshapes = kernel<"reshapes">([](Out<f32, M, 4, 8> x, Out<i8, N, BG, 32> y, Out<f32, 1> z,
                                                  In<f32, dyn, dyn> a, In<i8, dyn, dyn> c, Scalar<f32> s) {
    x.store(reshape(a.load(tile<M, 32>, 0, 0), tile<M, 4, 8>));
    y.store(reshape(c.load(tile<N, BK>, 0, 0), tile<N, BG, 32>));
    z.store(reshape(s, tile<1>));
  });
  EXPECT_EQ(records(reshapes),
            "%0 = scalar parameter 5 : f32[]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = constant 0 : index[]\n"
            "%3 = load %1, %2 parameter 3 : f32[M, 32]\n"
            "%4 = reshape %3 : f32[M, 4, 8]\n"
            "store %4 parameter 0\n"
            "%6 = constant 0 : index[]\n"
            "%7 = constant 0 : index[]\n"
            "%8 = load %6, %7 parameter 4 : i8[N, BK]\n"
            "%9 = reshape %8 : i8[N, BG, 32]\n"
            "store %9 parameter 1\n"
            "%11 = reshape %0 : f32[1]\n"
            "store %11 parameter 2\n");
}

TEST(Shapes, BroadcastRepeatsAxesOf1) {
  constexpr auto repeats = kernel<"repeats">([](Out<bool, M, N> y, Out<f32, 3> z, In<bool, dyn, 1> a, Scalar<f32> s) {
    y.store(broadcast(a.load(tile<M, 1>, 0, 0), tile<M, N>));
    z.store(broadcast(s, tile<3>));
  });
  EXPECT_EQ(records(repeats),
            "%0 = scalar parameter 3 : f32[]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = constant 0 : index[]\n"
            "%3 = load %1, %2 parameter 2 : bool[M, 1]\n"
            "%4 = broadcast %3 : bool[M, N]\n"
            "store %4 parameter 0\n"
            "%6 = broadcast %0 : f32[3]\n"
            "store %6 parameter 1\n");
}

TEST(Shapes, SameShapeRenamesDims) {
  constexpr auto renames = kernel<"renames">(
      [](Out<f32, M, 64> z, In<f32, dyn, dyn> a) { z.store(same_shape(a.load(tile<N, D>, 0, 0), tile<M, 64>)); });
  EXPECT_EQ(records(renames),
            "%0 = constant 0 : index[]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = load %0, %1 parameter 1 : f32[N, D]\n"
            "%3 = same_shape %2 : f32[M, 64]\n"
            "store %3 parameter 0\n");
}

TEST(Shapes, CatAddsExtentsOrNamesTheirSum) {
  constexpr auto cats = kernel<"cats">([](Out<f32, M, 12> y, Out<f32, D> z, In<f32, dyn, dyn> a, In<f32, dyn> c) {
    y.store(cat<1>(a.load(tile<M, 4>, 0, 0), a.load(tile<M, 8>, 0, 1)));
    z.store(cat<0>(c.load(tile<H>, 0), c.load(tile<H>, 1), tile<D>));
  });
  EXPECT_EQ(records(cats),
            "%0 = constant 0 : index[]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = load %0, %1 parameter 2 : f32[M, 4]\n"
            "%3 = constant 0 : index[]\n"
            "%4 = constant 1 : index[]\n"
            "%5 = load %3, %4 parameter 2 : f32[M, 8]\n"
            "%6 = cat %2, %5 axis 1 : f32[M, 12]\n"
            "store %6 parameter 0\n"
            "%8 = constant 0 : index[]\n"
            "%9 = load %8 parameter 3 : f32[H]\n"
            "%10 = constant 1 : index[]\n"
            "%11 = load %10 parameter 3 : f32[H]\n"
            "%12 = cat %9, %11 axis 0 : f32[D]\n"
            "store %12 parameter 1\n");
}

TEST(Shapes, ExtractTakesAPieceAtAConstantPosition) {
  constexpr auto extracts =
      kernel<"extracts">([](Out<f32, M, 2> y, Out<f32, H> z, In<f32, dyn, dyn> a, In<f32, dyn> c) {
        y.store(extract<0, 3>(a.load(tile<M, 8>, 0, 0), tile<M, 2>));
        z.store(extract<1>(c.load(tile<D>, 0), tile<H>));
      });
  EXPECT_EQ(records(extracts),
            "%0 = constant 0 : index[]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = load %0, %1 parameter 2 : f32[M, 8]\n"
            "%3 = extract %2 at 0 3 0 0 0 0 : f32[M, 2]\n"
            "store %3 parameter 0\n"
            "%5 = constant 0 : index[]\n"
            "%6 = load %5 parameter 3 : f32[D]\n"
            "%7 = extract %6 at 1 0 0 0 0 0 : f32[H]\n"
            "store %7 parameter 1\n");
}

TEST(Shapes, ReductionsKeepTheirAxisWithExtent1) {
  constexpr auto reduces = kernel<"reduces">([](Out<f32, M, 1> a, Out<f32, 1, N> c, Out<f32, M, 1> d, Out<f32, M, 1> e,
                                                Out<index_element, M, 1> f, Out<f32, M, N> g, In<f32, dyn, dyn> x) {
    auto v = x.load(tile<M, N>, 0, 0);
    a.store(reduce_sum<1>(v));
    c.store(reduce_product<0>(v));
    d.store(reduce_max<1>(v));
    e.store(reduce_min<1>(v));
    f.store(argmax<1>(v));
    g.store(scan_max<0, scan_order::reverse>(scan_sum<0>(v)));
  });
  EXPECT_EQ(records(reduces),
            "%0 = constant 0 : index[]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = load %0, %1 parameter 6 : f32[M, N]\n"
            "%3 = reduce_sum %2 axis 1 : f32[M, 1]\n"
            "store %3 parameter 0\n"
            "%5 = reduce_product %2 axis 0 : f32[1, N]\n"
            "store %5 parameter 1\n"
            "%7 = reduce_max %2 axis 1 : f32[M, 1]\n"
            "store %7 parameter 2\n"
            "%9 = reduce_min %2 axis 1 : f32[M, 1]\n"
            "store %9 parameter 3\n"
            "%11 = argmax %2 axis 1 : index[M, 1]\n"
            "store %11 parameter 4\n"
            "%13 = scan_sum %2 axis 0 : f32[M, N]\n"
            "%14 = scan_max %13 axis 0 reverse : f32[M, N]\n"
            "store %14 parameter 5\n");
}

TEST(Shapes, ReductionsTakeIntegersAndAnyAxis) {
  constexpr auto of_integers =
      kernel<"integers">([](Out<i8, 2, 1, 4> a, Out<index_element, 1, 3, 4> c, In<i8, dyn, dyn, dyn> x) {
        auto v = x.load(tile<2, 3, 4>, 0, 0, 0);
        a.store(reduce_max<1>(v));
        c.store(argmax<0>(v));
      });
  EXPECT_EQ(records(of_integers),
            "%0 = constant 0 : index[]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = constant 0 : index[]\n"
            "%3 = load %0, %1, %2 parameter 2 : i8[2, 3, 4]\n"
            "%4 = reduce_max %3 axis 1 : i8[2, 1, 4]\n"
            "store %4 parameter 0\n"
            "%6 = argmax %3 axis 0 : index[1, 3, 4]\n"
            "store %6 parameter 1\n");
}

template <class T, class Accumulator, class U>
constexpr auto product = kernel<"product">([](Block b, Out<Accumulator, M, N> z, In<T, dyn, dyn> x, In<U, dyn, dyn> y) {
  z.store(mma(x.load(tile<M, K>, 0, 0), y.load(tile<K, N>, 0, 0), b.zeros<Accumulator>(tile<M, N>)));
});

// The record of the product; its operands are %2 (M, K), %5 (K, N) and %6 (M, N).
template <class T, class Accumulator, class U = T>
std::string product_record() {
  const std::string text = records(product<T, Accumulator, U>);
  const std::size_t begin = text.find("%7");
  return text.substr(begin, text.find('\n', begin) - begin);
}

TEST(Shapes, MmaAccumulatesInTheWiderElement) {
  EXPECT_EQ((product_record<f16, f32>()), "%7 = mma %2, %5, %6 : f32[M, N]");
  EXPECT_EQ((product_record<bf16, f32>()), "%7 = mma %2, %5, %6 : f32[M, N]");
  EXPECT_EQ((product_record<f32, f32>()), "%7 = mma %2, %5, %6 : f32[M, N]");
  EXPECT_EQ((product_record<f16, f16>()), "%7 = mma %2, %5, %6 : f16[M, N]");
  EXPECT_EQ((product_record<f8e4m3, f32>()), "%7 = mma %2, %5, %6 : f32[M, N]");
  EXPECT_EQ((product_record<f8e5m2, f16>()), "%7 = mma %2, %5, %6 : f16[M, N]");
  EXPECT_EQ((product_record<tf32, f32>()), "%7 = mma %2, %5, %6 : f32[M, N]");
  EXPECT_EQ((product_record<f64, f64>()), "%7 = mma %2, %5, %6 : f64[M, N]");
  EXPECT_EQ((product_record<i8, i32>()), "%7 = mma %2, %5, %6 : i32[M, N]");
  EXPECT_EQ((product_record<u8, i32>()), "%7 = mma %2, %5, %6 : i32[M, N]");
  EXPECT_EQ((product_record<i8, i32, u8>()), "%7 = mma %2, %5, %6 : i32[M, N]");
  EXPECT_EQ((product_record<u8, i32, i8>()), "%7 = mma %2, %5, %6 : i32[M, N]");
}

constexpr auto batch =
    kernel<"batch">([](Block b, Out<f32, 2, M, N> z, In<f16, dyn, dyn, dyn> x, In<f16, dyn, dyn, dyn> y) {
      z.store(mma(x.load(tile<2, M, K>, 0, 0, 0), y.load(tile<2, K, N>, 0, 0, 0), b.zeros<f32>(tile<2, M, N>)));
    });

constexpr auto fast_product =
    kernel<"fast_product">([](Block b, Out<f32, M, N> z, In<f8e4m3, dyn, dyn> x, In<f8e4m3, dyn, dyn> y) {
      z.store(mma(x.load(tile<M, K>, 0, 0), y.load(tile<K, N>, 0, 0), b.zeros<f32>(tile<M, N>), fast_accumulation));
    });

TEST(Shapes, MmaSaysWhereItsSumMayBeFast) {
  EXPECT_NE(records(fast_product).find("%7 = mma %2, %5, %6 fast : f32[M, N]"), std::string::npos)
      << records(fast_product);
}

TEST(Shapes, MmaOfABatchKeepsItsFirstExtent) {
  EXPECT_NE(records(batch).find("= mma %3, %7, %8 : f32[2, M, N]"), std::string::npos) << records(batch);
}

}  // namespace
}  // namespace tilewright::test
