// SPDX-License-Identifier: Apache-2.0
// The two devices of the host: one runs images of the cpu back end, one those of the interpreter.
#include "runtime/host_engine.hpp"

#include <thread>

namespace tilewright::detail {
namespace {

// Never destroyed: tensors of static storage may die after everything else. At the end of the program the work in
// flight is finished, so that nothing runs while the libraries below are taken down.
template <int Which>
device_engine& engine(const char* name, compiler::target target) {
  static device_engine* const made = new host_engine(name, target);
  runtime::executor::shared();  // throws for a bad setting now, not when work runs
  static const struct finisher {
    // On a thread of its own: this one's thread-local scratch is gone already. A forked child has no streams to end.
    ~finisher() {
      if (!made->is_of_other_process()) std::thread([] { made->end_streams(); }).join();
    }
  } at_exit;
  (void)at_exit;
  return *made;
}

}  // namespace

device_engine& cpu_engine() {
  return engine<0>("cpu", compiler::has_cpu_target() ? compiler::target::cpu : compiler::target::interp);
}
device_engine& interp_engine() { return engine<1>("interp", compiler::target::interp); }

}  // namespace tilewright::detail
