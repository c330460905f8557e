// SPDX-License-Identifier: Apache-2.0
// Hints to the assembler, which takes all of them in silence: so their numbers are checked here.
#include "compiler/tileir/schedule_code.hpp"

namespace tilewright::compiler::tileir {
namespace {

bool is_power_of_two(std::int32_t number) { return number > 0 && (number & (number - 1)) == 0; }

std::int64_t piece_columns(const program_parameter& form) {
  return form.piece[static_cast<std::size_t>(form.rank - 1)];
}

attribute integer_hint(kernel_state& state, std::int32_t number) {
  attribute made;
  made.tag = attribute_tag::integer;
  made.of_type = state.ids.number(type_tag::i32);
  made.word = static_cast<std::uint64_t>(number);
  return made;
}

class hint_list {
 public:
  explicit hint_list(kernel_state& state) : state_(state) { list_.tag = attribute_tag::dictionary; }

  void add(const char* name, std::int32_t number) {
    if (number > 0) add(name, integer_hint(state_, number));
  }
  void add_choice(const char* name, std::int8_t choice) {
    if (choice < 0) return;
    attribute made;
    made.tag = attribute_tag::boolean;
    made.word = choice > 0 ? 1 : 0;
    add(name, std::move(made));
  }

  // Code is made for one architecture, so `default` is as good as its name. A kernel's hints have a tag of their own.
  std::optional<attribute> take(attribute_tag tag) {
    if (list_.items.empty()) return {};
    attribute made;
    made.tag = tag;
    made.keys = {state_.ids.string("default")};
    made.items = {std::move(list_)};
    return made;
  }

 private:
  void add(const char* name, attribute value) {
    list_.keys.push_back(state_.ids.string(name));
    list_.items.push_back(std::move(value));
  }
  kernel_state& state_;
  attribute list_;
};

bool splits_a_store(const kernel_state& state) {
  for (std::size_t p = 0; p < state.source.parameters.size(); ++p) {
    const program_parameter& form = state.source.parameters[p];
    const bool is_stored = form.kind == parameter_kind::out || form.kind == parameter_kind::in_out;
    if (is_stored && form.rank > 0 &&
        stored_columns(state.source, static_cast<std::int64_t>(p)) < piece_columns(form)) {
      return true;
    }
  }
  return false;
}

bool adds_by_indices(const program& source, const block& code) {
  for (const instruction& i : code.body) {
    const bool is_chosen = i.op == ast::op::combine_at;
    if (is_chosen && rounds_by_order(source.parameters[static_cast<std::size_t>(i.attributes[0])])) return true;
    for (const block& inner : i.blocks) {
      if (adds_by_indices(source, inner)) return true;
    }
  }
  return false;
}

}  // namespace

void check_schedule(kernel_state& state) {
  const schedule& plan = state.source.schedule;
  const auto require = [&](bool holds, const char* what, const char* expected, std::int64_t got) {
    if (!holds) state.faults.add({{}, what, expected, std::to_string(got), "give another number in with()"});
  };
  const auto access = [&](const access_options& options) {
    require(options.latency >= 0 && options.latency <= 10, "latency of the schedule", "1 to 10", options.latency);
  };
  require(plan.swizzle >= 0, "swizzle of the schedule", "rows of a group, at least 1", plan.swizzle);
  require(plan.num_ctas == 0 || (is_power_of_two(plan.num_ctas) && plan.num_ctas <= 16), "num_ctas of the schedule",
          "1, 2, 4, 8 or 16", plan.num_ctas);
  require(plan.occupancy >= 0 && plan.occupancy <= 32, "occupancy of the schedule", "1 to 32", plan.occupancy);
  require(plan.workers == 0 || plan.workers == 4 || plan.workers == 8, "workers of the schedule", "4 or 8",
          plan.workers);
  require(is_power_of_two(plan.epilogue_parts), "parts of the epilogue in the schedule", "a power of two",
          plan.epilogue_parts);
  access(plan.all);
  for (const access_options& options : plan.of) access(options);
  require(!plan.deterministic || !adds_by_indices(state.source, state.source.entry), "the schedule is deterministic",
          "sums of floats by combine() alone: lanes of combine_at() that name one element add in no order", 1);
  require(plan.epilogue_parts == 1 || splits_a_store(state), "the schedule splits the epilogue",
          "an output whose last tile extent is a power of two and a multiple of the parts", plan.epilogue_parts);
}

std::optional<attribute> kernel_hints(kernel_state& state) {
  const schedule& plan = state.source.schedule;
  hint_list hints(state);
  if (has_clusters(state.where)) hints.add("num_cta_in_cga", plan.num_ctas);
  hints.add("num_worker_warps_per_cta", plan.workers);
  hints.add("occupancy", plan.occupancy);
  return hints.take(attribute_tag::hints);
}

// A latency for all is one for loads: it is how many steps ahead they run. Only views have a choice of TMA; but its
// stores write whole groups of 16 bytes (seen on an H200), so rows that end inside one are stored without it.
std::optional<attribute> access_hints(kernel_state& state, std::int64_t parameter, access_kind kind) {
  const schedule& plan = state.source.schedule;
  const auto at = static_cast<std::size_t>(parameter);
  const access_options own = at < std::size(plan.of) ? plan.of[at] : access_options{};
  const bool is_load = kind == access_kind::load || kind == access_kind::load_by_pointers;
  const bool is_view = kind == access_kind::load || kind == access_kind::store;
  hint_list hints(state);
  hints.add("latency", own.latency > 0 || !is_load ? own.latency : plan.all.latency);
  std::int8_t tma = own.tma >= 0 ? own.tma : plan.all.tma;
  const tensor_state& tensor = state.tensors[at];
  if ((kind == access_kind::store && !tensor.ends_on_vectors) || tensor.is_read_after_store) tma = 0;
  if (is_view) hints.add_choice("allow_tma", tma);
  return hints.take(attribute_tag::dictionary);
}

std::int64_t stored_columns(const program& source, std::int64_t parameter) {
  const program_parameter& form = source.parameters[static_cast<std::size_t>(parameter)];
  const std::int64_t columns = piece_columns(form);
  const std::int64_t parts = source.schedule.epilogue_parts;
  const bool is_split = parts > 1 && columns % parts == 0 && rounded_up(columns) == columns;
  return is_split ? columns / parts : columns;
}

}  // namespace tilewright::compiler::tileir
