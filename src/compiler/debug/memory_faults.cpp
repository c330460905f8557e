// SPDX-License-Identifier: Apache-2.0
#include "compiler/debug/memory_faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tilewright::compiler::debug {
namespace {

std::size_t at(std::int64_t position) { return static_cast<std::size_t>(position); }

use use_of(ast::op which) {
  if (which == ast::op::combine || which == ast::op::combine_at) return use::combine;
  return ast::writes_piece(which) ? use::store : use::read;
}

const char* verb_of(use how) {
  switch (how) {
    case use::read:
      return "reads";
    case use::store:
      return "writes";
    case use::combine:
      return "combines into";
  }
  return "";
}

std::int64_t number_of(const block_run& block) {
  std::int64_t number = 0;
  for (std::size_t axis = 0; axis < max_rank; ++axis) number = number * block.grid()[axis] + block.block_id()[axis];
  return number;
}

}  // namespace

std::string parameter_text(const program& source, std::int64_t parameter) {
  return fmt::format("parameter {} ({})", parameter, parameter_kind_name(source.parameters[at(parameter)].kind));
}

std::string place_text(const std::vector<index_t>& place) { return fmt::format("[{}]", fmt::join(place, ", ")); }

void memory_faults::begin(const block_run& block) {
  block_ = &block;
  number_ = number_of(block);
  if (outputs_.empty()) note_outputs(block);
}

void memory_faults::note_outputs(const block_run& block) {
  for (std::size_t p = 0; p < source_.parameters.size(); ++p) {
    const program_parameter& parameter = source_.parameters[p];
    output made{{}, info(parameter.element).size_bytes, nullptr, nullptr};
    if (is_output(parameter.kind)) {
      made.whole = block.tensor_of(static_cast<std::int64_t>(p));
      made.first = made.last = made.whole.address;
      for (int axis = 0; axis < made.whole.rank; ++axis) {
        const index_t bytes = (made.whole.extents[axis] - 1) * made.whole.strides[axis] * made.element_bytes;
        (bytes < 0 ? made.first : made.last) += bytes;
      }
    }
    outputs_.push_back(made);
  }
}

bool memory_faults::may_be_written(const std::byte* element) const {
  return std::any_of(outputs_.begin(), outputs_.end(),
                     [&](const output& each) { return each.first <= element && element <= each.last; });
}

void memory_faults::add(debug_fault what, const instruction& i, const steps& element, std::string got,
                        std::string fix) {
  const auto parameter = static_cast<int>(i.attributes[0]);
  const int rank = source_.parameters[at(parameter)].rank;
  found_.add({.what = what,
              .place = place_of(source_, &i, block_of(source_, *block_)),
              .parameter = parameter,
              .element = {element.begin(), element.begin() + rank},
              .got = std::move(got),
              .fix = std::move(fix)});
}

void memory_faults::done(const instruction& i, const block_run& block, const std::vector<covered_lane>& lanes) {
  const use how = use_of(i.op);
  if (options_.has_uninitialised && how != use::store) require_written(i, lanes);
  if (options_.has_races) require_no_other(i, lanes, how);
  if (how == use::read) return;
  const auto size = at(accessed_tile(i, block).element_bytes());
  for (const covered_lane& each : lanes) shadow_.write(each.address, size, written::by_launch);
}

void memory_faults::require_written(const instruction& i, const std::vector<covered_lane>& lanes) {
  for (const covered_lane& each : lanes) {
    if (shadow_.at(each.address) != written::never) continue;
    add(debug_fault::uninitialised, i, each.place, "an element that nobody has written",
        "make the tensor with zeros(), full() or from_host(), or let a launch write all of it first");
  }
}

void memory_faults::require_no_other(const instruction& i, const std::vector<covered_lane>& lanes, use how) {
  for (const covered_lane& each : lanes) {
    if (!may_be_written(each.address)) continue;
    const element_users::conflict met = users_.note(each.address, how, number_);
    if (met.block == element_users::nobody) continue;
    std::vector<index_t> other(at(source_.grid_rank));
    std::int64_t rest = met.block;
    for (std::size_t axis = max_rank; axis-- > 0; rest /= block_->grid()[axis]) {
      if (axis < other.size()) other[axis] = rest % block_->grid()[axis];
    }
    add(debug_fault::race, i, each.place,
        fmt::format("this block {} an element that block {} {}", verb_of(how), place_text(other), verb_of(met.how)),
        "give each block a piece of its own, or combine() into an Accum");
  }
}

void memory_faults::finish() {
  if (!options_.has_uninitialised) return;
  for (std::size_t p = 0; p < outputs_.size(); ++p) {
    if (source_.parameters[p].kind != parameter_kind::out) continue;
    for (const covered_lane& each : elements_of(outputs_[p].whole, outputs_[p].element_bytes)) {
      if (shadow_.at(each.address) != written::never) continue;
      const int rank = source_.parameters[p].rank;
      found_.add({.what = debug_fault::unwritten,
                  .place = place_of(source_, nullptr, {}),
                  .parameter = static_cast<int>(p),
                  .element = {each.place.begin(), each.place.begin() + rank},
                  .got = "an element of an output that no block has stored",
                  .fix = "store() the block's whole piece on each way through the kernel"});
    }
  }
}

}  // namespace tilewright::compiler::debug
