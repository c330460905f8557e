// SPDX-License-Identifier: Apache-2.0
// Vector code of every op with one right result, on every element: bit for bit what scalar_semantics.hpp defines, over
// all pairs of special values and random bits, for 1, 3, 16 and 32 lanes. All ops of an element are one module: that is
// quick to compile.
#include <gtest/gtest.h>

#include <cstring>

#include "compiler/cpu/element_code.hpp"
#include "compiler/scalar_semantics.hpp"
#include "numeric/expect_close.hpp"
#include "numeric/special_values.hpp"
#include "support/cpu_code.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using ast::op_category;
using ast::takes;
using compiler::semantics::visit_element;
using ir::module_builder;
using ir::value;
namespace semantics = compiler::semantics;

// One op and what it is computed of: arrays a and b, or a and a constant.
struct row {
  op which;
  dtype to, from;
  bool has_constant = false;
  std::int64_t constant = 0;
};

struct operands {
  std::vector<std::uint64_t> a, b, c, condition;
};

template <class T>
T from_bits(std::uint64_t bits) {
  std::array<std::byte, sizeof(T)> raw;
  std::memcpy(raw.data(), &bits, sizeof(T));
  return std::bit_cast<T>(raw);
}
template <class T>
std::uint64_t to_bits(T number) {
  std::uint64_t result = 0;
  std::memcpy(&result, &number, sizeof(T));
  return result;
}

// ---- What is right -------------------------------------------------------------------------------------------------
template <class T>
std::uint64_t right_result(op which, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t result = 0;
  const T x = from_bits<T>(a), y = from_bits<T>(b);
  if constexpr (semantics::is_float<T>) {
    if (which == op::fma) return to_bits(semantics::fma(x, y, from_bits<T>(c)));
  }
  semantics::visit_op<op_category::unary>(which, [&](auto chosen) {
    if constexpr (semantics::is_accepted<T>(chosen())) result = to_bits(semantics::unary<chosen()>(x));
  });
  semantics::visit_op<op_category::binary>(which, [&](auto chosen) {
    if constexpr (semantics::is_accepted<T>(chosen())) result = to_bits(semantics::binary<chosen()>(x, y));
  });
  semantics::visit_op<op_category::comparison>(which, [&](auto chosen) {
    if constexpr (semantics::is_accepted<T>(chosen())) result = to_bits(semantics::comparison<chosen()>(x, y));
  });
  return result;
}

std::uint64_t right_conversion(const row& tested, std::uint64_t a) {
  return visit_element(tested.from, [&]<class From>(std::type_identity<From>) {
    return visit_element(tested.to, [&]<class To>(std::type_identity<To>) {
      const From x = from_bits<From>(a);
      if constexpr (sizeof(To) == sizeof(From)) {
        if (tested.which == op::bitcast) return to_bits(semantics::bitcast<To>(x));
      }
      return to_bits(semantics::cast<To>(x));
    });
  });
}

std::uint64_t bits_of_constant(dtype element, std::int64_t word) {
  return visit_element(element,
                       [&]<class T>(std::type_identity<T>) { return to_bits(semantics::from_constant<T>(word)); });
}

std::uint64_t right_result(const row& tested, const operands& in, std::size_t i) {
  if (ast::info(tested.which).category == op_category::convert) return right_conversion(tested, in.a[i]);
  const std::uint64_t b = tested.has_constant ? bits_of_constant(tested.from, tested.constant) : in.b[i];
  if (tested.which == op::select) return in.condition[i] != 0 ? in.a[i] : b;
  return visit_element(
      tested.from, [&]<class T>(std::type_identity<T>) { return right_result<T>(tested.which, in.a[i], b, in.c[i]); });
}

// ---- What is tested ------------------------------------------------------------------------------------------------
bool is_division(op which) {
  return which == op::divide || which == op::remainder || which == op::floor_div || which == op::floor_mod;
}

