// SPDX-License-Identifier: Apache-2.0
// Random programs of exact ops give the interpreter's bits on every back end, before and after simplify: chains that
// no hand wrote, with shared values, broadcasts, loops and branches in between.
#include <random>

#include "numeric/back_end_test.hpp"
#include "numeric/expect_close.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using ids = std::vector<value_id>;

class RandomProgram : public BackEndTest {};

// Grows a program over values of a few shapes. Everything is i32 (or bool for conditions), so results are exact.
class generator {
 public:
  explicit generator(unsigned seed) : random_(seed), builder_(2) {
    rows_ = pick<std::int32_t>({1, 3, 8, 16});
    columns_ = pick<std::int32_t>({1, 5, 16, 37});
    const int x = builder_.in(dtype::i32, 2), s = builder_.scalar(dtype::i32);
    const int z = builder_.out(dtype::i32, {rows_, columns_});
    whole_ = {builder_.load(x, tile(rows_, columns_)), builder_.constant(tile(rows_, columns_), 3)};
    column_ = {builder_.load(x, tile(rows_, 1)), builder_.value(op::iota, tile(rows_, 1), {}, {0})};
    row_ = {builder_.load(x, tile(1, columns_)), builder_.value(op::iota, tile(1, columns_), {}, {1})};
    scalar_ = {builder_.value(op::scalar, type_of(dtype::i32), {}, {s}), builder_.constant(type_of(dtype::i32), -7)};
    grow(10, 2);
    builder_.store(z, last(whole_));
  }

  const compiler::program& program() { return builder_.result(); }
  std::int32_t rows() const { return rows_; }
  std::int32_t columns() const { return columns_; }

 private:
  static value_type tile(std::int32_t rows, std::int32_t columns) { return type_of(dtype::i32, {rows, columns}); }

  template <class T>
  T pick(const std::vector<T>& from) {
    return from[random_() % from.size()];
  }
  // Newer values are likelier, so that chains get long.
  value_id some(const ids& from) { return random_() % 3 == 0 ? pick(from) : last(from); }
  static value_id last(const ids& from) { return from.back(); }
  // Any value that broadcasts to rows by columns.
  value_id operand() { return some(pick(std::vector<ids>{whole_, whole_, column_, row_, scalar_})); }

  void grow(int steps, int depth) {
    for (int i = 0; i < steps; ++i) {
      switch (random_() % (depth > 0 ? 9 : 7)) {
        case 0:
          whole_.push_back(reduced_and_spread());
          break;
        case 1:
          column_.push_back(builder_.like(arithmetic(), {some(column_), some(scalar_)}));
          break;
        case 2:
          row_.push_back(builder_.value(op::reduce_max, tile(1, columns_), {some(whole_)}, {0}));
          break;
        case 3:
          whole_.push_back(selected());
          break;
        case 4:
          whole_.push_back(turned_twice());
          break;
        case 5:
          scalar_.push_back(builder_.like(arithmetic(), {some(scalar_), some(scalar_)}));
          break;
        case 6:
          whole_.push_back(builder_.value(arithmetic(), tile(rows_, columns_), {operand(), operand()}));
          break;
        case 7:
          loop(depth);
          break;
        default:
          branch(depth);
          break;
      }
    }
  }

  op arithmetic() {
    return pick<op>({op::add, op::subtract, op::multiply, op::minimum, op::maximum, op::bit_and, op::bit_or,
                     op::bit_xor, op::shift_left, op::shift_right, op::divide, op::floor_mod});
  }
  value_id reduced_and_spread() {
    const op which = pick<op>({op::reduce_sum, op::reduce_product, op::reduce_max, op::reduce_min});
    column_.push_back(builder_.value(which, tile(rows_, 1), {some(whole_)}, {1}));
    return builder_.value(op::broadcast, tile(rows_, columns_), {last(column_)});
  }
  value_id selected() {
    const op which = pick<op>({op::less, op::equal, op::greater_equal});
    const value_id condition =
        builder_.value(which, type_of(dtype::boolean, {rows_, columns_}), {operand(), operand()});
    return builder_.value(op::select, tile(rows_, columns_), {condition, operand(), operand()});
  }
  value_id turned_twice() {
    const value_id turned = builder_.value(op::permute, tile(columns_, rows_), {some(whole_)}, {0x01});
    const value_id flat = builder_.value(op::reshape, type_of(dtype::i32, {rows_ * columns_}), {turned});
    const value_id summed = builder_.value(op::scan_sum, type_of(dtype::i32, {rows_ * columns_}), {flat},
                                           {0, static_cast<std::int64_t>(random_() % 2)});
    return builder_.value(op::reshape, tile(rows_, columns_), {summed});
  }

