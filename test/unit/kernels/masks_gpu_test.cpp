// SPDX-License-Identifier: Apache-2.0
// The report of masks and the Tile IR of a kernel say the same. Of each access in the code: whether its view is of
// tiles that the code says end inside the tensor, or whether its pointers have a mask.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/text.hpp"
#include "unit/kernels/corpus.hpp"

namespace tilewright::test {
namespace {

namespace tileir = compiler::tileir;
using compiler::mask_entry;
using tileir::opcode;

// By record: the masked axes; all_lanes for an access through pointers that has a mask.
using masks_by_record = std::map<int, std::set<int>>;

// Reads what the code says of the extents that its views have.
class mask_reader {
 public:
  explicit mask_reader(const tileir::bytecode& code) : code_(code) {
    const tileir::type& signature = code.types[code.kernels[0].signature];
    values_.resize(signature.parameters.size());
    visit(code.kernels[0].body);
  }
  const masks_by_record& found() const { return found_; }

 private:
  // Of a value: what it is known to be a multiple of; of a view also its type and what its tensor's extents are.
  struct known {
    std::int64_t divisor = 1;
    std::vector<std::int64_t> extents = {};
    const tileir::type* view = nullptr;
  };

  void visit(const std::vector<tileir::operation>& body) {
    for (const tileir::operation& op : body) {
      for (const tileir::region& inner : op.regions) {
        const std::size_t outside = values_.size();
        values_.resize(outside + inner.arguments.size());
        visit(inner.body);
        values_.resize(outside);
      }
      note_access(op);
      const known made = result_of(op);
      values_.resize(values_.size() + op.results.size());
      if (!op.results.empty()) values_[values_.size() - op.results.size()] = made;
    }
  }

  known result_of(const tileir::operation& op) const {
    if (op.code == opcode::assume) {
      known made = values_[op.operands[0]];
      const tileir::attribute& what = op.attributes[0];
      if (what.tag == tileir::attribute_tag::divisible) {
        made.divisor = std::lcm(made.divisor, static_cast<std::int64_t>(what.word));
      }
      return made;
    }
    if (op.code == opcode::make_tensor_view) return {.extents = extents_of(op)};
    const bool is_view = op.code == opcode::make_partition_view || op.code == opcode::make_strided_view;
    if (is_view) return {.extents = values_[op.operands[0]].extents, .view = &code_.types[op.results[0]]};
    return {};
  }

  // By axis what the extent is a multiple of, or the extent itself.
  std::vector<std::int64_t> extents_of(const tileir::operation& op) const {
    std::vector<std::int64_t> all = code_.types[op.results[0]].shape;
    std::size_t next = 1;
    for (std::int64_t& extent : all) {
      if (extent == tileir::dynamic) extent = values_[op.operands[next++]].divisor;
    }
    return all;
  }

  void note_access(const tileir::operation& op) {
    if (op.code == opcode::load_view) return note_view(op, values_[op.operands[0]]);
    if (op.code == opcode::store_view) return note_view(op, values_[op.operands[1]]);
    const bool is_loaded = op.code == opcode::load_ptr, is_stored = op.code == opcode::store_ptr;
    if (!is_loaded && !is_stored && op.code != opcode::atomic_rmw) return;
    const std::uint32_t has_mask = op.code == opcode::atomic_rmw ? 1 : 4;
    if ((op.flags & has_mask) != 0) found_[record_of(op)].insert(mask_entry::all_lanes);
  }

  void note_view(const tileir::operation& op, const known& viewed) {
    const tileir::type& view = *viewed.view;
    for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
      const std::int64_t tile = view.shape[axis];
      const std::int64_t step = view.strides.empty() ? tile : view.strides[axis];
      if (viewed.extents[axis] % tile != 0 || step % tile != 0) {
        found_[record_of(op)].insert(static_cast<int>(axis));
      }
    }
  }

  // Debug locations hold record numbers, from 1 on.
  int record_of(const tileir::operation& op) const {
    return static_cast<int>(code_.debug[op.location - 1].fields[2]) - 1;
  }

  const tileir::bytecode& code_;
  std::vector<known> values_;
  masks_by_record found_;
};

bool has_pointers(const mask_entry& mask) {
  return ast::chooses_elements(mask.access) || mask.access == ast::op::gather_rows ||
         mask.access == ast::op::store_rows || mask.access == ast::op::combine;
}

masks_by_record masks_on_gpu(const compiler::program& source) {
  masks_by_record found;
  for (const mask_entry& mask : compiler::masks_of(source).entries) {
    if (mask.on_gpu) found[mask.location.record].insert(has_pointers(mask) ? mask_entry::all_lanes : mask.axis);
  }
  return found;
}

void expect_masks_as_reported(const compiler::program& source) {
  const tileir::bytecode code = tileir::emit(source, compiler::target::sm_90);
  EXPECT_EQ(mask_reader(code).found(), masks_on_gpu(source)) << to_text(source) << tileir::to_text(code);
}

TEST(MasksOnAGpu, AreThoseOfTheReport) {
  for (const library_launch& launch : corpus_launches()) {
    SCOPED_TRACE(launch.module->name);
    compiler::program source = launch.program();
    expect_masks_as_reported(source);
    for (compiler::program_parameter& parameter : source.parameters) parameter.facts.divides.fill(true);
    expect_masks_as_reported(source);
    for (compiler::program_parameter& parameter : source.parameters) {
      for (int axis = 0; axis < parameter.rank; ++axis) {
        parameter.facts.divides[static_cast<std::size_t>(axis)] = false;
        expect_masks_as_reported(source);
        parameter.facts.divides[static_cast<std::size_t>(axis)] = true;
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace tilewright::test