void add_rows(std::vector<row>& rows, op which, dtype element) {
  const ast::op_info& facts = ast::info(which);
  if (facts.category == op_category::convert) {
    for (int i = 0; i < tile_dtype_count; ++i) {
      const auto to = static_cast<dtype>(i);
      const bool keeps_bits = takes(op::bitcast, element) && takes(op::bitcast, to);
      const bool fits =
          which == op::cast ? ast::is_converted(element, to) : keeps_bits && ast::shares_bits(element, to);
      if (fits) rows.push_back({which, to, element});
    }
    return;
  }
  const bool is_element_wise = facts.category == op_category::unary || facts.category == op_category::binary ||
                               facts.category == op_category::comparison || facts.category == op_category::ternary;
  if (!is_element_wise || !takes(which, element) || facts.ulp > 0.5) return;
  const dtype to = facts.category == op_category::comparison ? dtype::boolean : element;
  rows.push_back({which, to, element});
  const bool is_extreme = which == op::minimum || which == op::maximum;
  if (is_floating(element) && is_extreme) {
    for (const double constant : {0.0, -0.0, 1.0, -2.0, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
      rows.push_back({which, to, element, true, std::bit_cast<std::int64_t>(constant)});
    }
  }
  if (is_floating(element) || !(is_division(which) || which == op::shift_left || which == op::shift_right)) return;
  for (const std::int64_t constant : {0, 1, -1, 2, 8, -8, 3, -7, 100, 64}) {
    rows.push_back({which, to, element, true, constant});
  }
}

std::vector<row> rows_of(dtype element) {
  std::vector<row> rows;
  for (int i = 0; i < ast::op_count; ++i) add_rows(rows, static_cast<op>(i), element);
  return rows;
}

// All pairs of special values, then random bits; a whole number of vectors.
operands operands_of(dtype element) {
  constexpr std::size_t random_count = 4000, lanes = 96;
  const std::vector<std::uint64_t> values = special_values(element);
  std::mt19937_64 random(7);
  operands in;
  const auto add = [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    in.a.push_back(a);
    in.b.push_back(b);
    in.c.push_back(c);
    in.condition.push_back(random() % 2);
  };
  for (const std::uint64_t a : values) {
    for (const std::uint64_t b : values) add(a, b, values[random() % values.size()]);
  }
  const auto bits = [&] { return low_bits(element, random() >> (random() % 64)); };
  for (std::size_t i = 0; i < random_count || in.a.size() % lanes != 0; ++i) add(bits(), bits(), bits());
  return in;
}

// ---- Running it ----------------------------------------------------------------------------------------------------
using bytes = std::vector<std::byte>;

bytes stored(dtype element, const std::vector<std::uint64_t>& values) {
  const auto size = static_cast<std::size_t>(info(element).size_bytes);
  bytes result(values.size() * size);
  for (std::size_t i = 0; i < values.size(); ++i) std::memcpy(&result[i * size], &values[i], size);
  return result;
}

class element_buffers {
 public:
  element_buffers(module_builder& code, int lanes) : code_(code), lanes_(lanes) {}

  value load(std::size_t number, dtype element, value i) const {
    const ir::type t{compiler::memory_type(element), lanes_};
    return compiler::from_memory(code_, element, code_.load(t, address(number, element, i), 1));
  }
  void store(std::size_t number, dtype element, value i, value v) const {
    code_.store(compiler::to_memory(code_, element, v), address(number, element, i), 1);
  }

 private:
  value address(std::size_t number, dtype element, value i) const {
    return code_.offset(buffer(code_, number), code_.multiply(i, code_.integer(index_type, info(element).size_bytes)));
  }
  module_builder& code_;
  int lanes_;
};

constexpr std::size_t first_output = 4;

// Computes make(code, row number, a, b, c, condition) for each row into a buffer of its own.
template <class Make>
std::vector<bytes> compute(dtype element, const operands& in, const std::vector<dtype>& results, int lanes, Make make) {
  const cpu_code code([&](module_builder& into) {
    const element_buffers memory(into, lanes);
    into.loop(into.first(), into.last(), lanes, [&](value i) {
      const value a = memory.load(0, element, i), b = memory.load(1, element, i), c = memory.load(2, element, i);
      const value condition = memory.load(3, dtype::boolean, i);
      for (std::size_t n = 0; n < results.size(); ++n) {
        memory.store(first_output + n, results[n], i, make(into, n, a, b, c, condition));
      }
    });
  });
  const bytes inputs[] = {stored(element, in.a), stored(element, in.b), stored(element, in.c),
                          stored(dtype::boolean, in.condition)};
  std::vector<const void*> buffers;
  for (const bytes& input : inputs) buffers.push_back(input.data());
  std::vector<bytes> outputs;
  for (const dtype to : results) {
    outputs.emplace_back(in.a.size() * static_cast<std::size_t>(info(to).size_bytes), std::byte{0xab});
  }
  for (const bytes& output : outputs) buffers.push_back(output.data());
  code.run(buffers, 0, static_cast<std::int64_t>(in.a.size()));
  return outputs;
}

std::uint64_t element_of(const bytes& output, dtype element, std::size_t i) {
  const auto size = static_cast<std::size_t>(info(element).size_bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &output[i * size], size);
  return bits;
}

// expected(i) gives the right bits; the first difference is printed.
template <class Expected>
void expect_bits(dtype element, const bytes& output, const operands& in, dtype from, Expected expected) {
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    const std::uint64_t got = element_of(output, element, i), right = expected(i);
    if (got == right) continue;
    const auto verdict = is_same(element, got, right);
    if (verdict) continue;
    ADD_FAILURE() << verdict.message() << " for " << decode(from, in.a[i]) << ", " << decode(from, in.b[i]) << ", "
                  << decode(from, in.c[i]);
    return;
  }
}

