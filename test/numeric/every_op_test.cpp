// SPDX-License-Identifier: Apache-2.0
// Every op with every element that its row of the op table admits goes through the whole compiler, and computes what
// the interpreter computes. Values are special cases elsewhere; here none may be missing.
#include "numeric/back_end_test.hpp"
#include "support/module_builder.hpp"
#include "tilewright/ast/products.hpp"
#include "tilewright/ast/verify.hpp"
#include "tilewright/runtime/print.hpp"

namespace tilewright::test {
namespace {

using ast::op_category;

// One module with all ops of an element; each result is added to a tile of i64, which is stored. A GPU moves elements
// along axes that are powers of two only.
class every_op {
 public:
  every_op(dtype element, bool has_powers_of_two)
      : element_(element),
        rows_(has_powers_of_two ? 4 : 3),
        columns_(has_powers_of_two ? 32 : 21),
        factor_(has_powers_of_two ? 2 : 3) {
    z_ = m_.out(dtype::i64, whole_);
    y_ = m_.in_out(element, whole_);
    x_ = m_.in(element, {ast::dynamic_extent, ast::dynamic_extent});
    s_ = m_.scalar(element);
    if (can_combine(combiner::sum, element)) w_ = m_.accum(element, whole_);
    if (can_combine(combiner::sum, element)) v_ = m_.accum(element, {ast::dynamic_extent, ast::dynamic_extent});
    a_ = m_.load(x_, whole_, {m_.index(0), m_.index(0)});
    b_ = m_.load_piece(y_);
    total_ = m_.constant(dtype::i64, whole_, 0);
    for (int number = 0; number < ast::op_count; ++number) add(static_cast<op>(number));
    m_.store(y_, a_);
    m_.store(z_, total_);
  }
  const ast::module_view& view() { return m_.view(); }
  const extents& shape() const { return whole_; }
  bool combines() const { return w_.position >= 0; }

 private:
  // Elements that are not compared are compared as bytes, or in f32.
  tile_value are_equal(tile_value x, tile_value y) {
    if (ast::takes(op::equal, element_)) return m_.compare(op::equal, x, y);
    if (element_ == dtype::tf32) return m_.compare(op::equal, m_.cast(dtype::f32, x), m_.cast(dtype::f32, y));
    return m_.compare(op::equal, m_.bitcast(dtype::u8, x), m_.bitcast(dtype::u8, y));
  }
  // Functions are exact within a bound only, so of them just this is counted: whether the result is a number.
  void count(tile_value result, bool is_exact = true) {
    if (!is_exact) result = m_.compare(op::equal, result, result);
    if (is_of_single(m_.element_of(result))) result = m_.cast(dtype::f32, result);
    total_ = m_.binary(op::add, total_, m_.cast(dtype::i64, result));
  }

  void add(op which) {
    if (!ast::takes(which, element_)) return;
    const ast::op_info& row = ast::info(which);
    const bool is_exact = row.ulp >= 0 && row.ulp <= 0.5;
    const bool divides =
        which == op::divide || which == op::remainder || which == op::floor_div || which == op::floor_mod;
    switch (row.category) {
      case op_category::unary:
        return count(m_.unary(which, a_), is_exact);
      case op_category::binary:
        return count(m_.binary(which, a_, divides ? m_.constant(element_, {}, 3) : b_), is_exact);
      case op_category::comparison:
        return count(m_.compare(which, a_, b_));
      case op_category::ternary:
        return count(which == op::fma ? m_.fma(a_, b_, a_) : m_.select(are_equal(a_, b_), a_, b_));
      case op_category::convert:
        return add_conversions(which);
      case op_category::reduce:
        count(m_.reduce(which, a_, 0));
        return count(m_.reduce(which, a_, 1));
      case op_category::scan:
        count(m_.scan(which, a_, 0));
        return count(m_.scan(which, a_, 1, 1));
      case op_category::matrix:
        return which == op::mma ? add_product() : add_scaled_product();
      case op_category::shape:
        return add_shape(which);
      case op_category::create:
        if (which == op::table)
          return count(m_.table(element_, {rows_, 1}, std::vector<int>(static_cast<std::size_t>(rows_), 1)));
        return count(which == op::iota ? m_.iota(element_, {1, columns_}, 1) : m_.constant(element_, whole_, 1));
      case op_category::position:
        return add_position(which);
      case op_category::memory:
        return add_memory(which);
      case op_category::structure:
        return add_structure(which);
    }
  }

