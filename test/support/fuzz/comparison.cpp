// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/comparison.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "compiler/print_sink.hpp"
#include "compiler/tileir/emit.hpp"
#include "support/fuzz/gpu_launch.hpp"
#include "support/fuzz/program_types.hpp"
#include "support/fuzz/value_facts.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

using compiler::program;

constexpr auto refused = outcome::kind::refused, different = outcome::kind::different, broken = outcome::kind::broken;

// Rules without the numbers of one kernel, so that reasons can be counted.
std::string reason_of(const char* who, const error& refusal) {
  const std::string text = refusal.parts().what;
  std::string short_text;
  for (const char letter : text.substr(0, text.find('\n'))) {
    const bool is_digit = letter >= '0' && letter <= '9';
    if (!is_digit) short_text += letter;
    if (is_digit && (short_text.empty() || short_text.back() != 'N')) short_text += 'N';
  }
  return std::string(who) + ": " + short_text;
}

// What a back end gets: as front() does it.
program prepared(const fuzz_case& tested, const tile_launch& launch) {
  program made = tested.source;
  if (tested.has_facts) {
    const auto facts = launch.facts(made);
    for (std::size_t p = 0; p < facts.size(); ++p) made.parameters[p].facts = facts[p];
  }
  compiler::check(made);
  if (tested.is_simplified) compiler::simplify(made);
  return made;
}

outcome judged(const std::function<outcome()>& attempt) {
  try {
    return attempt();
  } catch (const compile_error& refusal) {
    return {refused, reason_of("compiler", refusal)};
  } catch (const usage_error& refusal) {
    return {refused, reason_of("launch", refusal)};
  } catch (const error& wrong) {
    return {broken, wrong.what()};
  }
}

// Of a back end that has to take what the checks let through.
outcome taken(const std::function<void()>& back_end) {
  try {
    back_end();
  } catch (const error& rejected) {
    return {broken, rejected.what()};
  }
  return {};
}

// What kernels print while it lives; blocks come in any order.
class printed_lines {
 public:
  printed_lines() {
    compiler::set_print_sink([this](const std::string& line) { lines_.push_back(line); });
  }
  printed_lines(const printed_lines&) = delete;
  printed_lines& operator=(const printed_lines&) = delete;
  ~printed_lines() { compiler::set_print_sink({}); }

  std::vector<std::string> take() {
    std::sort(lines_.begin(), lines_.end());
    return std::exchange(lines_, {});
  }

 private:
  std::vector<std::string> lines_;
};

std::string first_unlike(const std::vector<std::string>& expected, const std::vector<std::string>& got) {
  const auto [wanted, found] = std::mismatch(expected.begin(), expected.end(), got.begin(), got.end());
  const auto text = [](const auto& at, const auto& all) {
    return at == all.end() ? "no more" : at->substr(0, at->find('\n'));
  };
  return "a line that is printed: expected " + text(wanted, expected) + ", got " + text(found, got);
}

outcome compare_runs(const fuzz_case& tested, const back_end_run& run, after_fault outputs) {
  const auto ulp = comparison_of(tested.source);
  if (!ulp) return {broken, "the generator made a kernel with more than one right result"};
  if (const std::string fault = first_type_fault(tested.source); !fault.empty()) return {broken, fault};
  const tile_launch reference(tested.source, tested.launch), launch(tested.source, tested.launch);
  program checked = tested.source;
  compiler::check(checked);
  compiler::verify_launch(checked, reference.arguments(), reference.grid());
  compiler::fault_status expected, got;
  const auto interpret = [&] {
    reference.run(*compiler::emit(checked, compiler::target::interp), checked, tested.seed, &expected);
  };
  printed_lines printed;
  if (outcome failed = taken(interpret); is_failure(failed.what)) return failed;
  const std::vector<std::string> expected_lines = printed.take();
  const program source = prepared(tested, launch);
  // Facts turn checks of the kernel into checks of the launch.
  compiler::verify_launch(source, launch.arguments(), launch.grid());
  if (outcome failed = taken([&] { run(source, launch, got); }); is_failure(failed.what)) return failed;
  const std::vector<std::string> lines = printed.take();
  const bool should_tell = expected.state != 0, tells = got.state != 0;
  const bool is_comparable = !(should_tell && tells) || outputs == after_fault::as_interpreted;
  if (const auto found = launch.first_difference(tested.source, reference.memory(), *ulp); found && is_comparable) {
    return {different, to_text(*found)};
  }
  if (lines != expected_lines && is_comparable) return {different, first_unlike(expected_lines, lines)};
  if (tells && !should_tell) return {different, "a check of the kernel fails that holds"};
  // Simplifying drops the checks of what nobody uses.
  if (should_tell && !tells && !tested.is_simplified) return {different, "a check that fails is not told"};
  return {};
}

}  // namespace

