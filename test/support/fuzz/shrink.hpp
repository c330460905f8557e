// SPDX-License-Identifier: Apache-2.0
// Makes a failing kernel small: instructions and outputs go, loops and branches are opened, extents shrink, as long as
// it still fails.
#pragma once

#include <chrono>
#include <functional>

#include "support/fuzz/comparison.hpp"

namespace tilewright::test {

// `still_fails` sees kernels of sound types whose results can be compared; it is asked `most_tries` times at most.
fuzz_case shrink(fuzz_case failing, const std::function<bool(const fuzz_case&)>& still_fails, int most_tries = 2000);

// A case and how it fails.
struct failure {
  fuzz_case tested;
  outcome found;
};
// Made small as above, with a failure of the same kind; asks `judge` nothing after `end`.
failure shrink_alike(const failure& found, const std::function<outcome(const fuzz_case&)>& judge,
                     std::chrono::steady_clock::time_point end, int most_tries = 2000);

int instruction_count(const compiler::program& source);

}  // namespace tilewright::test
