// SPDX-License-Identifier: Apache-2.0
// Each element-wise row of the op table: how it is written, for every element that the row accepts, and what that
// records. A row without a way to be written fails here.
#include <map>

#include "support/captured_text.hpp"

namespace tilewright::test {
namespace {

using ast::op;

constexpr Dim B{"B"};

template <auto Function, class T>
constexpr auto unary_kernel = kernel<"unary">([](Out<T, B> z, In<T, dyn> x) { z.store(Function(load_like(x, z))); });

template <auto Function, class T, class Result>
constexpr auto binary_kernel = kernel<"binary">([](Out<Result, B> z, In<T, dyn> x, In<T, dyn> y) {
  z.store(Function(load_like(x, z), load_like(y, z)));
});

template <auto Function, class T>
constexpr auto ternary_kernel = kernel<"ternary">([](Out<T, B> z, In<T, dyn> x, In<T, dyn> y, In<T, dyn> w) {
  z.store(Function(load_like(x, z), load_like(y, z), load_like(w, z)));
});

// The record of the op itself: after the loads, before the store.
struct captured {
  dtype element;
  std::string record;
};
using captures = std::map<op, std::vector<captured>>;

template <class T, int Operands, class Kernel>
captured capture(const Kernel& kernel) {
  std::string text = records(kernel);
  for (int line = 0; line < 2 * Operands; ++line) text.erase(0, text.find('\n') + 1);
  return {dtype_of<T>, text.substr(0, text.find('\n'))};
}

template <class... T>
struct elements {};
using all_elements = elements<bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, index_element>;

// One op with each element that its row accepts.
template <op Operation, auto Function, class... T>
void add_with(captures& all, elements<T...>) {
  const auto one = [&]<class Element>() {
    if constexpr (lang::accepted<Operation, Element>) {
      constexpr ast::op_info row = ast::info(Operation);
      if constexpr (row.operands == 1) {
        all[Operation].push_back(capture<Element, 1>(unary_kernel<Function, Element>));
      } else if constexpr (row.operands == 2) {
        using result = lang::result_element<Operation, Element>;
        all[Operation].push_back(capture<Element, 2>(binary_kernel<Function, Element, result>));
      } else {
        all[Operation].push_back(capture<Element, 3>(ternary_kernel<Function, Element>));
      }
    }
  };
  (one.template operator()<T>(), ...);
}
template <op Operation, auto Function>
void add(captures& all) {
  add_with<Operation, Function>(all, all_elements{});
}

void add_unary(captures& all) {
  add<op::negate, [](const auto& a) { return -a; }>(all);
  add<op::absolute, [](const auto& a) { return abs(a); }>(all);
  add<op::bit_not, [](const auto& a) { return ~a; }>(all);
  add<op::exp, [](const auto& a) { return exp(a); }>(all);
  add<op::exp2, [](const auto& a) { return exp2(a); }>(all);
  add<op::log, [](const auto& a) { return log(a); }>(all);
  add<op::log2, [](const auto& a) { return log2(a); }>(all);
  add<op::sqrt, [](const auto& a) { return sqrt(a); }>(all);
  add<op::rsqrt, [](const auto& a) { return rsqrt(a); }>(all);
  add<op::tanh, [](const auto& a) { return tanh(a); }>(all);
  add<op::sin, [](const auto& a) { return sin(a); }>(all);
  add<op::cos, [](const auto& a) { return cos(a); }>(all);
  add<op::tan, [](const auto& a) { return tan(a); }>(all);
  add<op::sinh, [](const auto& a) { return sinh(a); }>(all);
  add<op::cosh, [](const auto& a) { return cosh(a); }>(all);
  add<op::floor, [](const auto& a) { return floor(a); }>(all);
  add<op::ceil, [](const auto& a) { return ceil(a); }>(all);
}

void add_binary(captures& all) {
  add<op::add, [](const auto& a, const auto& b) { return a + b; }>(all);
  add<op::subtract, [](const auto& a, const auto& b) { return a - b; }>(all);
  add<op::multiply, [](const auto& a, const auto& b) { return a * b; }>(all);
  add<op::divide, [](const auto& a, const auto& b) { return a / b; }>(all);
  add<op::remainder, [](const auto& a, const auto& b) { return a % b; }>(all);
  add<op::floor_div, [](const auto& a, const auto& b) { return floor_div(a, b); }>(all);
  add<op::floor_mod, [](const auto& a, const auto& b) { return floor_mod(a, b); }>(all);
  add<op::minimum, [](const auto& a, const auto& b) { return min(a, b); }>(all);
  add<op::maximum, [](const auto& a, const auto& b) { return max(a, b); }>(all);
  add<op::pow, [](const auto& a, const auto& b) { return pow(a, b); }>(all);
  add<op::atan2, [](const auto& a, const auto& b) { return atan2(a, b); }>(all);
  add<op::multiply_high, [](const auto& a, const auto& b) { return multiply_high(a, b); }>(all);
  add<op::bit_and, [](const auto& a, const auto& b) { return a & b; }>(all);
  add<op::bit_or, [](const auto& a, const auto& b) { return a | b; }>(all);
  add<op::bit_xor, [](const auto& a, const auto& b) { return a ^ b; }>(all);
  add<op::shift_left, [](const auto& a, const auto& b) { return a << b; }>(all);
  add<op::shift_right, [](const auto& a, const auto& b) { return (a >> b); }>(all);
}

void add_comparisons(captures& all) {
  add<op::less, [](const auto& a, const auto& b) { return a < b; }>(all);
  add<op::less_equal, [](const auto& a, const auto& b) { return a <= b; }>(all);
  add<op::greater, [](const auto& a, const auto& b) { return (a > b); }>(all);
  add<op::greater_equal, [](const auto& a, const auto& b) { return (a >= b); }>(all);
  add<op::equal, [](const auto& a, const auto& b) { return a == b; }>(all);
  add<op::not_equal, [](const auto& a, const auto& b) { return a != b; }>(all);
}

captures capture_all() {
  captures all;
  add_unary(all);
  add_binary(all);
  add_comparisons(all);
  add<op::fma, [](const auto& a, const auto& b, const auto& c) { return fma(a, b, c); }>(all);
  return all;
}

bool is_elementwise(op which) {
  using enum ast::op_category;
  const ast::op_category category = ast::info(which).category;
  return category == unary || category == binary || category == comparison || which == op::fma;
}

class EveryOp : public testing::TestWithParam<op> {};

TEST_P(EveryOp, IsWrittenForEachElementOfItsRowAndRecordsItself) {
  static const captures all = capture_all();
  const ast::op_info& row = ast::info(GetParam());
  ASSERT_TRUE(all.contains(GetParam())) << "no test writes it";
  constexpr const char* operands[] = {"", "%1", "%1, %3", "%1, %3, %5"};
  for (const captured& one : all.at(GetParam())) {
    const dtype result = row.result == ast::result_rule::boolean ? dtype::boolean : one.element;
    EXPECT_EQ(one.record, "%" + std::to_string(2 * row.operands) + " = " + row.name + " " + operands[row.operands] +
                              " : " + info(result).name + "[B]");
  }
}

std::vector<op> elementwise_ops() {
  std::vector<op> found;
  for (int i = 0; i < ast::op_count; ++i) {
    if (is_elementwise(static_cast<op>(i))) found.push_back(static_cast<op>(i));
  }
  return found;
}
INSTANTIATE_TEST_SUITE_P(Row, EveryOp, testing::ValuesIn(elementwise_ops()),
                         [](const auto& row) { return std::string(ast::info(row.param).name); });

}  // namespace
}  // namespace tilewright::test