fuzz_case random_case(std::uint32_t seed, extents kind, strides steps) {
  fuzz_case made;
  made.seed = seed;
  made.source = random_program(seed, kind);
  made.launch = random_launch(made.source, seed, steps);
  made.has_facts = seed % 3 != 0;
  made.is_simplified = seed % 5 >= 2;
  return made;
}

std::string to_text(const fuzz_case& shown) {
  std::ostringstream text;
  text << "seed " << shown.seed << ", " << (shown.has_facts ? "with" : "without") << " facts, "
       << (shown.is_simplified ? "" : "not ") << "simplified; grid [";
  for (std::size_t axis = 0; axis < shown.launch.grid.size(); ++axis) {
    text << (axis == 0 ? "" : ", ") << shown.launch.grid[axis];
  }
  text << "]\n";
  for (std::size_t p = 0; p < shown.source.parameters.size(); ++p) {
    if (shown.source.parameters[p].kind == parameter_kind::scalar) continue;
    const tensor_form& tensor = shown.launch.tensors[p];
    text << "  tensor " << p << ": extents [";
    const auto rank = static_cast<std::size_t>(shown.source.parameters[p].rank);
    for (std::size_t axis = 0; axis < rank; ++axis) text << (axis == 0 ? "" : ", ") << tensor.extents[axis];
    text << "], strides [";
    for (std::size_t axis = 0; axis < rank; ++axis) text << (axis == 0 ? "" : ", ") << tensor.strides[axis];
    text << "], data of seed " << tensor.data_seed << "\n";
  }
  return text.str() + compiler::to_text(shown.source);
}

back_end_run run_on_host(compiler::target where) {
  return [where](const program& source, const tile_launch& launch, compiler::fault_status& faults) {
    launch.run(*compiler::emit(source, where), source, 1, &faults);
  };
}

outcome compare(const fuzz_case& tested, const back_end_run& run, after_fault outputs) {
  return judged([&] { return compare_runs(tested, run, outputs); });
}

namespace {
void drop_prints(compiler::block& code) {
  std::erase_if(code.body, [](const compiler::instruction& next) { return next.op == ast::op::print; });
  for (compiler::instruction& next : code.body) {
    for (compiler::block& inner : next.blocks) drop_prints(inner);
  }
}
}  // namespace

fuzz_case without_prints(fuzz_case tested) {
  drop_prints(tested.source.entry);
  return tested;
}

outcome compare_on(detail::device_engine& gpu, const fuzz_case& shown) {
  const fuzz_case tested = without_prints(shown);
  const back_end_run run = [&](const program& source, const tile_launch& launch, compiler::fault_status& faults) {
    for (const int parameter : launch_on(gpu, source, launch.arguments(), launch.grid(), &faults).overwritten) {
      require_internal(false, ("the kernel wrote around parameter " + std::to_string(parameter)).c_str());
    }
  };
  return judged([&] {
    (void)compiler::tileir::emit(prepared(tested, tile_launch(tested.source, tested.launch)), gpu.target());
    return compare_runs(tested, run, after_fault::anything);
  });
}

outcome make_image(const fuzz_case& tested, compiler::target where) {
  return judged([&] {
    const program source = prepared(tested, tile_launch(tested.source, tested.launch));
    (void)compiler::tileir::emit(source, where);  // which may refuse
    return taken([&] { (void)compiler::emit(source, where); });
  });
}

namespace {
void count(const compiler::block& code, std::vector<std::uint64_t>& counts) {
  for (const compiler::instruction& next : code.body) {
    ++counts[static_cast<std::size_t>(next.op)];
    for (const compiler::block& inner : next.blocks) count(inner, counts);
  }
}
}  // namespace

std::optional<program> checked(program source) {
  try {
    compiler::check(source);
  } catch (const compile_error&) {
    return {};
  }
  return source;
}

std::vector<std::uint64_t> op_counts(const program& source) {
  std::vector<std::uint64_t> counts(ast::op_count, 0);
  count(source.entry, counts);
  return counts;
}

}  // namespace tilewright::test
