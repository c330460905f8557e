// SPDX-License-Identifier: Apache-2.0
// Philox (lang/random.hpp) on every back end: the known answers that its authors publish, then positions against a
// generator written out here.
#include <array>

#include "numeric/back_end_test.hpp"
#include "numeric/lang_run.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

using words = std::array<std::uint32_t, 4>;
constexpr Dim B{"B"};

words philox(words counter, std::uint32_t key_x, std::uint32_t key_y) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xd2511f53} * counter[0], b = std::uint64_t{0xcd9e8d57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key_x, static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key_y, static_cast<std::uint32_t>(a)};
    key_x += 0x9e3779b9;
    key_y += 0xbb67ae85;
  }
  return counter;
}

class RandomNumbers : public BackEndTest {};
TILEWRIGHT_ON_EVERY_BACK_END(RandomNumbers);

constexpr auto generator = kernel<"generator">([](Out<u32, 4, 1> z, In<u32, dyn> counter, In<u32, dyn> key) {
  const auto word = [&](int i) { return counter.load(tile<1>, i); };
  auto made = philox4x32(word(0), word(1), word(2), word(3), key.load(tile<1>, 0), key.load(tile<1>, 1));
  auto upper = cat<0>(reshape(made.x, tile<1, 1>), reshape(made.y, tile<1, 1>));
  z.store(cat<0>(upper, cat<0>(reshape(made.z, tile<1, 1>), reshape(made.w, tile<1, 1>))));
});

struct known_answer {
  words counter;
  std::array<std::uint32_t, 2> key;
  words result;
};
constexpr std::uint32_t ones = 0xffffffff;
constexpr known_answer known_answers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{ones, ones, ones, ones}, {ones, ones}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

TEST_P(RandomNumbers, AreThoseThatTheAuthorsPublish) {
  for (const known_answer& known : known_answers) {
    const host_array counter(dtype::u32, {4}, std::vector<std::int64_t>(known.counter.begin(), known.counter.end()));
    const host_array key(dtype::u32, {2}, std::vector<std::int64_t>(known.key.begin(), known.key.end()));
    const host_array got(dtype::u32, {4, 1});
    std::vector<compiler::argument> arguments{got.argument(), counter.argument(), key.argument()};
    arguments[0].piece = {4, 1};
    run_module(generator.module(), GetParam(), arguments);
    for (index_t i = 0; i < 4; ++i) {
      EXPECT_EQ(got.bits(i), known.result[static_cast<std::size_t>(i)]) << "word " << i;
    }
    EXPECT_EQ(philox(known.counter, known.key[0], known.key[1]), known.result) << "the generator of this test";
  }
}

template <class Seed, class Position>
constexpr auto at_positions = kernel<"at_positions">([](Out<u32, B> x, Out<u32, B> w, Out<f32, B> uniform,
                                                        Scalar<Seed> seed, In<Position, dyn> position) {
  auto here = load_like(position, x);
  auto made = random_words(seed, here);
  x.store(made.x);
  w.store(made.w);
  uniform.store(random_uniform(seed, here));
});

template <class Seed, class Position>
void expect_numbers(const back_end& where, Seed seed, const std::vector<std::int64_t>& positions) {
  SCOPED_TRACE(testing::Message() << info(dtype_of<Seed>).name << " at " << info(dtype_of<Position>).name);
  const auto count = static_cast<index_t>(positions.size());
  const host_array at(dtype_of<Position>, {count}, positions);
  const host_array x(dtype::u32, {count}), w(dtype::u32, {count}), uniform(dtype::f32, {count});
  std::vector<compiler::argument> arguments{x.argument(), w.argument(), uniform.argument(), scalar_argument(seed),
                                            at.argument()};
  for (int output = 0; output < 3; ++output) arguments[static_cast<std::size_t>(output)].piece[0] = 32;
  run_module(at_positions<Seed, Position>.module(), where, arguments);
  const std::uint64_t key = low_bits(dtype_of<Seed>, static_cast<std::uint64_t>(seed));
  for (index_t i = 0; i < count; ++i) {
    const std::uint64_t place = at.bits(i);
    const words expected = philox({static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(place >> 32), 0, 0},
                                  static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32));
    EXPECT_EQ(x.bits(i), expected[0]) << "at " << place;
    EXPECT_EQ(w.bits(i), expected[3]) << "at " << place;
    EXPECT_EQ(uniform.get<double>(i), static_cast<double>(expected[0] >> 8) / 16777216) << "at " << place;
  }
}

std::vector<std::int64_t> first_positions() {
  std::vector<std::int64_t> all;
  for (int i = 0; i < 200; ++i) all.push_back(i);
  return all;
}

TEST_P(RandomNumbers, DependOnSeedAndPositionAlone) {
  std::vector<std::int64_t> large = first_positions();
  for (const std::int64_t far :
       {std::int64_t{1} << 31, std::int64_t{1} << 32, (std::int64_t{7} << 40) + 3, std::int64_t{-1}}) {
    large.push_back(far);
  }
  expect_numbers<u64, u32>(GetParam(), 0x123456789abcdef0, large);
  expect_numbers<u32, i32>(GetParam(), 1729, large);
  expect_numbers<i32, i64>(GetParam(), -5, large);
  expect_numbers<i64, u64>(GetParam(), -5, large);
}

constexpr auto counted = kernel<"counted">([](Block b, Out<f32, B> z, Scalar<u64> seed) {
  z.store(random_uniform(seed, b.pid(0) * b.size(tile<B>) + b.iota<index_element>(tile<B>)));
});

// Whatever the tiles, element i has number i; numbers are even enough for a mean of 2^16 of them.
TEST_P(RandomNumbers, AreTheSameInTilesOfEverySize) {
  constexpr index_t count = 1 << 16;
  const auto numbers = [&](index_t piece) {
    const host_array z(dtype::f32, {count});
    std::vector<compiler::argument> arguments{z.argument(), scalar_argument(std::uint64_t{42})};
    arguments[0].piece[0] = piece;
    run_module(counted.module(), GetParam(), arguments);
    return z.values<double>();
  };
  const std::vector<double> small = numbers(64);
  EXPECT_EQ(small, numbers(1024));
  double sum = 0;
  for (const double number : small) {
    ASSERT_TRUE(number >= 0 && number < 1) << number;
    sum += number;
  }
  EXPECT_NEAR(sum / count, 0.5, 0.005);  // 4.4 standard deviations
}

}  // namespace
}  // namespace tilewright::test