class CpuElement : public testing::TestWithParam<int> {
 protected:
  dtype element() const { return static_cast<dtype>(GetParam()); }
};

constexpr int lanes_tried[] = {1, 3, 16, 32};

TEST_P(CpuElement, EveryOpAndCastGivesTheDefinedBits) {
  const operands in = operands_of(element());
  const std::vector<row> rows = rows_of(element());
  std::vector<dtype> results;
  std::vector<std::vector<std::uint64_t>> right(rows.size());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    results.push_back(rows[n].to);
    for (std::size_t i = 0; i < in.a.size(); ++i) right[n].push_back(right_result(rows[n], in, i));
  }
  for (const int lanes : lanes_tried) {
    const auto make = [&](module_builder& code, std::size_t n, value a, value b, value c, value condition) {
      const row& tested = rows[n];
      if (tested.has_constant) b = compiler::constant_element(code, tested.from, tested.constant, lanes);
      std::vector<value> operand = {a, b, c};
      if (tested.has_constant && n % 2 == 0 && is_floating(tested.from)) std::swap(operand[0], operand[1]);
      if (tested.which == op::select) operand = {condition, a, b};
      return compiler::element_op(code, tested.which, tested.to, tested.from, operand);
    };
    const std::vector<bytes> outputs = compute(element(), in, results, lanes, make);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      SCOPED_TRACE(testing::Message() << ast::info(rows[n].which).name << " of " << info(element()).name << " to "
                                      << info(rows[n].to).name << ", lanes " << lanes << ", constant "
                                      << (rows[n].has_constant ? std::to_string(rows[n].constant) : "none"));
      expect_bits(rows[n].to, outputs[n], in, rows[n].from, [&](std::size_t i) { return right[n][i]; });
    }
  }
}

constexpr std::pair<op, op> reductions[] = {{op::reduce_sum, op::add},     {op::reduce_product, op::multiply},
                                            {op::reduce_max, op::maximum}, {op::reduce_min, op::minimum},
                                            {op::scan_sum, op::add},       {op::scan_product, op::multiply},
                                            {op::scan_max, op::maximum},   {op::scan_min, op::minimum}};

// A reduction of two is the op, and one with the neutral value changes nothing, not even the sign of a zero.
class CpuReduction : public CpuElement {};
TEST_P(CpuReduction, CombinesAsTheOpAndStartsNeutral) {
  const operands in = operands_of(element());
  const std::vector<dtype> results(2 * std::size(reductions), element());
  for (const int lanes : lanes_tried) {
    const auto make = [&](module_builder& code, std::size_t n, value a, value b, value, value) {
      const op reduce = reductions[n / 2].first;
      const value left = compiler::widened(code, element(), a);
      const value right =
          n % 2 == 0 ? compiler::widened(code, element(), b) : compiler::neutral(code, reduce, element(), lanes);
      return compiler::narrowed(code, element(), compiler::combine(code, reduce, element(), left, right));
    };
    const std::vector<bytes> outputs = compute(element(), in, results, lanes, make);
    for (std::size_t n = 0; n < results.size(); ++n) {
      SCOPED_TRACE(testing::Message() << ast::info(reductions[n / 2].first).name << " of " << info(element()).name
                                      << (n % 2 == 0 ? "" : " with the neutral value") << ", lanes " << lanes);
      expect_bits(element(), outputs[n], in, element(), [&](std::size_t i) {
        if (n % 2 == 1) return in.a[i];
        return right_result({reductions[n / 2].second, element(), element()}, in, i);
      });
    }
  }
}

TEST_P(CpuElement, ConstantsAreRoundedAndWrapped) {
  const operands in = {{0}, {0}, {0}, {0}};
  for (const double number : {0.0, -0.0, 1.0, -1.5, 1.0 / 3, 65519.0, 65520.0, 1e-7, 1e300, 255.0, -129.0}) {
    const std::int64_t word = is_floating(element()) ? std::bit_cast<std::int64_t>(number)
                                                     : static_cast<std::int64_t>(std::fmod(number, 1e18));
    const auto make = [&](module_builder& code, std::size_t, value, value, value, value) {
      return compiler::constant_element(code, element(), word, 1);
    };
    const std::vector<bytes> outputs = compute(element(), in, {element()}, 1, make);
    const std::uint64_t right = bits_of_constant(element(), word);
    EXPECT_EQ(element_of(outputs[0], element(), 0), right) << info(element()).name << " of " << number;
  }
}

std::string name_of(const testing::TestParamInfo<int>& tested) { return info(static_cast<dtype>(tested.param)).name; }

INSTANTIATE_TEST_SUITE_P(Of, CpuElement, testing::Range(0, tile_dtype_count), name_of);
INSTANTIATE_TEST_SUITE_P(Of, CpuReduction, testing::Range(1, static_cast<int>(dtype::f8e4m3)),
                         name_of);  // nor fp8, the last

}  // namespace
}  // namespace tilewright::test
