// SPDX-License-Identifier: Apache-2.0
// expect-error: 'other' is not the only owner: 'readers' owns the same memory.*twcheck-shared
// expect-error: 'input' is not the only owner: 'flight' owns the same memory
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

#ifndef TILEWRIGHT_FIXED
void copy() {
  auto readers = ones();
  auto other = readers;
  auto unique = std::move(other).into_unique();
  (void)readers.to_host();
}
void in_flight() {
  auto input = ones();
  auto flight = twice(zeros().partition({16}), input).start();
  auto unique = std::move(input).into_unique();
  (void)std::move(flight).wait();
}
#else
void copy() {
  auto readers = ones();
  {
    auto other = readers;
    (void)other.to_host();
  }
  auto unique = std::move(readers).into_unique();
}
void copy_is_replaced() {
  auto readers = ones();
  auto other = readers;
  other = ones();
  auto unique = std::move(readers).into_unique();
  (void)other.to_host();
}
void in_flight() {
  auto input = ones();
  auto flight = twice(zeros().partition({16}), input).start();
  (void)std::move(flight).wait();
  auto unique = std::move(input).into_unique();
}
#endif
