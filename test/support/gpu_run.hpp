// SPDX-License-Identifier: Apache-2.0
// Runs a hand-built program on the GPU of the tests, or makes its image where there is none.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/tileir/emit.hpp"
#include "support/fuzz/gpu_launch.hpp"
#include "support/test_device.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {

inline detail::device_engine& test_gpu() { return test_device(test_back_end::gpu).engine(); }

// Whether the emitter refuses a program for what it must refuse: to split, merge, join or cut an axis that is no power
// of two. Another refusal, or one of a program that does nothing of the kind, is a failure.
inline bool moves_rounded_axes(const compiler::program& source, const compiler::block& body) {
  const auto is_rounded = [&](compiler::value_id id) {
    const compiler::value_type& type = source.values[static_cast<std::size_t>(id)];
    return std::any_of(type.extents.begin(), type.extents.begin() + type.rank,
                       [](std::int32_t extent) { return (extent & (extent - 1)) != 0; });
  };
  return std::any_of(body.body.begin(), body.body.end(), [&](const compiler::instruction& i) {
    const auto moves = [&](const compiler::block& inner) { return moves_rounded_axes(source, inner); };
    if (std::any_of(i.blocks.begin(), i.blocks.end(), moves)) return true;
    if (i.op != ast::op::reshape && i.op != ast::op::cat && i.op != ast::op::extract) return false;
    return is_rounded(i.results[0]) || std::any_of(i.operands.begin(), i.operands.end(), is_rounded);
  });
}
inline bool is_refused_for_rounding(const compiler::program& source, compiler::target where) {
  try {
    (void)compiler::tileir::emit(source, where);
    return false;
  } catch (const compile_error& refused) {
    const std::string text = refused.what();
    const auto says = [&](const char* words) { return text.find(words) != std::string::npos; };
    EXPECT_TRUE(says("reshape would split or merge an axis that is no power of two") ||
                says("cat along an axis needs two equal extents that are powers of two") ||
                says("extract would cut an axis that is no power of two"))
        << text;
    EXPECT_TRUE(moves_rounded_axes(source, source.entry)) << text;
    return true;
  }
}

// False where nothing ran: the program is refused as above, or there is no GPU and its image is only made.
inline bool run_on_gpu(const compiler::program& source, const std::vector<compiler::argument>& arguments,
                       const std::vector<index_t>& grid, compiler::fault_status* faults) {
  detail::device_engine& engine = test_gpu();
  if (is_refused_for_rounding(source, engine.target())) return false;
  const gpu_outcome found = launch_on(engine, source, arguments, grid, faults);
  for (const int parameter : found.overwritten) {
    ADD_FAILURE() << "parameter " << parameter << ": the kernel wrote where it must not";
  }
  return found.has_run;
}

}  // namespace tilewright::test
