// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/random_program.hpp"

#include "support/fuzz/program_outputs.hpp"

namespace tilewright::test {
namespace {

class program_maker : private program_outputs {
 public:
  program_maker(std::uint32_t seed, extents kind, int grid_rank) : program_outputs(seed, kind, grid_rank) {
    for (int n = 0; n < 4; ++n) shapes_.push_back(random_shape(n == 0 ? 2 : n == 1 ? grid_rank : below(5)));
    declare_parameters();
    for (const int p : inputs_) values_.push_back(load(p));
    grow(2 + below(6), 0);
    for (const int p : outputs_) store(p);
    store_inexact();
    if (grid_rank > 0 && one_in(3)) combine();
    if (grid_rank > 1 && one_in(6)) combine_elements();
    if (grid_rank == 2 && one_in(6)) scatter();
    if (grid_rank > 0 && one_in(8)) store_tiles();
  }

  compiler::program result() { return builder_.result(); }

 private:
  typed anything() {
    switch (below(22)) {
      case 0:
        return one_in(3) ? load_window(pick(inputs_)) : load(pick(inputs_));
      case 1:
        return one_in(3) ? gathered_elements() : gather();
      case 2:
        return created();
      case 3:
        return position();
      case 4:
      case 5:
        return converted();
      case 6:
        return permuted(some_tile());
      case 7:
        return reshaped(some());
      case 8:
        return repeated();
      case 9:
        return extracted();
      case 10:
        return joined_parts();
      case 11:
      case 12:
        return reduced();
      case 13:
        return scanned();
      case 14:
        return one_in(4) ? scaled_product() : product();
      case 15:
        return selected();
      case 16:
        return one_in(2) ? combined_apart() : one_in(2) ? composed() : combined();
      default:
        return element_wise();
    }
  }
  void grow(int steps, int depth) {
    for (int i = 0; i < steps; ++i) {
      if (one_in(40)) print();
      if (one_in(40)) assertion();
      const int choice = below(depth < 2 ? 13 : 10);
      if (choice < 10) values_.push_back(anything());
      if (choice == 10) loop(depth);
      if (choice == 11) branch(depth);
      if (choice == 12) while_loop(depth);
    }
  }
  // What a loop or a branch gives: any numbers, as inexact as those that it was given.
  static typed given_as(value_id id, const typed& model) {
    value_facts facts = any_number(model.type.element);
    facts.ulp = model.facts.ulp;
    return {id, model.type, facts};
  }
  typed no_worse(const typed& v, const typed& model) { return v.facts.ulp <= model.facts.ulp ? v : exact(v); }
  void loop(int depth) {
    std::vector<typed> start;
    for (int n = 1 + below(3); n > 0; --n) {
      start.push_back(one_in(4) || start.empty() ? some() : adapted(some(), start.back().type));
    }
    ids initial;
    for (const typed& v : start) initial.push_back(v.id);
    const typed from = index(below(2)), to = index(below(5)), step = index(1 + below(2));
    const std::size_t outside = values_.size();
    const ids results = builder_.loop(from.id, to.id, step.id, initial, [&](value_id i, const ids& carried) {
      values_.push_back({i, type_of(dtype::index)});
      std::vector<typed> present;
      for (std::size_t n = 0; n < carried.size(); ++n) present.push_back(given_as(carried[n], start[n]));
      values_.insert(values_.end(), present.begin(), present.end());
      grow(1 + below(3), depth + 1);
      ids next;
      for (const typed& slot : present) next.push_back(no_worse(next_value(slot, present), slot).id);
      values_.resize(outside);
      return next;
    });
    for (std::size_t n = 0; n < results.size(); ++n) values_.push_back(given_as(results[n], start[n]));
  }
  // Counts up to a small number, so that it ends whatever else its condition asks; first_type_fault looks for that.
  void while_loop(int depth) {
    std::vector<typed> start = {index(below(2))};
    for (int n = below(3); n > 0; --n) start.push_back(some());
    ids initial;
    for (const typed& v : start) initial.push_back(v.id);
    const typed limit = index(below(5));
    const std::size_t outside = values_.size();
    std::vector<typed> present;
    const auto condition = [&](const ids& carried) {
      for (std::size_t n = 0; n < carried.size(); ++n) present.push_back(given_as(carried[n], start[n]));
      values_.insert(values_.end(), present.begin(), present.end());
      const typed goes_on = made(op::less, type_of(dtype::boolean), {present[0], limit});
      if (one_in(2)) return goes_on.id;
      grow(1 + below(2), 2);
      const typed asked = adapted(exact(some()), type_of(dtype::boolean));
      return made(op::bit_and, goes_on.type, {goes_on, asked}).id;
    };
    const ids results = builder_.while_loop(initial, condition, [&](const ids&) {
      grow(1 + below(3), depth + 1);
      ids next = {made(op::add, present[0].type, {present[0], index(1)}).id};
      for (std::size_t n = 1; n < present.size(); ++n) {
        next.push_back(no_worse(next_value(present[n], present), present[n]).id);
      }
      return next;
    });
    values_.resize(outside);
    for (std::size_t n = 0; n < results.size(); ++n) values_.push_back(given_as(results[n], start[n]));
  }
  typed next_value(const typed& slot, const std::vector<typed>& present) {
    switch (below(7)) {
      case 0:  // trades places
        return adapted(pick(present), slot.type);
      case 1:
        return adapted(permuted(slot), slot.type);
      case 2:
        return slot.type.rank == 2 ? adapted(product_onto(slot), slot.type) : slot;
      case 3:
      case 4: {
        const typed kept = exact(slot);
        return mixed(kept, exact(adapted(some(), slot.type)));
      }
      default:
        return adapted(some(), slot.type);
    }
  }
  void branch(int depth) {
    const typed flag = exact(some());
    const typed chooses = adapted(flag, type_of(dtype::boolean));
    std::vector<typed> models;
    for (int n = 1 + below(2); n > 0; --n) models.push_back(some());
    const std::size_t outside = values_.size();
    const auto side = [&] {
      grow(1 + below(2), depth + 1);
      ids given;
      for (const typed& model : models) given.push_back(no_worse(adapted(some(), model.type), model).id);
      values_.resize(outside);
      return given;
    };
    const ids results = builder_.branch(chooses.id, side, side);
    for (std::size_t n = 0; n < results.size(); ++n) values_.push_back(given_as(results[n], models[n]));
  }
};

int grid_rank_of(std::uint32_t seed) {
  constexpr int ranks[] = {2, 2, 1, 2, 3, 2, 1, 2, 0, 2, 4, 1, 2};
  return ranks[seed % std::size(ranks)];
}

}  // namespace

compiler::program random_program(std::uint32_t seed, extents kind) {
  return program_maker(seed, kind, grid_rank_of(seed)).result();
}

}  // namespace tilewright::test
