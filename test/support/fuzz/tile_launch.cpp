// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/tile_launch.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <sstream>

#include "compiler/tile_access.hpp"
#include "numeric/special_values.hpp"
#include "support/element_bits.hpp"

namespace tilewright::test {
namespace {

using compiler::argument;
using compiler::program;
using compiler::program_parameter;
using compiler::tensor_facts;

std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }

// Small numbers, and now and then any bits or a number that breaks arithmetic.
class element_maker {
 public:
  element_maker(dtype element, std::uint32_t seed)
      : element_(element), random_(seed), special_(special_values(element)) {}
  std::uint64_t next() {
    const std::uint64_t high = random_();
    const std::uint64_t wild = high << 32 | random_();
    if (element_ == dtype::boolean) return wild & 1;
    const auto choice = random_() % 12;
    if (choice == 0) return low_bits(element_, wild);
    if (choice == 1) return special_[wild % special_.size()];
    const int number = static_cast<int>(wild % 200) - (is_unsigned(element_) ? 0 : 100);
    if (is_floating(element_) && choice > 6) return encode(element_, number / 16.0);
    return encode(element_, number);
  }

 private:
  dtype element_;
  std::mt19937 random_;
  std::vector<std::uint64_t> special_;
};

// ---- Comparison
bool are_close(dtype element, std::uint64_t got, std::uint64_t expected, double ulp) {
  if (got == expected) return true;
  if (!is_floating(element)) return false;
  const real a = decode(element, got), b = decode(element, expected);
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (ulp == 0) return false;
  // Infinity is what lies one unit past the largest number.
  const auto bounded = [&](real number) {
    const real past = largest(element) + spacing(element, largest(element));
    return std::fmin(std::fmax(number, -past), past);
  };
  const real unit = spacing(element, std::fmin(std::fmax(std::fabs(a), std::fabs(b)), largest(element)));
  return std::fabs(bounded(a) - bounded(b)) <= static_cast<real>(ulp) * unit;
}

std::string element_text(dtype element, std::uint64_t bits) {
  std::ostringstream text;
  text.precision(std::max(6, info(element).mantissa_bits / 3 + 1));
  text << decode(element, bits) << " (bits 0x" << std::hex << bits << ")";
  return text.str();
}

// ---- Facts
std::int32_t power_of_two_in(std::uint64_t number, std::int32_t most) {
  std::int32_t power = 1;
  while (power < most && number % (2 * static_cast<std::uint64_t>(power)) == 0) power *= 2;
  return power;
}

tensor_facts form_of(const argument& tensor) {
  tensor_facts facts;
  if (tensor.address == nullptr) return facts;
  facts.alignment_bytes = power_of_two_in(reinterpret_cast<std::uintptr_t>(tensor.address), 128);
  for (std::size_t axis = 0; axis < at(tensor.rank); ++axis) {
    facts.stride_divisor[axis] = power_of_two_in(static_cast<std::uint64_t>(tensor.strides[axis]), 16);
    facts.unit_stride[axis] = tensor.strides[axis] == 1;
    facts.divides[axis] = facts.single_tile[axis] = true;
  }
  facts.fits_31_bits = true;
  return facts;
}

}  // namespace

std::string to_text(const difference& found) {
  return "parameter " + std::to_string(found.parameter) + " at " + found.place + ": expected " + found.expected +
         ", got " + found.got;
}

tile_launch::tile_launch(const program& source, const launch_form& form) : form_(form) {
  for (std::size_t p = 0; p < source.parameters.size(); ++p) {
    add(source.parameters[p], form.tensors[p]);
    if (source.parameters[p].kind == parameter_kind::unique) write_unique(source, p);
  }
}

index_t tile_launch::blocks() const {
  index_t all = 1;
  for (const index_t extent : form_.grid) all *= extent;
  return all;
}

void tile_launch::add(const program_parameter& parameter, const tensor_form& form) {
  argument made;
  element_maker elements(parameter.element, form.data_seed);
  tensors_.emplace_back();
  if (parameter.kind == parameter_kind::scalar) {
    made.scalar = elements.next();
    arguments_.push_back(made);
    return;
  }
  made.rank = parameter.rank;
  made.extents = form.extents;
  made.strides = form.strides;
  if (is_output(parameter.kind)) std::copy(parameter.piece.begin(), parameter.piece.end(), made.piece.begin());
  const int size = info(parameter.element).size_bytes;
  tensors_.back() = std::make_unique<guarded_memory>(at(form.count * size), form_.side);
  std::byte* data = tensors_.back()->data();
  for (index_t i = 0; i < form.count; ++i) {
    const std::uint64_t word = elements.next();
    std::memcpy(data + i * size, &word, at(size));
  }
  made.address = data + form.first * size;
  arguments_.push_back(made);
}

// Rows of the tensor that they place, none twice.
void tile_launch::write_unique(const program& source, std::size_t p) {
  const tensor_form& form = form_.tensors[p];
  const std::optional<std::size_t> placed = placed_by(source, p);
  std::vector<index_t> rows(at(placed ? form_.tensors[*placed].extents[0] : form.extents[0]));
  std::iota(rows.begin(), rows.end(), 0);
  std::mt19937 random(form.data_seed);
  std::shuffle(rows.begin(), rows.end(), random);
  const int size = info(source.parameters[p].element).size_bytes;
  for (index_t n = 0; n < form.extents[0]; ++n) {
    std::memcpy(tensors_[p]->data() + (form.first + n * form.strides[0]) * size, &rows[at(n)], at(size));
  }
}

