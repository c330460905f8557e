// SPDX-License-Identifier: Apache-2.0
// Sums of products of doubles, without any rounding: an integer of thousands of bits, in units of the least product.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace tilewright::test {

class exact_sum {
 public:
  // Both finite.
  void add(double a, double b) {
    int a_exponent = 0, b_exponent = 0;
    const auto a_bits = static_cast<std::int64_t>(std::scalbn(std::frexp(a, &a_exponent), 53));
    const auto b_bits = static_cast<std::int64_t>(std::scalbn(std::frexp(b, &b_exponent), 53));
    if (a_bits == 0 || b_bits == 0) return;
    const auto a_size = static_cast<std::uint64_t>(std::abs(a_bits)),
               b_size = static_cast<std::uint64_t>(std::abs(b_bits));
    const int place = a_exponent + b_exponent - 106 + least_exponent;
    const bool is_negative = (a_bits < 0) != (b_bits < 0);
    // Parts of 32 bits, so that products and carries fit 64.
    for (const int i : {0, 1}) {
      for (const int j : {0, 1})
        add_word((a_size >> 32 * i & low) * (b_size >> 32 * j & low), place + 32 * (i + j), is_negative);
    }
  }

  // -1, 0 or 1
  int sign() const {
    if ((words_.back() >> 31) != 0) return -1;
    for (const std::uint32_t word : words_) {
      if (word != 0) return 1;
    }
    return 0;
  }

 private:
  static constexpr int least_exponent = 2300;  // of a bit of a product of two doubles, negated
  static constexpr std::uint64_t low = 0xffffffffU;

  void add_word(std::uint64_t word, int place, bool is_negative) {
    const auto at = static_cast<std::size_t>(place / 32);
    const int shift = place % 32;
    const std::uint64_t parts[] = {word << shift & low, word >> (32 - shift) & low,
                                   shift == 0 ? 0 : word >> (64 - shift)};
    std::int64_t carry = 0;
    for (std::size_t i = at; i < words_.size(); ++i) {
      const std::uint64_t part = i - at < 3 ? parts[i - at] : 0;
      const std::int64_t total = static_cast<std::int64_t>(words_[i]) + carry +
                                 (is_negative ? -static_cast<std::int64_t>(part) : static_cast<std::int64_t>(part));
      words_[i] = static_cast<std::uint32_t>(total);
      carry = total >> 32;
    }
  }

  std::array<std::uint32_t, 140> words_{};  // two's complement, lowest first
};

}  // namespace tilewright::test
