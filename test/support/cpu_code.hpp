// SPDX-License-Identifier: Apache-2.0
// Small functions made with the IR builder, and values to try them on.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "compiler/cpu/jit.hpp"
#include "tilewright/base/dtype.hpp"

namespace tilewright::test {

namespace ir = compiler::ir;

inline constexpr ir::type index_type{ir::scalar_type::i64, 1};
inline constexpr ir::type pointer_type{ir::scalar_type::pointer, 1};
inline constexpr std::array lane_counts = {1, 3, 4, 16};

// The element of a buffer of T; a bool is a byte there.
template <class T>
constexpr ir::scalar_type scalar_of() {
  if (std::is_same_v<T, f16>) return ir::scalar_type::f16;
  if (std::is_same_v<T, float>) return ir::scalar_type::f32;
  if (std::is_same_v<T, double>) return ir::scalar_type::f64;
  if (sizeof(T) == 1) return ir::scalar_type::i8;
  if (sizeof(T) == 2) return ir::scalar_type::i16;
  return sizeof(T) == 4 ? ir::scalar_type::i32 : ir::scalar_type::i64;
}

// A function whose parameter block is addresses of buffers.
class cpu_code {
 public:
  explicit cpu_code(const std::function<void(ir::module_builder&)>& make) {
    ir::module_builder code("run");
    make(code);
    code.finish();
    EXPECT_EQ(code.verify(), "") << code.text();
    loaded_ = compiler::load_object(compiler::compile_object(std::move(code)), "run");
  }
  void run(const std::vector<const void*>& buffers, std::int64_t first = 0, std::int64_t last = 1) const {
    std::vector<std::uint64_t> words;
    for (const void* buffer : buffers) words.push_back(reinterpret_cast<std::uintptr_t>(buffer));
    const std::array<std::int64_t, 6> grid = {};
    loaded_.entry(words.data(), grid.data(), first, last, nullptr, nullptr);
  }

 private:
  compiler::loaded_kernel loaded_;
};

inline ir::value buffer(ir::module_builder& code, std::size_t number) {
  return code.load(pointer_type, code.offset(code.parameters(), static_cast<std::int64_t>(8 * number)), 8,
                   ir::memory::input);
}
template <class T>
ir::value load_buffer(ir::module_builder& code, std::size_t number, int lanes) {
  const ir::value loaded = code.load({scalar_of<T>(), lanes}, buffer(code, number), alignof(T));
  return std::is_same_v<T, bool> ? code.truncate(loaded, ir::scalar_type::i1) : loaded;
}
inline void store_buffer(ir::module_builder& code, std::size_t number, ir::value v) {
  const bool is_mask = code.type_of(v).scalar == ir::scalar_type::i1;
  code.store(is_mask ? code.zero_extend(v, ir::scalar_type::i8) : v, buffer(code, number), 1);
}

template <class T>
bool same_number(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) && std::isnan(b)) return true;
    return a == b && std::signbit(a) == std::signbit(b);
  } else {
    return std::bit_cast<std::array<char, sizeof(T)>>(a) == std::bit_cast<std::array<char, sizeof(T)>>(b);
  }
}

template <class T>
double printable(T v) {
  return static_cast<double>(static_cast<std::conditional_t<std::is_same_v<T, f16>, float, T>>(v));
}

// ir::value once for each operand.
template <class>
using operand_value = ir::value;

// Builds make(code, operands...) for 1, 3, 4 and 16 lanes and compares every lane with `expected`. They are functions,
// no template arguments, so that this compiles once for a signature.
template <class To, class... From>
void expect_lanes(const char* name, const std::vector<std::tuple<From...>>& samples,
                  std::type_identity_t<ir::value (*)(ir::module_builder&, operand_value<From>...)> make,
                  std::type_identity_t<To (*)(From...)> expected) {
  constexpr std::make_index_sequence<sizeof...(From)> operands;
  for (const int lanes : lane_counts) {
    const auto count = static_cast<std::size_t>(lanes);
    const cpu_code code([&](ir::module_builder& into) {
      [&]<std::size_t... n>(std::index_sequence<n...>) {
        store_buffer(into, sizeof...(From), make(into, load_buffer<From>(into, n, lanes)...));
      }
      (operands);
    });
    for (std::size_t start = 0; start < samples.size(); start += count) {
      std::tuple<std::array<From, 16>...> inputs;
      std::array<To, 16> result = {};
      [&]<std::size_t... n>(std::index_sequence<n...>) {
        for (std::size_t l = 0; l < count; ++l) {
          ((std::get<n>(inputs)[l] = std::get<n>(samples[(start + l) % samples.size()])), ...);
        }
        code.run({std::get<n>(inputs).data()..., result.data()});
      }
      (operands);
      for (std::size_t l = 0; l < count; ++l) {
        const To wanted = std::apply(expected, samples[(start + l) % samples.size()]);
        EXPECT_TRUE(same_number(result[l], wanted))
            << name << " of sample " << (start + l) % samples.size() << ", " << lanes
            << " lanes: " << printable(result[l]) << " instead of " << printable(wanted);
      }
    }
  }
}

template <class T>
std::vector<std::tuple<T>> singles(const std::vector<T>& numbers) {
  return {numbers.begin(), numbers.end()};
}

template <class T>
std::vector<std::tuple<T, T>> pairs(const std::vector<T>& numbers) {
  std::vector<std::tuple<T, T>> result;
  for (const T a : numbers) {
    for (const T b : numbers) result.emplace_back(a, b);
  }
  return result;
}

}  // namespace tilewright::test
