// SPDX-License-Identifier: Apache-2.0
// Rules of views, loads, stores and atomics.
#include <algorithm>

#include "compiler/tileir/type_rules.hpp"

namespace tilewright::compiler::tileir {
namespace {

bool is_view(const type& t) {
  return t.tag == type_tag::partition_view || t.tag == type_tag::strided_view || t.tag == type_tag::gather_scatter_view;
}

// ---- Views
const char* broken_tensor_view(const typed_operation& x) {
  if (x.op.results.size() != 1 || x.result().tag != type_tag::tensor_view) return "the result is no tensor view";
  const type &view = x.result(), &base = x.operand(0);
  if (!x.is_tile(base) || !base.shape.empty() || x.element(base) != type_tag::pointer) return "the base is no pointer";
  if (!x.are_same(x.at(base.element).element, view.element)) return "the base points to another element";
  const auto open = [](const std::vector<std::int64_t>& numbers) {
    return static_cast<std::uint32_t>(std::count(numbers.begin(), numbers.end(), dynamic));
  };
  if (x.op.groups[0] != open(view.shape) || x.op.groups[1] != open(view.strides)) {
    return "another number of extents or strides than the type leaves open";
  }
  for (std::size_t n = 1; n < x.operands.size(); ++n) {
    if (!x.is_integer_scalar(x.operand(n)) || !x.are_same(x.operands[n], x.operands[1])) {
      return "extents and strides are no integers of one type";
    }
  }
  return nullptr;
}

const char* broken_tiled_view(const typed_operation& x) {
  const type_tag wanted = x.op.code == opcode::make_partition_view ? type_tag::partition_view
                          : x.op.code == opcode::make_strided_view ? type_tag::strided_view
                                                                   : type_tag::gather_scatter_view;
  if (x.result().tag != wanted) return "the result is another kind of view";
  return x.are_same(x.result().element, x.operands[0]) ? nullptr : "the result is a view of another tensor";
}

const char* broken_shape_query(const typed_operation& x) {
  const type& asked = x.operand(0);
  const bool is_right = x.op.code == opcode::get_tensor_shape ? asked.tag == type_tag::tensor_view : is_view(asked);
  if (!is_right) return "there is no shape of such a type";
  if (x.op.results.size() != asked.shape.size()) return "another number of results than axes";
  for (std::size_t n = 0; n < x.op.results.size(); ++n) {
    if (!x.is_integer_scalar(x.result(n)) || !x.are_same(x.op.results[n], x.op.results[0])) {
      return "the results are no integers of one type";
    }
  }
  return nullptr;
}

// ---- Memory order
enum : std::uint64_t { weak, relaxed, acquire, release, acquire_release };

const char* broken_order(const typed_operation& x, std::uint64_t stronger) {
  const std::uint64_t order = x.op.fields[0];
  if (order != weak && order != relaxed && order != stronger) return "no such memory order of this access";
  return (order == weak) == !x.has_flag(0) ? nullptr : "a scope belongs to every order but weak";
}

// ---- Accesses through views: a tile of the view, its indices, the order
struct view_access {
  const type* view;
  const type* tile;
  std::size_t first_index;
};

const char* broken_indices(const typed_operation& x, const view_access& access) {
  const type& view = *access.view;
  const std::size_t count = x.op.groups[0];
  if (count != view.shape.size()) return "another number of indices than axes";
  const bool is_sparse = view.tag == type_tag::gather_scatter_view;
  for (std::size_t axis = 0; axis < count; ++axis) {
    const type& index = x.operand(access.first_index + axis);
    if (is_sparse && axis == view.sparse_axis) {
      const bool is_list = x.is_tile(index) && is_integer(x.element(index)) && index.shape.size() == 1;
      if (!is_list || index.shape[0] != view.shape[axis]) return "the rows are no integers, one for each";
    } else if (!x.is_integer_scalar(index)) {
      return "an index is no integer";
    } else if (!is_sparse && !x.are_same(x.operands[access.first_index + axis], x.operands[access.first_index])) {
      return "the indices are of two types";
    }
  }
  return nullptr;
}

const char* broken_view_access(const typed_operation& x, const view_access& access, int bounds_since) {
  if (!is_view(*access.view)) return "no view";
  if (!x.is_tile(*access.tile)) return "what is loaded or stored is no tile";
  const type& tensor = x.at(access.view->element);
  if (!x.are_same(access.tile->element, tensor.element)) return "the tile's elements are not the tensor's";
  if (access.tile->shape != access.view->shape) return "the tile's shape is not the view's";
  if (x.from.minor >= bounds_since && x.op.list.size() != access.view->shape.size()) {
    return "another number of bounds than axes";
  }
  return broken_indices(x, access);
}

const char* broken_ends(const typed_operation& x, std::size_t results, std::size_t token_from) {
  if (x.op.results.size() != results || !x.is_token(x.result(results - 1))) return "the last result is no token";
  for (std::size_t n = token_from; n < x.operands.size(); ++n) {
    if (!x.is_token(x.operand(n))) return "the last operand is no token";
  }
  return nullptr;
}

const char* broken_load_view(const typed_operation& x) {
  if (const char* rule = broken_ends(x, 2, 1 + x.op.groups[0])) return rule;
  const int bounds_since = x.op.code == opcode::load_view ? 4 : 5;
  if (const char* rule = broken_view_access(x, {&x.operand(0), &x.result(), 1}, bounds_since)) return rule;
  return broken_order(x, acquire);
}

const char* broken_store_view(const typed_operation& x, std::size_t tile_at, std::size_t view_at) {
  if (const char* rule = broken_ends(x, 1, 2 + x.op.groups[0])) return rule;
  const int bounds_since = x.op.code == opcode::store_view ? 4 : 5;
  return broken_view_access(x, {&x.operand(view_at), &x.operand(tile_at), 2}, bounds_since);
}

// ---- Atomics
const char* broken_mode(std::uint64_t mode, type_tag element, bool may_exchange) {
  enum : std::uint64_t { add_float = 4, exchange = 9 };
  if (mode == add_float) return is_arithmetic(element) ? nullptr : "addf adds floats";
  const bool is_number_of_32_or_64 = is_number(element) && (bits_of(element) == 32 || bits_of(element) == 64);
  if (mode == exchange) return may_exchange && is_number_of_32_or_64 ? nullptr : "such values are not exchanged";
  return element == type_tag::i32 || element == type_tag::i64 ? nullptr : "the elements are no i32 or i64";
}

const char* broken_reduce_view(const typed_operation& x) {  // view, indices, value
  const std::size_t value_at = 1 + x.op.groups[0];
  if (const char* rule = broken_ends(x, 1, value_at + 1)) return rule;
  if (const char* rule = broken_view_access(x, {&x.operand(0), &x.operand(value_at), 1}, 5)) return rule;
  if (x.operand(0).tag == type_tag::gather_scatter_view || x.operand(0).pad) return "no such view is reduced into";
  if (x.op.fields[0] != relaxed || x.op.fields[1] > 1) return "reductions are relaxed, of a block or the device";
  return broken_mode(x.op.fields[2], x.element(x.operand(value_at)), false);
}

// ---- Accesses through pointers
// The tile that the pointers lead to: `value` must be of its element and their shape.
const char* broken_pointers(const typed_operation& x, const type& value) {
  const type& pointers = x.operand(0);
  if (!x.is_tile(pointers) || x.element(pointers) != type_tag::pointer) return "the first operand is no pointer";
  if (!x.is_tile(value) || value.shape != pointers.shape) return "the value is not of the pointers' shape";
  return x.are_same(value.element, x.at(pointers.element).element) ? nullptr : "the pointers lead to another element";
}

const char* broken_mask(const typed_operation& x, std::size_t at) {
  return x.is_condition(x.operand(at)) && x.operand(at).shape == x.operand(0).shape ? nullptr
                                                                                    : "the mask is no i1 of the shape";
}

const char* broken_load_pointers(const typed_operation& x) {
  if (const char* rule = broken_pointers(x, x.result())) return rule;
  std::size_t next = 1;
  if (x.has_flag(2)) {
    if (const char* rule = broken_mask(x, next++)) return rule;
  }
  if (x.has_flag(3) && !x.are_same(x.operands[next++], x.op.results[0])) return "the padding is of another type";
  if (const char* rule = broken_ends(x, 2, next)) return rule;
  return broken_order(x, acquire);
}

const char* broken_store_pointers(const typed_operation& x) {
  if (const char* rule = broken_pointers(x, x.operand(1))) return rule;
  std::size_t next = 2;
  if (x.has_flag(2)) {
    if (const char* rule = broken_mask(x, next++)) return rule;
  }
  if (const char* rule = broken_ends(x, 1, next)) return rule;
  return broken_order(x, release);
}

const char* broken_atomic(const typed_operation& x) {
  if (const char* rule = broken_pointers(x, x.result())) return rule;
  const std::size_t values = x.op.code == opcode::atomic_cas ? 3 : 2;  // the pointers, then one or two
  for (std::size_t n = 1; n < values; ++n) {
    if (!x.are_same(x.operands[n], x.op.results[0])) return "a value is of another type than the result";
  }
  std::size_t next = values;
  if (x.has_flag(0)) {
    if (const char* rule = broken_mask(x, next++)) return rule;
  }
  if (const char* rule = broken_ends(x, 2, next)) return rule;
  if (x.op.fields[0] == weak) return "an atomic access is not weak";
  const type_tag element = x.element(x.result());
  if (x.op.code == opcode::atomic_rmw) return broken_mode(x.op.fields[2], element, true);
  return bits_of(element) == 32 || bits_of(element) == 64 ? nullptr : "the elements have other than 32 or 64 bits";
}

}  // namespace

const char* broken_view(const typed_operation& x) {
  if (x.op.code == opcode::make_tensor_view) return broken_tensor_view(x);
  if (x.op.code == opcode::get_tensor_shape || x.op.code == opcode::get_index_space_shape) return broken_shape_query(x);
  return broken_tiled_view(x);
}

const char* broken_access(const typed_operation& x) {
  switch (x.op.code) {
    case opcode::load_view:
    case opcode::multimem_load_reduce:
      return broken_load_view(x);
    case opcode::store_view:
      if (const char* rule = broken_store_view(x, 0, 1)) return rule;
      return broken_order(x, release);
    case opcode::multimem_reduce:
    case opcode::multimem_store:
      return broken_store_view(x, 1, 0);
    case opcode::atomic_red_view:
      return broken_reduce_view(x);
    case opcode::load_ptr:
      return broken_load_pointers(x);
    case opcode::store_ptr:
      return broken_store_pointers(x);
    default:
      return broken_atomic(x);
  }
}

}  // namespace tilewright::compiler::tileir
