// SPDX-License-Identifier: Apache-2.0
// Appends operations to the innermost open block of one kernel and numbers their results. Values know their element and
// shape, so that callers need not look types up.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "compiler/tileir/tables.hpp"

namespace tilewright::compiler::tileir {

// A tile; pointers, views and tokens are named by their number alone. Rank 0 is a scalar.
struct code_value {
  value_number number = 0;
  type_tag element = type_tag::i32;
  tile_shape shape;
};

// Bytes of one-byte attributes by name (3.2 of the format notes).
enum rounding : std::uint64_t {
  nearest_even = 0,
  toward_zero = 1,
  down = 2,
  up = 3,
  approximate = 4,
  full = 5,
  to_integer = 6
};
enum comparison_predicate : std::uint64_t { equal, not_equal, less, less_equal, greater, greater_equal };
enum signedness : std::uint64_t { is_unsigned, is_signed };
enum comparison_order : std::uint64_t { unordered, ordered };

inline constexpr std::uint32_t flush_to_zero = 1;  // flag of arithmetic on f32: denormals become 0

bool is_float(type_tag element);

class code_builder {
 public:
  explicit code_builder(tables& ids) : ids_(ids), open_(1) {}
  tables& ids() { return ids_; }
  void set_location(std::uint32_t debug_id) { location_ = debug_id; }

  // ---- Operations
  // The number of the first result. `made` needs all but results' numbers and location.
  value_number append(operation made);
  code_value tile_op(opcode code, type_tag element, tile_shape shape, std::initializer_list<value_number> operands,
                     std::initializer_list<std::uint64_t> fields = {}, std::uint32_t flags = 0);
  // As `like` in element and shape.
  code_value like_op(opcode code, const code_value& like, std::initializer_list<value_number> operands,
                     std::initializer_list<std::uint64_t> fields = {}, std::uint32_t flags = 0) {
    return tile_op(code, like.element, like.shape, operands, fields, flags);
  }
  void terminate(opcode code, const std::vector<value_number>& operands);

  // ---- Common ones
  code_value splat(type_tag element, const tile_shape& shape, std::uint64_t bits);
  code_value integer(type_tag element, std::int64_t number, const tile_shape& shape = {}) {
    return splat(element, shape, static_cast<std::uint64_t>(number));
  }
  code_value reshape(const code_value& x, const tile_shape& shape);
  code_value broadcast(const code_value& x, const tile_shape& shape);          // 1 -> n, and from rank 0
  code_value converted(const code_value& x, type_tag to);                      // of floats, rounded to nearest even
  code_value resized(const code_value& x, type_tag element, signedness sign);  // integers: widened, cut, or itself
  // The part of `shape` at `place`, which counts in parts.
  code_value extract(const code_value& x, const tile_shape& shape, std::span<const std::int64_t> place);
  code_value compare(comparison_predicate predicate, signedness sign, const code_value& a, const code_value& b);
  code_value compare_floats(comparison_predicate predicate, comparison_order order, const code_value& a,
                            const code_value& b);
  code_value select(const code_value& condition, const code_value& a, const code_value& b);
  code_value both(const code_value& a, const code_value& b) { return like_op(opcode::andi, a, {a.number, b.number}); }
  code_value either(const code_value& a, const code_value& b) { return like_op(opcode::ori, a, {a.number, b.number}); }
  code_value add(const code_value& a, const code_value& b) {
    return like_op(opcode::addi, a, {a.number, b.number}, {0});
  }
  code_value subtract(const code_value& a, const code_value& b) {
    return like_op(opcode::subi, a, {a.number, b.number}, {0});
  }
  code_value multiply(const code_value& a, const code_value& b) {
    return like_op(opcode::muli, a, {a.number, b.number}, {0});
  }
  code_value lesser(const code_value& a, const code_value& b) {
    return like_op(opcode::mini, a, {a.number, b.number}, {is_signed});
  }
  code_value greater(const code_value& a, const code_value& b) {
    return like_op(opcode::maxi, a, {a.number, b.number}, {is_signed});
  }
  // 0, 1, 2, ... along one axis of `shape`.
  code_value iota(type_tag element, const tile_shape& shape, std::size_t axis);
  // Whether a lane's place on the axis is below `count` (rank 0, i32 or i64).
  code_value lanes_below(const code_value& count, const tile_shape& shape, std::size_t axis);

  // ---- Regions: open, fill, terminate, close. Results are numbered as if nothing had been inside.
  std::vector<value_number> open_region(const std::vector<type_id>& arguments);
  region close_region();

  type_id type_of(const code_value& x) { return ids_.tile(x.element, x.shape); }
  value_number next_number() const { return next_; }
  void reserve_parameters(std::size_t count) { next_ = static_cast<value_number>(count); }
  std::vector<operation> finish();  // with the return

 private:
  struct open_block {
    region made;
    value_number outside = 0;
  };
  tables& ids_;
  std::vector<open_block> open_;
  value_number next_ = 0;
  std::uint32_t location_ = 0;
};

// The bytes that stand for every element of a constant.
std::string splat_bytes(type_tag element, std::uint64_t bits);

}  // namespace tilewright::compiler::tileir
