// SPDX-License-Identifier: Apache-2.0
// Tables, on every back end: each element is the literal that was written, wherever the table is read, and a gather
// through one needs no check.
#include <bit>

#include "numeric/back_end_test.hpp"
#include "numeric/expect_close.hpp"
#include "numeric/lang_run.hpp"
#include "numeric/special_values.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using shape = std::vector<std::int32_t>;
using words = std::vector<std::int64_t>;

index_t size_of(const shape& extents) { return type_of(dtype::i8, extents).elements(); }
std::vector<index_t> extents_of(const shape& extents) { return {extents.begin(), extents.end()}; }

// As a program's table holds the element.
std::int64_t word_of(dtype element, std::uint64_t bits) {
  return is_floating(element) ? std::bit_cast<std::int64_t>(static_cast<double>(decode_float(element, bits)))
                              : static_cast<std::int64_t>(decode_integer(element, bits));
}

// So many special values from the n-th on; in `expected`, too.
words special_words(dtype element, index_t first, host_array& expected) {
  const std::vector<std::uint64_t> all = special_values(element);
  words made;
  for (index_t i = 0; i < expected.size(); ++i) {
    const std::uint64_t bits = all[static_cast<std::size_t>(first + i) % all.size()];
    expected.set_bits(i, bits);
    made.push_back(word_of(element, bits));
  }
  return made;
}

class Tables : public BackEndTest {
 protected:
  static void expect_same(const host_array& got, const host_array& expected) {
    for (index_t i = 0; i < got.size(); ++i) {
      ASSERT_TRUE(is_same(got.element(), got.bits(i), expected.bits(i))) << "element " << i;
    }
  }
};

// Many tables in each kernel: a GPU's takes longer to assemble than to run.
TEST_P(Tables, HoldEachSpecialValueOfEachElement) {
  constexpr std::size_t most_tables = 16;
  for (int number = 0; number < dtype_count; ++number) {
    const auto element = static_cast<dtype>(number);
    SCOPED_TRACE(info(element).name);
    for (const shape& extents : {shape{1}, shape{3}, shape{8}, shape{16}, shape{100}, shape{3, 5}, shape{2, 1, 7}}) {
      const auto count = static_cast<index_t>(special_values(element).size());
      for (index_t first = 0; first < count;) {
        program_builder p(static_cast<int>(extents.size()));
        std::vector<host_array> got, expected;
        for (; first < count && got.size() < most_tables; first += size_of(extents)) {
          got.emplace_back(element, extents_of(extents));
          const words made = special_words(element, first, expected.emplace_back(element, extents_of(extents)));
          p.store(p.out(element, extents), p.value(op::table, type_of(element, extents), {}, made));
        }
        std::vector<compiler::argument> arguments;
        for (const host_array& each : got) arguments.push_back(each.argument());
        run_here(p.result(), arguments, std::vector<index_t>(extents.size(), 1));
        for (std::size_t i = 0; i < got.size(); ++i) expect_same(got[i], expected[i]);
      }
    }
  }
}

// What reads a table finds what it finds in a tensor of the same elements.
TEST_P(Tables, AreReadLikeATensor) {
  using reader = std::function<value_id(program_builder&, dtype, value_id)>;
  const std::pair<shape, reader> readers[] = {
      {{5, 3},
       [](auto& p, dtype e, value_id x) {
         return p.value(op::permute, type_of(e, {5, 3}), {x}, {1});
       }},
      {{5, 3},
       [](auto& p, dtype e, value_id x) {
         return p.value(op::reshape, type_of(e, {5, 3}), {x});
       }},
      {{15}, [](auto& p, dtype e, value_id x) { return p.value(op::reshape, type_of(e, {15}), {x}); }},
      {{1, 5},
       [](auto& p, dtype e, value_id x) {
         return p.value(op::extract, type_of(e, {1, 5}), {x}, {2, 0, 0, 0, 0, 0});
       }},
      {{1, 5},
       [](auto& p, dtype e, value_id x) {
         return p.value(op::reduce_max, type_of(e, {1, 5}), {x}, {0});
       }},
      {{6, 5},
       [](auto& p, dtype e, value_id x) {
         return p.value(op::cat, type_of(e, {6, 5}), {x, x}, {0});
       }},
      {{3, 5}, [](auto& p, dtype e, value_id x) {
         const value_id column = p.value(op::extract, type_of(e, {3, 1}), {x}, {0, 4, 0, 0, 0, 0});
         return p.value(op::maximum, type_of(e, {3, 5}), {x, column});
       }}};
  for (const dtype element : {dtype::i8, dtype::f16, dtype::u32, dtype::f32, dtype::f64}) {
    for (const auto& [to, read] : readers) {
      SCOPED_TRACE(std::string(info(element).name) + testing::PrintToString(to));
      host_array elements(element, {3, 5});
      const words table = special_words(element, 2, elements);
      program_builder p(2);
      const value_type type = type_of(element, {3, 5});
      const int x = p.in(element, 2);
      p.store(p.out(element, to), read(p, element, p.value(op::table, type, {}, table)));
      p.store(p.out(element, to), read(p, element, p.load(x, type, {p.index(0), p.index(0)})));
      const host_array got(element, extents_of(to)), expected(element, extents_of(to));
      run_here(p.result(), {elements.argument(), got.argument(), expected.argument()},
               std::vector<index_t>(to.size(), 1));
      expect_same(got, expected);
    }
  }
}

// ---- As kernels state them
constexpr float weights[] = {0.25F, -0.0F, inf, 0.1F};

constexpr auto stencil = kernel<"stencil">([](Block b, Out<f32, 4> z, Out<f64, 2, 3> y, Out<i32, 1> x, Out<bool, 5> w) {
  z.store(b.table<f32>(weights));
  y.store(b.table<f64>(tile<2, 3>, {0.1, 1e300, -0.0, __builtin_nan(""), -__builtin_inf(), 5e-324}));
  x.store(b.table<i32>({-2147483647 - 1}));
  w.store(b.table<bool>({true, false, false, true, true}));
});

TEST_P(Tables, AreWrittenInKernels) {
  const host_array z(dtype::f32, {4}), y(dtype::f64, {2, 3}), x(dtype::i32, {1}), w(dtype::boolean, {5});
  std::vector<compiler::argument> arguments{z.argument(), y.argument(), x.argument(), w.argument()};
  for (compiler::argument& each : arguments) std::copy_n(each.extents.begin(), max_rank, each.piece.begin());
  run_module(stencil.module(), GetParam(), arguments);
  for (index_t i = 0; i < 4; ++i) EXPECT_EQ(z.bits(i), encode(dtype::f32, static_cast<double>(weights[i])));
  const double expected[] = {0.1, 1e300, -0.0, std::nan(""), -HUGE_VAL, 5e-324};
  for (index_t i = 0; i < 6; ++i) EXPECT_TRUE(is_same(dtype::f64, y.bits(i), encode(dtype::f64, expected[i])));
  EXPECT_EQ(x.get<i64>(0), INT32_MIN);
  EXPECT_EQ(w.values<int>(), (std::vector<int>{1, 0, 0, 1, 1}));
}

TILEWRIGHT_ON_EVERY_BACK_END(Tables);

}  // namespace
}  // namespace tilewright::test