  void add_conversions(op which) {
    for (int number = 0; number < dtype_count; ++number) {
      const auto other = static_cast<dtype>(number);
      if (which == op::cast && ast::is_converted(element_, other)) count(m_.cast(element_, m_.cast(other, a_)));
      const bool is_equal = info(other).size_bytes == info(element_).size_bytes;
      if (which == op::bitcast && is_equal && ast::takes(op::bitcast, other))
        count(m_.bitcast(element_, m_.bitcast(other, a_)));
    }
  }
  void add_product() {
    for (const dtype sum : {dtype::i32, dtype::f16, dtype::f32, dtype::f64}) {
      if (!ast::is_factor(element_) || !ast::sums_in(element_, sum)) continue;
      const tile_value square = m_.extract(a_, {rows_, rows_}, {0, 1});
      count(m_.mma(square, a_, m_.constant(sum, whole_, 1)));
      const auto batch = [&](tile_value x, std::int32_t columns) { return m_.reshape(x, {1, rows_, columns}); };
      const tile_value whole_sum = batch(m_.constant(sum, whole_, 1), columns_);
      count(m_.reshape(m_.mma(batch(square, rows_), batch(a_, columns_), whole_sum), whole_));
    }
  }
  void add_scaled_product() {
    if (!ast::is_scaled_factor(element_)) return;
    const auto ones = [&](std::int32_t rows, std::int32_t columns, dtype element) {
      return m_.cast(element, m_.constant(dtype::f32, {rows, columns}, 1));
    };
    const tile_value left = ones(rows_, 64, element_), of_left = ones(rows_, 2, dtype::f8e8m0);
    const tile_value right = ones(64, columns_, element_), of_right = ones(2, columns_, dtype::f8e8m0);
    count(m_.mma_scaled(left, of_left, right, of_right, m_.constant(dtype::f32, whole_, 1)));
  }
  void add_shape(op which) {
    switch (which) {
      case op::permute:
        return count(m_.transpose(m_.unary(op::bit_not, are_equal(m_.transpose(a_), m_.transpose(b_)))));
      case op::reshape:
        return count(m_.reshape(m_.reshape(a_, {factor_ * rows_, columns_ / factor_}), whole_));
      case op::broadcast:
        return count(m_.broadcast(m_.extract(a_, {rows_, 1}, {0, 7}), whole_));
      case op::cat:
        return count(m_.extract(m_.cat(a_, b_, 0, {2 * rows_, columns_}), whole_, {1, 0}));
      case op::extract:
        return count(m_.extract(a_, {1, columns_}, {2, 0}));
      default:
        return count(m_.same_shape(a_, whole_));
    }
  }
  void add_position(op which) {
    switch (which) {
      case op::block_id:
        return count(m_.block_id(1));
      case op::block_count:
        return count(m_.block_count(0));
      case op::extent:
        return count(m_.extent(x_, 1));
      case op::tiles:
        return count(m_.tiles(x_, 0, rows_));
      case op::print:
        return m_.print("{}", {a_});
      default:
        return count(m_.dim_value(columns_));
    }
  }
  void add_memory(op which) {
    if (which == op::load) count(m_.load_padded(x_, whole_, {m_.index(0), m_.index(0)}, 1));
    // As tiles lie: windows that overlap would have all loads of the tensor named a pad.
    if (which == op::load_window) count(m_.load_window(x_, whole_, whole_, {m_.index(0), m_.index(0)}));
    if (which == op::load_piece) count(m_.load_piece(y_));
    if (which == op::combine && w_.position >= 0) {
      m_.combine(w_, a_);
      m_.combine(w_, b_);
    }
    if (which == op::combine_at && v_.position >= 0) m_.combine_at(v_, a_, {chosen_rows(), chosen_columns()});
    if (which == op::gather) {
      const tile_value is_low = m_.compare(op::less, chosen_columns(), m_.constant(dtype::i64, {}, 17));
      count(m_.gather(x_, whole_, {chosen_rows(), chosen_columns(), is_low}, true));
    }
    if (which != op::gather_rows) return;
    const bool may_choose = element_ != dtype::boolean && !is_floating(element_);
    count(m_.gather_rows(x_, whole_, m_.iota(may_choose ? element_ : dtype::i32, {rows_, 1}, 0), m_.index(0)));
  }
  tile_value chosen_rows() {
    const bool may_choose = element_ != dtype::boolean && !is_floating(element_);
    return m_.iota(may_choose ? element_ : dtype::i32, {rows_, 1}, 0);
  }
  tile_value chosen_columns() { return m_.iota(dtype::i64, {1, columns_}, 1); }
  // Loops and branches whose variables are tiles of the element.
  void add_structure(op which) {
    if (which == op::scalar) count(m_.scalar_value(s_));
    if (which == op::for_begin) {
      const tile_value variable = m_.copy(a_), other = m_.copy(b_);
      m_.for_begin(m_.index(3));
      const tile_value before = m_.copy(variable);
      m_.assign(variable, other);
      m_.assign(other, before);
      m_.for_end();
      count(variable);
    }
    if (which == op::while_begin) {
      const tile_value variable = m_.copy(a_), other = m_.copy(b_), rounds = m_.copy(m_.index(0));
      m_.while_begin();
      m_.while_condition(m_.compare(op::less, rounds, m_.index(3)));
      const tile_value before = m_.copy(variable);
      m_.assign(variable, other);
      m_.assign(other, before);
      m_.assign(rounds, m_.binary(op::add, rounds, m_.index(1)));
      m_.while_end();
      count(variable);
    }
    if (which == op::reduce_begin || which == op::scan_begin) add_combined(which);
    if (which == op::if_begin) {
      const tile_value variable = m_.undefined(element_, whole_);
      m_.if_begin(m_.compare(op::equal, m_.block_id(0), m_.index(0)));
      m_.assign(variable, b_);
      m_.if_else();
      m_.assign(variable, a_);
      m_.if_end();
      count(variable);
    }
  }

