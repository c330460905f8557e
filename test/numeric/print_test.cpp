// SPDX-License-Identifier: Apache-2.0
// Lines that kernels print, on each back end of the host: the same text on both, whole, and in the block's order.
#include "tilewright/runtime/print.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/back_end_test.hpp"
#include "numeric/lang_run.hpp"
#include "numeric/special_values.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

using lines = std::vector<std::string>;

// Without the file and the line: "block (0, 1): ...".
lines without_places(lines printed) {
  for (std::string& line : printed) line.erase(0, line.find(' ') + 1);
  return printed;
}

class Print : public BackEndTest {
 protected:
  void SetUp() override {
    if (compiler::is_gpu(GetParam().where)) GTEST_SKIP() << "the driver prints to stdout";
    set_print_sink([this](const std::string& line) { printed_.push_back(line); });
  }
  void TearDown() override { set_print_sink({}); }

  template <class Kernel>
  lines printed_by(const Kernel& kernel, const std::vector<host_array>& arrays, const compiler::argument& scalar = {}) {
    std::vector<compiler::argument> arguments;
    for (const host_array& each : arrays) arguments.push_back(each.argument());
    const ast::module_view& module = kernel.module();
    for (int p = static_cast<int>(arrays.size()); p < module.parameter_count; ++p) arguments.push_back(scalar);
    for (int p = 0; p < module.parameter_count; ++p) {
      const ast::parameter_record& form = module.parameters[p];
      if (!is_output(form.kind)) continue;
      const ast::tile_type& piece = module.types[form.type];
      std::copy_n(piece.extents, piece.rank, arguments[static_cast<std::size_t>(p)].piece.begin());
    }
    printed_.clear();
    run_module(module, GetParam(), arguments);
    return printed_;
  }

  lines printed_;
};

constexpr int line_of_shapes = __LINE__ + 3;
constexpr auto shapes = kernel<"shapes">([](Block b, Out<f32, 2, 3> z, In<f32, dyn, dyn> x, Scalar<i64> s) {
  auto v = x.load(tile<2, 3>, b.pid(0), b.pid(1), pad(0));
  b.print("{{{}}} of {}, {}: 100%", v, s, reduce_sum<1>(v));
  z.store(v);
});

TEST_P(Print, ShowsPlaceBlockAndValues) {
  const host_array z(dtype::f32, {2, 4}), x(dtype::f32, {2, 4}, std::vector<double>{1, 2.5, -0.0, 0.1, 5, 6, 7, 1e-30});
  const std::string place = "print_test.cpp:" + std::to_string(line_of_shapes) + " block ";
  EXPECT_EQ(printed_by(shapes, {z, x}, scalar_argument(i64{-9000000000})),
            (lines{place + "(0, 0): {[[1, 2.5, -0], [5, 6, 7]]} of -9000000000, [[3.5], [18]]: 100%\n",
                   place + "(0, 1): {[[0.1, 0, 0], [1e-30, 0, 0]]} of -9000000000, [[0.1], [1e-30]]: 100%\n"}));
}

// ---- Elements
template <class T>
constexpr auto elements = kernel<"elements">([](Block b, Out<T, 7> z, In<T, dyn> x, Scalar<T> s) {
  auto v = load_like(x, z);
  b.print("{}", v);
  b.print("{} {}", s, b.pid(0));
  z.store(v);
});

template <class T>
lines expected_elements(const host_array& x) {
  const auto text = [](auto number) {
    if constexpr (std::is_integral_v<decltype(number)>) {
      return std::to_string(number);
    } else {
      if (std::isnan(number)) return std::string("nan");
      if (std::isinf(number)) return std::string(number < 0 ? "-inf" : "inf");
      char digits[40];
      for (int precision = 1; precision < 20; ++precision) {  // the shortest that is read back as itself
        std::snprintf(digits, sizeof digits, "%.*g", precision, static_cast<double>(number));
        if (static_cast<decltype(number)>(std::strtod(digits, nullptr)) == number) break;
      }
      return std::string(digits);
    }
  };
  lines made;
  for (index_t first = 0; first < x.size(); first += 7) {
    std::string tile;
    for (index_t i = first; i < first + 7; ++i) {
      std::string element = "0";
      if (i < x.size()) {
        if constexpr (!is_floating(dtype_of<T>)) element = text(static_cast<T>(decode_integer(dtype_of<T>, x.bits(i))));
        if constexpr (dtype_of<T> == dtype::f64) element = text(decode_float(dtype::f64, x.bits(i)));
        if constexpr (is_floating(dtype_of<T>) && dtype_of<T> != dtype::f64) {
          element = text(static_cast<float>(decode_float(dtype_of<T>, x.bits(i))));
        }
      }
      tile += (tile.empty() ? "[" : ", ") + element;
    }
    made.push_back(tile + "]");
  }
  return made;
}

// Exponents are written otherwise than by printf: numbers are compared as numbers. Both are the shortest, so equal.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  for (const char letter : line + ' ') {
    if (std::string_view(" ,[]\n").find(letter) == std::string_view::npos) {
      word += letter;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, ""));
    }
  }
  return words;
}
void expect_same_numbers(const std::string& got, const std::string& expected) {
  const lines mine = words_of(got), others = words_of(expected);
  ASSERT_EQ(mine.size(), others.size()) << got << expected;
  for (std::size_t n = 0; n < mine.size(); ++n) {
    const double a = std::strtod(mine[n].c_str(), nullptr), b = std::strtod(others[n].c_str(), nullptr);
    const bool is_nan = a != a && b != b && mine[n] == others[n];
    EXPECT_TRUE(is_nan || (a == b && std::signbit(a) == std::signbit(b))) << mine[n] << " instead of " << others[n];
  }
}

