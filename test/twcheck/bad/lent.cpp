// SPDX-License-Identifier: Apache-2.0
// expect-error: 'given' is given away while it is lent to 'reader'.*twcheck-lent
// expect-error: 'read' is read while it is lent to 'writer'
// expect-error: 'twice_lent' is lent again while it is lent to 'writer'
// expect-error: 'assigned' is assigned while it is lent to 'reader'
// expect-error: 'both' is lent again while it is lent to 'a temporary'
// expect-error: '\*freed' is destroyed while it is lent to 'launch'
// expect-error: 'pending' is read while it is lent to 'launch'
// expect-error: 'sliced' is given away while it is lent to 'part'
// expect-error: 'in_scope' is read while it is lent to 's'
// expect-error: 'local' ends before 'what the function returns', which borrows it.*twcheck-outlives
// expect-error: 'in_block' ends before 'holder', which borrows it
// expect-error: 'in_loop' ends before 'kept', which borrows it
// expect-error: lent here
// flags: -Wno-dangling -Wno-return-stack-address
#include <memory>

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

struct Reader {
  LentInput<f32> input;
};
bool perhaps();

#ifndef TILEWRIGHT_FIXED
void give() {
  auto given = zeros();
  auto reader = given.borrow();
  auto readers = std::move(given).share();
  (void)reader, (void)readers;
}
void read() {
  auto read = zeros();
  auto writer = read.partition({16});
  (void)read.to_host();
  (void)writer;
}
void lend_twice() {
  auto twice_lent = zeros();
  auto writer = twice_lent.partition({16});
  auto reader = twice_lent.borrow();
  (void)writer, (void)reader;
}
void assign() {
  auto assigned = zeros();
  auto reader = assigned.borrow();
  assigned = zeros();
  (void)reader;
}
void one_expression() {
  auto both = zeros();
  twice(both.partition({16}), both.borrow()).sync();
}
void free() {
  auto* freed = new Tensor<f32>(zeros());
  auto launch = increment(freed->partition({16}));
  delete freed;
  std::move(launch).sync();
}
void pending() {
  auto pending = zeros();
  auto launch = increment(pending.partition({16}));
  (void)pending.to_host();
  std::move(launch).sync();
}
void slice() {
  auto sliced = zeros();
  auto part = sliced.slice(0, 0, 16);
  auto readers = std::move(sliced).share();
  (void)part, (void)readers;
}
void scoped() {
  auto in_scope = zeros();
  scope([&](Scope& s) {
    s.start(increment(in_scope.partition({16})));
    (void)in_scope.to_host();
  });
}
LentInput<f32> returned() {
  auto local = zeros();
  return local.borrow();
}
void heap() {
  std::unique_ptr<Reader> holder;
  {
    auto in_block = zeros();
    holder.reset(new Reader{in_block.borrow()});
  }
}
void heap_in_a_loop() {
  Reader* kept = nullptr;
  while (perhaps()) {
    auto in_loop = zeros();
    kept = new Reader{in_loop.borrow()};
  }
  delete kept;
}
#else
void in_turn() {
  auto z = zeros(), x = zeros();
  {
    auto reader = z.borrow();
    (void)reader;
  }
  z = zeros();
  add(z.partition({16}), x.borrow(), x.borrow()).sync();
  increment(z.partition({16})).sync();
  (void)z.to_host();
  auto readers = std::move(z).share();
}
void scoped() {
  auto z = zeros();
  scope([&](Scope& s) {
    auto [head, tail] = z.split_at(0, 16);
    s.start(twice(std::move(head).partition({16}), std::move(tail).borrow()));
  });
  (void)z.to_host();
  auto readers = std::move(z).share();
}
void parts() {
  auto z = zeros();
  twice(z.slice(0, 0, 16).partition({16}), z.slice(0, 16, 32).borrow()).sync();
  auto [back] = increment(std::move(z).partition({16})).sync();
}
void heap() {
  auto z = zeros();
  auto* reader = new Reader{z.borrow()};
  delete reader;
  { const std::unique_ptr<Reader> holder(new Reader{z.borrow()}); }
  auto readers = std::move(z).share();
}
void after_an_exception() {
  auto z = zeros();
  try {
    auto reader = z.borrow();
    increment(z.slice(0, 0, 16).partition({16})).sync();
    (void)reader;
  } catch (const std::exception&) {
    auto readers = std::move(z).share();
  }
}
void one_of_two(bool first) {
  auto z = zeros();
  if (first ? increment(z.partition({16})).sync(), true : false) z = zeros();
}
#endif
