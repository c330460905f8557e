// SPDX-License-Identifier: Apache-2.0
// expect-error: 'op' may be dropped without having run: an Op does nothing until it is run.*twcheck-never-run
// expect-error: only the paths through here run it
// expect-error: 'flight' is dropped without having run: wait\(\) for what is in flight
// expect-error: 'a temporary' is dropped without having run
// expect-error: 'replaced' is dropped without having run
// expect-error: 'parameter' may be dropped without having run
// expect-error: 'cleared' is dropped without having run: wait\(\) for what is in flight
// expect-error: 'emptied' is dropped without having run
// expect-error: 'forgotten' may be dropped without having run
// expect-error: 'unseen' may be dropped without having run: a Result tells whether the work failed
#include <optional>
#include <vector>

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

bool perhaps();
auto make_op() { return increment(zeros().partition({16})); }
using Step = decltype(make_op());

#ifndef TILEWRIGHT_FIXED
void one_path() {
  auto op = make_op();
  if (perhaps()) (void)std::move(op).sync();
}
void in_flight() {
  auto flight = make_op().start();
  (void)&flight;
}
void temporary() { (void)make_op(); }
void assigned() {
  auto replaced = make_op();
  replaced = make_op();
  (void)std::move(replaced).sync();
}
void given(Step parameter) {
  if (perhaps()) (void)std::move(parameter).sync();
}
void vector() {
  std::vector<decltype(make_op().start())> cleared;
  cleared.push_back(make_op().start());
  cleared.clear();
}
void optional() {
  std::optional<Step> emptied;
  emptied = make_op();
  emptied.reset();
}
void end_of_a_container() {
  std::vector<Step> forgotten;
  if (perhaps()) forgotten.push_back(make_op());
}
void result() {
  auto unseen = make_op().try_sync();
  if (perhaps()) (void)unseen.error();
}
#else
void one_path() {
  auto op = make_op();
  if (perhaps()) {
    (void)std::move(op).sync();
  } else {
    std::move(op).discard();
  }
}
void in_flight() {
  auto flight = make_op().start();
  if (perhaps()) throw 1;  // an exception on its way says more
  std::move(flight).detach();
}
void temporary() { make_op().discard(); }
void assigned() {
  auto replaced = make_op();
  std::move(replaced).discard();
  replaced = make_op();
  (void)std::move(replaced).sync();
}
void given(Step parameter) { (void)std::move(parameter).sync(); }
void vector() {
  std::vector<decltype(make_op().start())> cleared;
  cleared.push_back(make_op().start());
  for (auto& each : cleared) (void)std::move(each).wait();
  cleared.clear();
}
void optional() {
  std::optional<Step> emptied;
  emptied = make_op();
  if (emptied) (void)std::move(*emptied).sync();
  emptied.reset();
}
std::vector<Step> end_of_a_container() {
  std::vector<Step> forgotten;
  if (perhaps()) forgotten.push_back(make_op());
  return forgotten;
}
void result() {
  auto unseen = make_op().try_sync();
  if (perhaps() && unseen) return;
  if (!unseen) (void)unseen.error();
}
void same_condition(bool is_wanted) {
  auto op = make_op();
  if (is_wanted) (void)std::move(op).sync();
  if (!is_wanted) std::move(op).discard();
}
#endif