  // Values made inside are not seen outside.
  template <class Body>
  ids scoped(Body body) {
    const std::vector<ids> outside = {whole_, column_, row_, scalar_};
    const ids results = body();
    whole_ = outside[0];
    column_ = outside[1];
    row_ = outside[2];
    scalar_ = outside[3];
    return results;
  }
  void loop(int depth) {
    const ids start = {some(whole_), some(column_)};
    const ids made = builder_.loop(builder_.index(0), builder_.index(static_cast<int>(random_() % 4)),
                                   builder_.index(1), start, [&](value_id i, const ids& carried) {
                                     return scoped([&] {
                                       whole_.push_back(carried[0]);
                                       column_.push_back(carried[1]);
                                       scalar_.push_back(builder_.value(op::cast, type_of(dtype::i32), {i}));
                                       grow(4, depth - 1);
                                       return ids{last(whole_), last(column_)};
                                     });
                                   });
    whole_.push_back(made[0]);
    column_.push_back(made[1]);
  }
  void branch(int depth) {
    const value_id condition = builder_.value(op::less, type_of(dtype::boolean), {some(scalar_), some(scalar_)});
    const auto side = [&] {
      return scoped([&] {
        grow(3, depth - 1);
        return ids{last(whole_), last(row_)};
      });
    };
    const ids made = builder_.branch(condition, side, side);
    whole_.push_back(made[0]);
    row_.push_back(made[1]);
  }

  std::mt19937 random_;
  program_builder builder_;
  std::int32_t rows_ = 1, columns_ = 1;
  ids whole_, column_, row_, scalar_;
};

host_array run_random(generator& made, const back_end& where, const compiler::program& source,
                      unsigned* runs = nullptr) {
  const std::vector<index_t> extents = {2 * made.rows() - 1, 2 * made.columns() + 1};  // ragged in both axes
  host_array x(dtype::i32, extents);
  std::mt19937 random(99);
  for (index_t i = 0; i < x.size(); ++i) x.set_bits(i, random());
  const host_array z(dtype::i32, extents);
  const index_t rows = (extents[0] + made.rows() - 1) / made.rows(),
                columns = (extents[1] + made.columns() - 1) / made.columns();
  const bool has_run = run(source, where, {x.argument(), scalar_argument(i32{12345}), z.argument()}, {rows, columns});
  if (has_run && runs != nullptr) ++*runs;
  return z;
}

TEST_P(RandomProgram, GivesTheInterpretersBits) {
  // A GPU's image takes half a second, or is refused.
  const unsigned seeds = compiler::is_gpu(GetParam().where) ? 60 : 200;
  unsigned runs = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    generator made(seed);
    const compiler::program& source = made.program();
    const host_array expected = run_random(made, interp_back_end(), source);
    const host_array got = run_random(made, GetParam(), source, &runs);
    compiler::program simpler = source;
    compiler::simplify(simpler);
    const host_array simplified = run_random(made, GetParam(), simpler);
    for (index_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(got.get<i64>(i), expected.get<i64>(i)) << "seed " << seed << " element " << i;
      ASSERT_EQ(simplified.get<i64>(i), expected.get<i64>(i)) << "simplified, seed " << seed << " element " << i;
    }
  }
  if (baked_target()) return;
  EXPECT_GE(runs, seeds / 5) << "too few programs that a GPU does not refuse";
}

TILEWRIGHT_ON_EVERY_BACK_END(RandomProgram);

}  // namespace
}  // namespace tilewright::test
