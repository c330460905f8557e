// SPDX-License-Identifier: Apache-2.0
// The program of both package tests: it needs a header and a symbol of the library.
#include <cstdio>
#include <cstring>

#include "tilewright/base/error.hpp"

int main() {
  try {
    throw tilewright::usage_error({.what = "a message", .where = {}, .expected = {}, .got = {}, .fix = {}});
  } catch (const tilewright::error& e) {
    std::puts(e.what());
    return std::strcmp(e.what(), "a message") == 0 ? 0 : 1;
  }
}
