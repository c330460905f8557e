// SPDX-License-Identifier: Apache-2.0
// A valid module with most kinds of records, for tests that damage one.
#pragma once

#include "support/module_builder.hpp"

namespace tilewright::test {

inline void build_good_module(module_builder& m) {
  const auto bm = m.symbol("BM"), bk = m.symbol("BK");
  const auto z = m.out(dtype::f32, {bm, 1}), y = m.in_out(dtype::i32, {4});
  const auto x = m.in(dtype::f16, {ast::dynamic_extent, ast::dynamic_extent}), table = m.in(dtype::f32, {10, 4});
  const auto a = m.scalar(dtype::f32);
  const auto scale = m.scalar_value(a);
  const auto sum = m.constant(dtype::f32, {bm, 1}, 0.0);
  const auto k = m.for_begin(m.tiles(x, 1, bk), true);
  const auto part = m.cast(dtype::f32, m.load_padded(x, {bm, bk}, {m.block_id(0), k}, 0.0));
  m.assign(sum, m.binary(op::add, sum, m.reduce(op::reduce_sum, part, 1)));
  m.for_end();
  m.combined(op::scan_begin, {sum, m.cast(dtype::i8, sum)}, {0, 1}, [&](const auto& left, const auto& right) {
    const auto least = m.copy(left[0]);
    m.assign(least, m.binary(op::minimum, least, m.binary(op::multiply, right[0], scale)));
    return std::vector{least, m.binary(op::add, left[1], m.constant(dtype::i8, {}, 1))};
  });
  const auto positive = m.compare(op::less, m.constant(dtype::f32, {}, 0.0), scale);
  const auto chosen = m.undefined(dtype::f32, {bm, 1});
  m.if_begin(positive);
  m.assign(chosen, m.binary(op::multiply, sum, scale));
  m.if_else();
  m.assign(chosen, m.fma(sum, scale, sum));
  m.if_end();
  m.store(z, m.select(positive, chosen, sum));
  const auto rows = m.reshape(m.iota(dtype::i32, {4}, 0), {4, 1});
  const auto gathered = m.gather_rows(table, {4, 4}, rows, m.index(0));
  const auto four = m.extract(m.transpose(m.cat(gathered, gathered, 0, {8, 4})), {4, 4}, {0, 1});
  const auto product = m.mma(four, m.broadcast(m.reduce(op::reduce_max, four, 0), {4, 4}), four);
  m.store(y,
          m.binary(op::add, m.load_piece(y), m.cast(dtype::i32, m.reshape(m.extract(product, {4, 1}, {0, 2}), {4}))));
}

}  // namespace tilewright::test
