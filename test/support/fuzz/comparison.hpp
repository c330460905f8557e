// SPDX-License-Identifier: Apache-2.0
// One random kernel on two back ends: the interpreter is the oracle.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "runtime/device_engine.hpp"
#include "support/fuzz/random_program.hpp"
#include "support/fuzz/tile_launch.hpp"

namespace tilewright::test {

struct fuzz_case {
  std::uint32_t seed = 0;
  compiler::program source;  // as bind would make it: not checked, without facts
  launch_form launch;
  bool has_facts = false, is_simplified = false;  // of what the tested back end gets
};
fuzz_case random_case(std::uint32_t seed, extents kind = extents::any, strides steps = strides::any);

// The kernel, its launch and how to do it again.
std::string to_text(const fuzz_case& shown);

struct outcome {
  enum class kind : std::uint8_t {
    same,
    refused,    // by the checks, by the launch or by the emitter for GPUs, with a reason that it may have
    different,  // from the interpreter
    broken,     // an error that no kernel may cause
    endless     // it took too long; only who runs kernels in child processes can say so
  };
  kind what = kind::same;
  std::string reason;  // of a refusal; what is wrong
};
constexpr bool is_failure(outcome::kind what) { return what >= outcome::kind::different; }

// Runs a program (checked, with facts and simplified as the case says) over the launch's memory.
using back_end_run =
    std::function<void(const compiler::program& source, const tile_launch& launch, compiler::fault_status& faults)>;
back_end_run run_on_host(compiler::target where);

// What outputs hold after a check of the kernel has failed, which is told: on a GPU a load with a bad tile index gives
// the nearest tile.
enum class after_fault : std::uint8_t { as_interpreted, anything };

// A back end that refuses what the checks and the launch let through is broken.
outcome compare(const fuzz_case& tested, const back_end_run& run, after_fault outputs = after_fault::as_interpreted);

// For a GPU, whose driver prints where nobody looks.
fuzz_case without_prints(fuzz_case tested);

// On a GPU, which must not write around a tensor either. What the emitter refuses is refused.
outcome compare_on(detail::device_engine& gpu, const fuzz_case& tested);

// Makes an image and runs nothing: NVIDIA's assembler has to take whatever the emitter gives it.
outcome make_image(const fuzz_case& tested, compiler::target where);

// A program as back ends take it; nothing where the checks refuse it.
std::optional<compiler::program> checked(compiler::program source);

// How often each op occurs.
std::vector<std::uint64_t> op_counts(const compiler::program& source);

}  // namespace tilewright::test
