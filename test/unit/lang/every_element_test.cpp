// SPDX-License-Identifier: Apache-2.0
// Operations whose result has another type than their operands, over every element: reductions and scans, conversions,
// and tiles made from nothing.
#include <vector>

#include "support/captured_text.hpp"

namespace tilewright::test {
namespace {

using ast::op;

constexpr Dim M{"M"};

// Calls `visit` with each element type.
template <class Visit>
void for_each_element(const Visit& visit) {
  const auto all = [&]<class... T>() { (visit.template operator()<T>(), ...); };
  all.template operator()<bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, index_element, f8e4m3,
                          f8e5m2, tf32, f8e8m0>();
}

// The record before the store.
template <class Kernel>
std::string last_value(const Kernel& kernel) {
  std::string text = records(kernel);
  text.resize(text.rfind("\nstore"));
  return text.substr(text.rfind('\n') + 1);
}
// The same of a kernel whose value is its first record.
template <class Kernel>
std::string first_value(const Kernel& kernel) {
  const std::string text = records(kernel);
  return text.substr(0, text.find('\n'));
}

template <class T>
std::string name() {
  return info(dtype_of<T>).name;
}

// ---- Along an axis
template <auto Function, class T, class Result, Dim Extent>
constexpr auto along_axis = kernel<"along_axis">([](Out<Result, Extent, 4> z, In<T, dyn, dyn> x) {
  z.store(Function(x.load(tile<M, 4>, 0, 0)));
});

template <op Operation, auto Function>
void expect_along_axis() {
  constexpr ast::op_info row = ast::info(Operation);
  constexpr bool reduces = row.category == ast::op_category::reduce;
  int tried = 0;
  for_each_element([&]<class T>() {
    if constexpr (lang::accepted<Operation, T>) {
      using result = lang::choose<row.result == ast::result_rule::reduced_index, index_element, T>;
      EXPECT_EQ((last_value(along_axis < Function, T, result, reduces ? Dim(1) : M >)),
                std::string("%3 = ") + row.name + " %2 axis 0 : " + name<result>() + (reduces ? "[1, 4]" : "[M, 4]"));
      ++tried;
    }
  });
  EXPECT_EQ(tried, dtype_count - 5) << "all but bool, fp8, tf32 and f8e8m0";
}

TEST(EveryElement, IsReducedAndScanned) {
  expect_along_axis<op::reduce_sum, [](const auto& x) { return reduce_sum<0>(x); }>();
  expect_along_axis<op::reduce_product, [](const auto& x) { return reduce_product<0>(x); }>();
  expect_along_axis<op::reduce_max, [](const auto& x) { return reduce_max<0>(x); }>();
  expect_along_axis<op::reduce_min, [](const auto& x) { return reduce_min<0>(x); }>();
  expect_along_axis<op::argmax, [](const auto& x) { return argmax<0>(x); }>();
  expect_along_axis<op::scan_sum, [](const auto& x) { return scan_sum<0>(x); }>();
  expect_along_axis<op::scan_product, [](const auto& x) { return scan_product<0>(x); }>();
  expect_along_axis<op::scan_max, [](const auto& x) { return scan_max<0>(x); }>();
  expect_along_axis<op::scan_min, [](const auto& x) { return scan_min<0>(x); }>();
}

// ---- Conversions
template <class From, class To>
constexpr auto cast_kernel = kernel<"cast">([](Out<To, M> z, In<From, dyn> x) {
  z.store(cast<To>(x.load(tile<M>, 0)));
});
template <class From, class To>
constexpr auto bitcast_kernel = kernel<"bitcast">([](Out<To, M> z, In<From, dyn> x) {
  z.store(bitcast<To>(x.load(tile<M>, 0)));
});

TEST(EveryElement, IsCastToEveryOtherButFloatsAndBoolToIndex) {
  for_each_element([]<class To>() {
    for_each_element([]<class From>() {
      constexpr bool is_index = lang::same<To, index_element>;
      if constexpr ((!is_index || is_integer(dtype_of<From>)) && ast::is_converted(dtype_of<From>, dtype_of<To>)) {
        EXPECT_EQ((last_value(cast_kernel<From, To>)), "%2 = cast %1 : " + name<To>() + "[M]") << name<From>();
      }
    });
  });
}

constexpr bool is_plain_number(dtype element) {
  return element != dtype::boolean && element != dtype::index && element != dtype::tf32;
}

TEST(EveryElement, ThatIsANumberIsBitcastToThoseOfItsWidth) {
  int tried = 0;
  for_each_element([&]<class To>() {
    for_each_element([&]<class From>() {
      constexpr bool numbers = is_plain_number(dtype_of<To>) && is_plain_number(dtype_of<From>);
      if constexpr (numbers && info(dtype_of<To>).bits == info(dtype_of<From>).bits) {
        EXPECT_EQ((last_value(bitcast_kernel<From, To>)), "%2 = bitcast %1 : " + name<To>() + "[M]") << name<From>();
        ++tried;
      }
    });
  });
  EXPECT_EQ(tried, 5 * 5 + 4 * 4 + 3 * 3 + 3 * 3) << "8, 16, 32 and 64 bits";
}

// ---- From nothing
template <class T>
constexpr auto zeros_kernel = kernel<"zeros">([](Block b, Out<T, M> z) { z.store(b.zeros<T>(tile<M>)); });
template <class T>
constexpr auto iota_kernel = kernel<"iota">([](Block b, Out<T, M> z) { z.store(b.iota<T>(tile<M>)); });
template <class T>
constexpr auto filled_kernel = kernel<"filled">([](Block b, Out<T, M> z, Scalar<T> value) {
  z.store(b.full<T>(tile<M>, value));
});

TEST(EveryElement, IsMadeFromNothing) {
  for_each_element([]<class T>() {
    if constexpr (dtype_of<T> != dtype::f8e8m0) {  // which has none
      EXPECT_EQ(first_value(zeros_kernel<T>), "%0 = constant 0 : " + name<T>() + "[M]");
    }
    EXPECT_EQ(first_value(filled_kernel<T>), "%0 = scalar parameter 1 : " + name<T>() + "[]");
    EXPECT_EQ(last_value(filled_kernel<T>), "%1 = broadcast %0 : " + name<T>() + "[M]");
    if constexpr (lang::accepted<op::iota, T>) {
      EXPECT_EQ(first_value(iota_kernel<T>), "%0 = iota axis 0 : " + name<T>() + "[M]");
    }
  });
}

// ---- Chosen
template <class T>
constexpr auto select_kernel = kernel<"select">([](Out<T, M> z, In<T, dyn> x, In<bool, dyn> c) {
  z.store(select(c.load(tile<M>, 0), x.load(tile<M>, 0), T{}));
});

TEST(EveryElement, IsSelected) {
  for_each_element([]<class T>() {
    if constexpr (Literal<T>) {
      EXPECT_EQ(last_value(select_kernel<T>), "%5 = select %1, %3, %4 : " + name<T>() + "[M]");
    }
  });
}

}  // namespace
}  // namespace tilewright::test
