// SPDX-License-Identifier: Apache-2.0
#include "suites/suites.hpp"

namespace tilewright::bench {
namespace {

void add_roof(Runner& runner, const char* name, const unit& shown, double per_second) {
  row result;
  result.name = name;
  result.dtype = "f32";
  result.unit = shown;
  result.ours = per_second * shown.scale;
  result.repeats = runner.is_smoke() ? 1 : roof_repeats;
  result.why_no_peer = "a limit of the machine, best of the repeats";
  runner.add(std::move(result));
}

}  // namespace

void run_roof_suite(bench_context& context) {
  add_roof(context.runner, "roof_copy", gigabytes_per_second, context.roofs.copy_bytes());
  add_roof(context.runner, "roof_add", gigabytes_per_second, context.roofs.add_bytes());
  add_roof(context.runner, "roof_read", gigabytes_per_second, context.roofs.read_bytes());
  add_roof(context.runner, "roof_multiply_add", gigaflops, context.roofs.multiply_adds());
}

}  // namespace tilewright::bench