void tile_launch::run(const compiler::image& made, const program& source, std::uint32_t seed,
                      compiler::fault_status* faults) const {
  const compiler::host_image& compiled = compiler::host_of(made);
  std::mt19937 ranges(seed);
  std::vector<std::uint64_t> words(compiler::parameter_block_words(source.parameters));
  compiler::write_parameter_block(source.parameters, arguments_, words.data(), form_.grid);
  std::vector<std::int64_t> all(form_.grid.begin(), form_.grid.end());
  all.resize(max_rank, 1);
  // As far as an image may rely on: a multiple of 64 in size and place, and not a byte more.
  const guarded_memory scratch((compiled.scratch_bytes() + 63) / 64 * 64);
  for (index_t last = blocks(); last > 0;) {
    const index_t first = std::max<index_t>(0, last - 1 - static_cast<index_t>(ranges() % 4));
    scratch.fill(static_cast<std::uint8_t>(ranges() % 2 == 0 ? 0xff : ranges()));
    compiled.run(words.data(), all.data(), first, last, scratch.data(), faults);
    last = first;
  }
}

tile_launch::contents tile_launch::memory() const {
  contents all;
  for (const auto& tensor : tensors_) {
    all.emplace_back();
    if (tensor) all.back().assign(tensor->data(), tensor->data() + tensor->size());
  }
  return all;
}

std::optional<difference> tile_launch::first_difference(const program& source, const contents& expected,
                                                        const std::vector<double>& ulp) const {
  for (std::size_t p = 0; p < tensors_.size(); ++p) {
    const dtype element = source.parameters[p].element;
    const auto size = at(info(element).size_bytes);
    for (std::size_t byte = 0; byte < expected[p].size(); byte += size) {
      std::uint64_t got = 0, wanted = 0;
      std::memcpy(&got, tensors_[p]->data() + byte, size);
      std::memcpy(&wanted, expected[p].data() + byte, size);
      if (are_close(element, got, wanted, p < ulp.size() ? ulp[p] : 0)) continue;
      return difference{static_cast<int>(p), place_of(p, static_cast<index_t>(byte / size)),
                        element_text(element, wanted), element_text(element, got)};
    }
  }
  return {};
}

std::string tile_launch::place_of(std::size_t parameter, index_t memory_position) const {
  const argument& tensor = arguments_[parameter];
  index_t count = 1;
  for (std::size_t axis = 0; axis < at(tensor.rank); ++axis) count *= tensor.extents[axis];
  for (index_t i = 0; i < count; ++i) {
    index_t rest = i, offset = form_.tensors[parameter].first;
    std::string place;
    for (std::size_t axis = at(tensor.rank); axis-- > 0; rest /= tensor.extents[axis]) {
      const index_t here = rest % tensor.extents[axis];
      offset += here * tensor.strides[axis];
      place = std::to_string(here) + (place.empty() ? "" : ", ") + place;
    }
    if (offset == memory_position) return "[" + place + "]";
  }
  return "word " + std::to_string(memory_position) + " of its memory, a gap";
}

std::vector<tensor_facts> tile_launch::facts(const program& source) const {
  std::vector<tensor_facts> all;
  for (const argument& each : arguments_) all.push_back(form_of(each));
  for (std::size_t p = 0; p < arguments_.size(); ++p) {
    const program_parameter& parameter = source.parameters[p];
    if (!is_output(parameter.kind)) continue;
    for (std::size_t axis = 0; axis < at(parameter.rank); ++axis) {
      if (parameter.has_whole(axis)) continue;
      meet(all[p], p, axis, parameter.piece[axis], parameter.piece[axis]);
    }
  }
  meet_tiles(source, source.entry, all);
  for (std::size_t p = 0; p < all.size(); ++p) {
    if (source.parameters[p].kind == parameter_kind::scatter) all[p].divides[0] = all[p].single_tile[0] = false;
  }
  return all;
}

void tile_launch::meet(tensor_facts& facts, std::size_t parameter, std::size_t axis, std::int64_t tile,
                       std::int64_t step) const {
  const index_t extent = arguments_[parameter].extents[axis];
  if (extent % step != 0 || tile > step) facts.divides[axis] = false;
  if (extent > step) facts.single_tile[axis] = false;
}

void tile_launch::meet_tiles(const program& source, const compiler::block& body, std::vector<tensor_facts>& all) const {
  for (const compiler::instruction& i : body.body) {
    for (const compiler::block& inner : i.blocks) meet_tiles(source, inner, all);
    if (i.op == ast::op::tiles)
      meet(all[at(i.attributes[0])], at(i.attributes[0]), at(i.attributes[1]), i.attributes[2], i.attributes[2]);
    const bool names_tiles = ast::loads_tile(i.op) || i.op == ast::op::store_tile;
    if (!names_tiles && i.op != ast::op::gather_rows) continue;
    const compiler::value_type& tile = source.values[at(i.results.empty() ? i.operands[0] : i.results[0])];
    const std::size_t p = at(i.attributes[0]);
    for (std::size_t axis = names_tiles ? 0 : 1; axis < at(tile.rank); ++axis) {
      meet(all[p], p, axis, tile.extents[axis], compiler::tile_step(source, i, axis));
    }
  }
}

}  // namespace tilewright::test