TEST_P(Print, ShowsEachSpecialValueOfEachElement) {
  const auto check = [&]<class T>() {
    SCOPED_TRACE(info(dtype_of<T>).name);
    const std::vector<std::uint64_t> all = special_values(dtype_of<T>);
    host_array x(dtype_of<T>, {static_cast<index_t>(all.size())});
    for (index_t i = 0; i < x.size(); ++i) x.set_bits(i, all[static_cast<std::size_t>(i)]);
    compiler::argument one;
    one.scalar = encode(dtype_of<T>, 1);
    const host_array z = x.clone();
    const lines got = without_places(printed_by(elements<T>, {z, x}, one)), expected = expected_elements<T>(x);
    ASSERT_EQ(got.size(), 2 * expected.size());
    for (std::size_t n = 0; n < expected.size(); ++n) {
      const std::string block = "block (" + std::to_string(n) + "): ";
      EXPECT_EQ(got[2 * n].substr(0, block.size()), block);
      expect_same_numbers(got[2 * n].substr(block.size()), expected[n]);
      EXPECT_EQ(got[2 * n + 1], block + "1 " + std::to_string(n) + "\n");
    }
  };
  [&]<class... T>(std::type_identity<std::tuple<T...>>) {
    (check.template operator()<T>(), ...);
  }(std::type_identity<std::tuple<bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, f8e4m3, f8e5m2>>{});
}

// ---- Order
constexpr auto walks = kernel<"walks">([](Block b, Out<i32, 2> z, In<i32, dyn> x) {
  auto v = load_like(x, z);
  auto rounds = v;
  b.print("start");
  for (auto i : b.range(3)) {
    if_(
        i == 1, [&] { b.print("one, {}", rounds); }, [&] { b.print("not one but {}", i); });
    rounds = rounds + v;
  }
  auto left = b.full<i32>(tile<>, 2);
  b.while_([&] { return left > 0; },
           [&] {
             b.print("{} left", left);
             left = left - 1;
           });
  b.print("end {}", rounds);
  z.store(v);
});

TEST_P(Print, KeepsTheOrderOfTheKernelInLoopsAndBranches) {
  const host_array z(dtype::i32, {2}), x(dtype::i32, {2}, std::vector<int>{1, -2});
  EXPECT_EQ(
      without_places(printed_by(walks, {z, x})),
      (lines{"block (0): start\n", "block (0): not one but 0\n", "block (0): one, [2, -4]\n",
             "block (0): not one but 2\n", "block (0): 2 left\n", "block (0): 1 left\n", "block (0): end [4, -8]\n"}));
}

// ---- Nobody else uses what is shown, or its memory
constexpr auto shares = kernel<"shares">([](Block b, Out<f32, 4, 8> z, In<f32, 4, 8> x) {
  auto v = load_like(x, z);
  auto rows = reduce_sum<1>(v);
  b.print("{} {}", rows, reduce_sum<0>(rows));
  z.store(v + 1.0f);
  b.print("{} {}", transpose(extract<1, 3>(v, tile<2, 2>)), reshape(v > 12.0f, tile<2, 16>));
});
constexpr auto only_prints = kernel<"only_prints">([](Block b, Out<f32, 4, 8> z, In<f32, dyn, dyn> x) {
  b.print("{}", reduce_max<1>(exp2(load_like(x, z) - 3.0f)));
  z.store(b.zeros<f32>(tile<4, 8>));
});

std::vector<int> counted(int count) {
  std::vector<int> numbers;
  for (int n = 0; n < count; ++n) numbers.push_back(n);
  return numbers;
}

TEST_P(Print, ShowsWhatNobodyElseReads) {
  const host_array z(dtype::f32, {3, 8}), x(dtype::f32, {3, 8}, counted(24));
  const lines got = without_places(printed_by(only_prints, {z, x}));
  EXPECT_EQ(got, (lines{"block (0, 0): [[16], [4096], [1048576], [0.125]]\n"}));
  for (const float element : z.values<float>()) EXPECT_EQ(element, 0);
}

TEST_P(Print, ShowsWhatOthersReadToo) {
  const host_array z(dtype::f32, {4, 8}), x(dtype::f32, {4, 8}, counted(32));
  EXPECT_EQ(without_places(printed_by(shares, {z, x})),
            (lines{"block (0, 0): [[28], [92], [156], [220]] [[496]]\n",
                   "block (0, 0): [[22, 30], [23, 31]] [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1], "
                   "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]]\n"}));
  for (index_t i = 0; i < z.size(); ++i) EXPECT_EQ(z.get<index_t>(i), i + 1);
}

TEST_P(Print, ShowsEveryElementOfALongTile) {
  constexpr auto wide = kernel<"wide">([](Block b, Out<i16, 300> z, In<i16, dyn> x) {
    auto v = load_like(x, z);
    b.print("{}", v);
    z.store(v);
  });
  const host_array z(dtype::i16, {300}), x(dtype::i16, {300}, counted(300));
  std::string expected = "block (0): [0";
  for (int n = 1; n < 300; ++n) expected += ", " + std::to_string(n);
  EXPECT_EQ(without_places(printed_by(wide, {z, x})), (lines{expected + "]\n"}));
}

TILEWRIGHT_ON_EVERY_BACK_END(Print);

}  // namespace
}  // namespace tilewright::test