  // Whether a sum so far is less, and the first element that is not 0, which depends on the order: of scans alone.
  void add_combined(op which) {
    const std::vector<tile_value> tiles = {m_.compare(op::less, total_, m_.constant(dtype::i64, {}, 5)), a_};
    for (const std::int32_t axis : {0, 1}) {
      std::vector<std::int32_t> attributes = {axis};
      if (which == op::scan_begin) attributes.push_back(axis);
      const auto combiner = [&](const std::vector<tile_value>& left, const std::vector<tile_value>& right) {
        const tile_value is_zero = are_equal(left[1], m_.constant(element_, {}, 0));
        return std::vector{m_.binary(op::bit_or, left[0], right[0]), m_.select(is_zero, right[1], left[1])};
      };
      const std::vector<tile_value> made = m_.combined(which, tiles, attributes, combiner);
      count(made[0]);
      if (which == op::scan_begin) count(made[1]);
    }
  }

  const dtype element_;
  const std::int32_t rows_, columns_, factor_;  // the factor divides columns
  const extents whole_{rows_, columns_};
  module_builder m_;
  parameter_index z_, y_, x_, s_, w_, v_;
  tile_value a_, b_, total_;
};

class EveryOp : public BackEndTest {};

compiler::argument piece_of(const host_array& output) {
  compiler::argument made = output.argument();
  std::copy(output.extents().begin(), output.extents().end(), made.piece.begin());
  return made;
}

std::vector<i64> result_of(dtype element, const back_end& where, bool has_powers_of_two) {
  every_op all(element, has_powers_of_two);
  for (const ast::violation& v : ast::verify(all.view())) ADD_FAILURE() << "record " << v.record << ": " << v.rule;
  const std::vector<index_t> shape(all.shape().begin(), all.shape().end());
  host_array x(element, shape), y(element, shape);
  const host_array z(dtype::i64, shape);
  // -1, 0 and 1, or 0 and 1: sums and products of floats are exact.
  const int least = is_floating(element) || is_signed(element) ? -1 : 0, span = element == dtype::boolean ? 2 : 3;
  for (index_t i = 0; i < x.size(); ++i) x.set(i, i % span + least);
  for (index_t i = 0; i < y.size(); ++i) y.set(i, i / 2 % span + least);
  compiler::argument scalar;
  scalar.scalar = encode(element, 1);
  std::vector<compiler::argument> arguments = {piece_of(z), piece_of(y), x.argument(), scalar};
  host_array w(element, shape);
  for (index_t i = 0; i < w.size(); ++i) w.set(i, i % 2);
  host_array v = w.clone();
  if (all.combines()) {
    arguments.push_back(piece_of(w));
    arguments.push_back(piece_of(v));
  }
  const compiler::bound_arguments bound = compiler::bind_arguments(all.view(), arguments, {}, {});
  const compiler::program source = compiler::front(all.view(), bound.special);
  compiler::verify_launch(source, arguments, bound.grid);
  EXPECT_TRUE(run(source, where, arguments, bound.grid) || baked_target()) << "refused";
  std::vector<i64> sums = z.values<i64>();
  for (const host_array& piece : {y, w, v}) {
    const std::vector<i64> values = piece.values<i64>();
    sums.insert(sums.end(), values.begin(), values.end());
  }
  return sums;
}

TEST_P(EveryOp, ComputesWhatTheInterpreterComputes) {
  set_print_sink([](const std::string&) {});
  for (int number = 0; number < dtype_count; ++number) {
    const auto element = static_cast<dtype>(number);
    SCOPED_TRACE(info(element).name);
    const bool is_on_gpu = compiler::is_gpu(GetParam().where);
    EXPECT_EQ(result_of(element, GetParam(), is_on_gpu), result_of(element, interp_back_end(), is_on_gpu));
  }
  set_print_sink({});
}

TILEWRIGHT_ON_EVERY_BACK_END(EveryOp);

}  // namespace
}  // namespace tilewright::test
