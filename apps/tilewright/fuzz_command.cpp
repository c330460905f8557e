// SPDX-License-Identifier: Apache-2.0
#include "fuzz_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "support/fuzz/shrink.hpp"
#include "support/fuzz/worker_processes.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

namespace {

using clock_type = std::chrono::steady_clock;

constexpr const char* footer =
    R"(Devices:
  interp          the interpreter with itself: with and without facts and simplify
  cpu             the code for this machine
  assemble:sm_90  Tile IR for an architecture, verified and taken by NVIDIA's assembler; nothing runs
  cuda            the first GPU, with kernels from NVIDIA's assembler or from the disk cache
Exact ops have to give the interpreter's bits, others lie within twice the bound of their row in the table of ops.
Tensors have ragged extents, any strides, NaN, infinities and denormals, and lie next to pages that may not be touched.
A kernel that fails is made small and printed, with its launch and the first element that is wrong. A seed gives the
same kernel everywhere:
  tilewright fuzz --count 100000 --jobs 2            # seeds 0 to 99999
  tilewright fuzz --seed 4711 --count 1              # one of them again
Exit code 1: a kernel failed.)";

struct fuzz_device {
  std::string name;
  compiler::target where = compiler::target::cpu;
  bool runs = true;
  bool is_gpu_here = false;
};

[[noreturn]] void refuse(const char* what, std::string expected, std::string got) {
  throw usage_error({.what = what,
                     .where = "tilewright fuzz",
                     .expected = std::move(expected),
                     .got = std::move(got),
                     .fix = "see tilewright fuzz --help"});
}

fuzz_device parse_device(const std::string& text) {
  const std::string assemble = "assemble";
  if (text == "interp") return {text, compiler::target::interp, true};
  if (text == "cpu" && compiler::has_cpu_target()) return {text, compiler::target::cpu, true};
  if (text == "cpu") refuse("there is no cpu back end", "a build with LLVM, or interp", text);
  // A parent must not start CUDA, which its children could not use then, so it does not know the architecture.
  if (text == "cuda") return {text, compiler::target::sm_90, true, true};
  if (text.substr(0, assemble.size()) == assemble) {
    const std::string rest = text.substr(assemble.size());
    const auto where = compiler::target_named(rest.empty() ? "sm_90" : rest.substr(1));
    if (where && compiler::is_gpu(*where) && (rest.empty() || rest[0] == ':')) return {text, *where, false};
  }
  refuse("a device is not known", "interp, cpu, assemble:sm_90 or cuda", text);
}

// Of a GPU's kernel: no axis that it could not move.
test::fuzz_case case_of(const fuzz_device& device, std::uint32_t seed) {
  const bool is_gpu = compiler::is_gpu(device.where);
  return test::random_case(seed, is_gpu ? test::extents::powers_of_two : test::extents::any,
                           is_gpu ? test::strides::positive : test::strides::any);
}

test::outcome judge(const fuzz_device& device, const test::fuzz_case& tested) {
  if (device.is_gpu_here) {
    test::outcome found = test::compare_on(cuda_device().engine(), tested);
    // The context may be lost, so that another process has to go on.
    if (found.what == test::outcome::kind::broken) throw std::runtime_error(found.reason);
    return found;
  }
  if (device.runs) return test::compare(tested, test::run_on_host(device.where));
  return test::make_image(tested, device.where);
}

// An outcome as a line of text: a letter for its kind, then the reason.
std::string as_text(const test::outcome& found) {
  return static_cast<char>('0' + static_cast<int>(found.what)) + found.reason;
}
test::outcome outcome_of(const test::job_result& result) {
  if (result.is_late) return {test::outcome::kind::endless, result.text};
  if (!result.has_ended || result.text.empty()) return {test::outcome::kind::broken, result.text};
  return {static_cast<test::outcome::kind>(result.text[0] - '0'), result.text.substr(1)};
}

// Whether a GPU is there can be asked in a child only.
void require_gpu() {
  const test::job_result asked = test::run_job([] { return cuda_device().name(); }, std::chrono::seconds(120));
  if (!asked.has_ended) refuse("there is no GPU", "a machine with a GPU and its driver", asked.text);
}

// In a child, as a kernel may crash.
test::outcome judge_apart(const fuzz_device& device, const test::fuzz_case& tested) {
  return outcome_of(test::run_job([&] { return as_text(judge(device, tested)); }, std::chrono::seconds(10)));
}

std::vector<std::uint32_t> seeds_in(const std::string& file) {
  std::ifstream lines(file);
  if (!lines) refuse("a file of seeds cannot be read", "a file", file);
  std::vector<std::uint32_t> seeds;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word;) {
      std::uint32_t seed = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), seed);
      if (error != std::errc() || end != word.data() + word.size()) refuse("no seed", "numbers below 2^32", word);
      seeds.push_back(seed);
    }
  }
  if (seeds.empty()) refuse("a file of seeds has none", "a seed at least", file);
  return seeds;
}

class fuzz_run {
 public:
  explicit fuzz_run(const FuzzArguments& arguments) : arguments_(arguments), device_(parse_device(arguments.device)) {
    if (!arguments.seeds_file.empty()) listed_ = seeds_in(arguments.seeds_file);
    total_ = arguments.seeds_file.empty() ? arguments.count : listed_.size();
  }

