// SPDX-License-Identifier: Apache-2.0
// The launches whose checks and masks are counted: compiled once for all tests of the folder.
#pragma once

#include <vector>

#include "support/library_launches.hpp"

namespace tilewright::test {

std::vector<library_group> library_corpus();  // one launch of each kernel of the library
std::vector<library_group> shared_corpus();   // kernels that tests share, and some whose indices or divisors are data

// Those of both, one after the other.
std::vector<library_launch> corpus_launches();

}  // namespace tilewright::test
