// SPDX-License-Identifier: Apache-2.0
// Evaluates the integer scalars of an emitted kernel: in which order blocks go, and to which tiles they store.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/tileir/bytecode.hpp"
#include "compiler/tileir/code_builder.hpp"

namespace tilewright::test {

namespace tileir = compiler::tileir;
using tileir::opcode;
using place = std::vector<std::int64_t>;

// Runs one launched block and notes the tile index of each store. All else gives 0.
class index_machine {
 public:
  index_machine(const tileir::bytecode& code, const std::vector<std::int64_t>& parameters, std::int64_t block,
                std::int64_t blocks)
      : code_(code), values_(parameters), block_(block), blocks_(blocks) {}

  std::vector<place> run() {
    visit(code_.kernels[0].body);
    return stored_;
  }
  const std::vector<std::int64_t>& values_stored() const { return values_stored_; }

 private:
  std::int64_t at(const tileir::operation& op, std::size_t n) const { return values_[op.operands[n]]; }

  std::uint64_t bits(const tileir::operation& op, std::size_t n) const { return static_cast<std::uint64_t>(at(op, n)); }
  static std::int64_t wrapped(std::uint64_t word) { return static_cast<std::int64_t>(word); }

  std::int64_t constant(const tileir::operation& op) const {
    const std::string& bytes = code_.constants[op.fields[0]];
    std::uint64_t word = 0;
    for (std::size_t n = bytes.size(); n-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[n]);
    return static_cast<std::int64_t>(word);
  }

  std::int64_t quotient(const tileir::operation& op) const {
    const std::int64_t a = at(op, 0), b = at(op, 1);
    if (op.fields[0] == tileir::signedness::is_unsigned) return wrapped(bits(op, 0) / bits(op, 1));
    return op.fields[1] == 3 ? (a + b - 1) / b : a / b;  // up, or toward zero
  }

  // clang-format off
  std::int64_t result(const tileir::operation& op) const {
    switch (op.code) {
      case opcode::constant: return constant(op);
      case opcode::assume: case opcode::exti: case opcode::trunci: case opcode::itof: return at(op, 0);
      case opcode::broadcast: case opcode::reshape: return at(op, 0);
      case opcode::offset: return at(op, 1);
      case opcode::addi: case opcode::addf: return wrapped(bits(op, 0) + bits(op, 1));
      case opcode::subi: return wrapped(bits(op, 0) - bits(op, 1));
      case opcode::muli: return wrapped(bits(op, 0) * bits(op, 1));
      case opcode::mini:
        return op.fields[0] == tileir::signedness::is_signed ? std::min(at(op, 0), at(op, 1))
                                                             : wrapped(std::min(bits(op, 0), bits(op, 1)));
      case opcode::maxi: return std::max(at(op, 0), at(op, 1));
      case opcode::cmpi: return op.fields[0] == tileir::comparison_predicate::less ? at(op, 0) < at(op, 1) : 0;
      case opcode::select: return at(op, 0) != 0 ? at(op, 1) : at(op, 2);
      case opcode::divi: return quotient(op);
      case opcode::remi: return at(op, 0) % at(op, 1);
      case opcode::get_tile_block_id: return block_;
      case opcode::get_num_tile_blocks: return blocks_;
      default: return 0;
    }
  }
  // clang-format on

  void visit(const std::vector<tileir::operation>& body) {
    for (const tileir::operation& op : body) {
      if (op.code == opcode::store_view) {
        values_stored_.push_back(at(op, 0));
        place index;
        for (std::size_t n = 2; n < 2 + op.groups[0]; ++n) index.push_back(at(op, n));
        stored_.push_back(std::move(index));
      }
      if (op.code == opcode::atomic_rmw) stored_.push_back({at(op, 0) / 2, at(op, 1)});  // place and first element
      if (op.code == opcode::for_) {
        const std::size_t outside = values_.size();
        for (std::int64_t t = at(op, 0); t < at(op, 1); t += at(op, 2)) {
          values_.resize(outside);
          values_.push_back(t);
          values_.resize(values_.size() + op.results.size());  // tokens that it carries
          visit(op.regions[0].body);
        }
        values_.resize(outside);
      }
      const std::int64_t first = result(op);
      for (std::size_t n = 0; n < op.results.size(); ++n) values_.push_back(n == 0 ? first : 0);
    }
  }

  const tileir::bytecode& code_;
  std::vector<std::int64_t> values_;
  std::int64_t block_, blocks_;
  std::vector<place> stored_;
  std::vector<std::int64_t> values_stored_;  // the first element of each tile
};

}  // namespace tilewright::test
