// SPDX-License-Identifier: Apache-2.0
// Tensors whose loaded tiles meet a reshape that merges axes: as what it takes, or beside what it gives. The assembler
// (13.4.92) gives such a load the layout that the reshape wants and reads vectors as if it were the tensor's own:
// across the ends of rows, misaligned, or neighbours where a thread holds every second element. It must not know that
// wider accesses would be aligned. docs/gpu.md tells how this was found.
#include "compiler/loops.hpp"
#include "compiler/tileir/code_builder.hpp"
#include "compiler/tileir/view_masks.hpp"

namespace tilewright::compiler::tileir {
namespace {

using ast::op;

tile_shape without_ones(const value_type& type) {
  tile_shape kept;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(type.rank); ++axis) {
    if (type.extents[axis] != 1) kept.push_back(type.extents[axis]);
  }
  return kept;
}

// Whether an axis of the result holds elements of several axes.
bool merges_axes(const value_type& from, const value_type& to) {
  const tile_shape before = without_ones(from);
  std::size_t next = 0;
  std::int64_t left = 1;  // of the axis of the operand that is not used up
  for (const std::int64_t extent : without_ones(to)) {
    if (left == 1) left = before[next++];
    if (left % extent != 0) return true;
    left /= extent;
  }
  return false;
}

// Tiles that the assembler may give one layout: an operation on elements, on a shape or along an axis works in the
// layout of what it takes, or makes what it takes in the layout that its users want, in whatever order stands here.
class layouts {
 public:
  explicit layouts(const program& source)
      : source_(source), parent_(source.values.size()), merges_(parent_.size()), is_splat_(parent_.size()) {
    for (std::size_t i = 0; i < parent_.size(); ++i) parent_[i] = static_cast<value_id>(i);
    read(source.entry);
  }

  // The tensors with a loaded tile whose layout a reshape that merges axes may have chosen.
  std::vector<std::int32_t> flattened_tensors() {
    std::vector<std::int32_t> found;
    for (const auto& [tile, tensor] : loaded_) {
      if (merges_[at(root(tile))]) found.push_back(tensor);
    }
    return found;
  }

 private:
  static std::size_t at(value_id id) { return static_cast<std::size_t>(id); }
  const value_type& type(value_id id) const { return source_.values[at(id)]; }

  void read(const block& code) {
    for (const instruction& i : code.body) {
      for (const block& inner : i.blocks) read(inner);
      read(i);
    }
  }

  void read(const instruction& i) {
    switch (ast::info(i.op).category) {
      case ast::op_category::position:
        break;
      case ast::op_category::create:
        if (i.op == op::constant) is_splat_[at(i.results[0])] = true;
        break;
      case ast::op_category::memory:
        for (const value_id result : i.results) loaded_.push_back({result, static_cast<std::int32_t>(i.attributes[0])});
        if (!i.results.empty()) join_all(i);  // indices of elements, too
        break;
      case ast::op_category::matrix:
        join(i.operands[2], i.results[0]);
        break;
      case ast::op_category::structure:
        read_structure(i);
        break;
      default:
        read_elements(i);
        break;
    }
  }

  void read_structure(const instruction& i) {
    if (i.op == op::reduce_begin || i.op == op::scan_begin) return join_all(i);
    for (std::size_t n = 0; n < i.results.size(); ++n) {
      for (const block& inner : i.blocks) join(inner.yields[n], i.results[n]);
      if (!is_loop(i)) continue;
      join(i.operands[first_initial(i) + n], i.results[n]);
      join(i.blocks[0].arguments[first_carried(i) + n], i.results[n]);
    }
  }

  void read_elements(const instruction& i) {
    bool is_splat = true;
    for (const value_id operand : i.operands) is_splat = is_splat && has_no_layout(operand);
    for (const value_id result : i.results) is_splat_[at(result)] = is_splat;
    join_all(i);
    if (i.op == op::reshape && merges_axes(type(i.operands[0]), type(i.results[0]))) {
      merges_[at(root(i.results[0]))] = true;
    }
  }

  // One element, or the same one everywhere: made anew wherever it is used.
  bool has_no_layout(value_id id) const { return is_splat_[at(id)] || type(id).elements() == 1; }

  void join_all(const instruction& i) {
    for (const value_id result : i.results) {
      for (const value_id operand : i.operands) join(operand, result);
    }
  }

  void join(value_id a, value_id b) {
    if (has_no_layout(a) || has_no_layout(b)) return;
    a = root(a);
    b = root(b);
    if (merges_[at(b)]) merges_[at(a)] = true;
    parent_[at(b)] = a;
  }

  value_id root(value_id id) {
    while (parent_[at(id)] != id) id = parent_[at(id)] = parent_[at(parent_[at(id)])];
    return id;
  }

  const program& source_;
  std::vector<value_id> parent_;                           // by value; a root is its own
  std::vector<bool> merges_;                               // by root
  std::vector<bool> is_splat_;                             // by value
  std::vector<std::pair<value_id, std::int32_t>> loaded_;  // tile and parameter
};

}  // namespace

std::vector<bool> find_flattened(const program& source) {
  std::vector<bool> found(source.parameters.size());
  for (const std::int32_t tensor : layouts(source).flattened_tensors()) found[static_cast<std::size_t>(tensor)] = true;
  return found;
}

}  // namespace tilewright::compiler::tileir