  bool run() {
    if (device_.is_gpu_here) require_gpu();
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    const test::job_options options{.processes = arguments_.jobs > 0 ? arguments_.jobs : std::max(cores, 1)};
    test::run_jobs(
        options, [&](std::uint64_t& job) { return next(job); },
        [&](std::uint64_t seed) { return as_text(judge(device_, case_of(device_, static_cast<std::uint32_t>(seed)))); },
        [&](const test::job_result& result) { note(static_cast<std::uint32_t>(result.job), outcome_of(result)); });
    if (!arguments_.is_quiet) fmt::print(stderr, "\n");
    const auto shrink_time = std::chrono::duration<double>(arguments_.shrink_seconds);  // of all together
    const auto end = clock_type::now() + std::chrono::duration_cast<clock_type::duration>(shrink_time);
    for (const auto& [seed, found] : failures_) tell(seed, found, end);
    sum_up();
    return failed_ == 0;
  }

 private:
  double elapsed() const { return std::chrono::duration<double>(clock_type::now() - start_).count(); }

  bool next(std::uint64_t& job) {
    if (given_ == total_ || (arguments_.seconds > 0 && elapsed() >= arguments_.seconds)) return false;
    job = listed_.empty() ? arguments_.seed + given_ : listed_[given_];
    ++given_;
    return true;
  }

  void note(std::uint32_t seed, const test::outcome& found) {
    ++done_;
    if (arguments_.lists_ops) {
      const auto counts = test::op_counts(case_of(device_, seed).source);
      for (std::size_t i = 0; i < counts.size(); ++i) ops_[i] += counts[i];
    }
    if (found.what == test::outcome::kind::refused) ++refusals_[found.reason];
    if (test::is_failure(found.what)) {
      ++failed_;
      constexpr std::size_t most_told = 10;
      if (failures_.size() < most_told) failures_.emplace_back(seed, found);
      fmt::print("seed {}: {}\n", seed, found.reason);
      std::fflush(stdout);
    }
    if (arguments_.is_quiet || (elapsed() < told_ + 2 && done_ != total_)) return;
    told_ = elapsed();
    fmt::print(stderr, "\r{} of {} kernels, {:.1f} a second, {} failed ", done_, total_,
               static_cast<double>(done_) / told_, failed_);
  }

  void tell(std::uint32_t seed, const test::outcome& found, clock_type::time_point end) const {
    test::failure shown{case_of(device_, seed), found};
    constexpr int most_tries = 600;
    const auto judge_small = [&](const test::fuzz_case& tried) { return judge_apart(device_, tried); };
    if (arguments_.shrink_seconds > 0) shown = test::shrink_alike(shown, judge_small, end, most_tries);
    fmt::print("\nFAILED on {}: {}\n{}", device_.name, shown.found.reason, test::to_text(shown.tested));
    std::fflush(stdout);
  }

  void sum_up() const {
    std::uint64_t refused = 0;
    for (const auto& [reason, count] : refusals_) {
      refused += count;
      fmt::print("refused {:6}  {}\n", count, reason);
    }
    for (int i = 0; i < ast::op_count && arguments_.lists_ops; ++i) {
      const auto which = static_cast<ast::op>(i);
      const char* reason = test::why_never_generated(which);
      fmt::print("{:16}{:10}{}{}\n", ast::info(which).name, ops_[static_cast<std::size_t>(i)],
                 reason == nullptr ? "" : "  never: ", reason == nullptr ? "" : reason);
    }
    fmt::print("{}: {} kernels from seed {}: {} {}, {} refused, {} failed, {:.0f} s, {:.1f} a second\n", device_.name,
               done_, listed_.empty() ? arguments_.seed : listed_[0], done_ - refused - failed_,
               device_.runs ? "like the interpreter" : "assembled", refused, failed_, elapsed(),
               static_cast<double>(done_) / elapsed());
  }

  const FuzzArguments& arguments_;
  const fuzz_device device_;
  std::vector<std::uint32_t> listed_;
  std::uint64_t total_ = 0, given_ = 0, done_ = 0, failed_ = 0;
  std::vector<std::uint64_t> ops_ = std::vector<std::uint64_t>(ast::op_count, 0);
  std::map<std::string, std::uint64_t> refusals_;
  std::vector<std::pair<std::uint32_t, test::outcome>> failures_;
  const clock_type::time_point start_ = clock_type::now();
  double told_ = 0;
};

}  // namespace

CLI::App* add_fuzz_command(CLI::App& program, FuzzArguments& arguments) {
  CLI::App* command = program.add_subcommand("fuzz", "Run random kernels and compare back ends");
  command->add_option("--count", arguments.count, "How many kernels")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 32));
  command->add_option("--seed", arguments.seed, "The first one's seed; the others follow")->capture_default_str();
  command->add_option("--seeds", arguments.seeds_file, "Instead: a file of seeds, # starts a comment")
      ->type_name("FILE");
  command->add_option("--device", arguments.device, "What is compared with the interpreter")->capture_default_str();
  command->add_option("--seconds", arguments.seconds, "Start no kernel after this time; 0 is no limit")
      ->check(CLI::NonNegativeNumber);
  command->add_option("-j,--jobs", arguments.jobs, "Processes; 0 is one for each core")->check(CLI::Range(0, 1024));
  command
      ->add_option("--shrink", arguments.shrink_seconds, "Make kernels that fail small for so long; 0: print as found")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--ops", arguments.lists_ops, "Print how often each op was generated");
  command->add_flag("--quiet", arguments.is_quiet, "No progress on stderr");
  command->footer(footer);
  return command;
}

bool run_fuzz(const FuzzArguments& arguments) { return fuzz_run(arguments).run(); }
