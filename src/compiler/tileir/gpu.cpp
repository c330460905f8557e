// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/gpu.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "compiler/dump.hpp"
#include "compiler/formats.hpp"
#include "compiler/tileir/assembler.hpp"
#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/text.hpp"
#include "compiler/tileir/verify.hpp"
#include "compiler/tileir/write.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

[[noreturn]] void refuse_without_tools(const program& source, target where) {
  throw runtime_error(
      {.what = std::string("there is no image for ") + name_of(where) + ", and no Tile IR assembler to make one",
       .where = describe_location(*source.module, {}),
       .expected =
           std::string("tileiras ") + assembler_version + " in TILEWRIGHT_TILEIR_TOOLS, PATH or /usr/local/cuda",
       .got = "none",
       .fix = "./dev setup --tileir and let TILEWRIGHT_TILEIR_TOOLS name its folder, or load images baked elsewhere"});
}

// A tile of a quarter of a million elements takes half a minute, more where all cores are at work.
std::chrono::milliseconds time_limit() {
  constexpr int usual = 120, greatest = 86'400;
  const char* wanted = std::getenv("TILEWRIGHT_TILEIR_SECONDS");
  const int seconds = wanted == nullptr ? usual : std::atoi(wanted);
  return std::chrono::seconds(seconds >= 1 && seconds <= greatest ? seconds : usual);
}

// The assembler would say it in words that help nobody.
void require_sound(const program& source, const tileir::bytecode& code) {
  if (const auto fault = tileir::find_fault(code)) {
    throw internal_error({.what = "the Tile IR of a kernel breaks a rule",
                          .where = describe_location(*source.module, {}),
                          .expected = {},
                          .got = to_text(*fault),
                          .fix = "report this with the kernel"});
  }
}

// For an image that checks its accesses. The assembler (13.4) checks an asynchronous copy whether or not its source
// predicate holds, and so reports the ones that read nothing: beside a ragged edge, all of them.
program without_copies(program source) {
  source.schedule.all.tma = 0;
  for (access_options& each : source.schedule.of) each.tma = 0;
  return source;
}

}  // namespace

std::shared_ptr<const gpu_image> emit_gpu(const program& source, target where) {
  stage_clock clock;
  const bool is_checked = current_gpu_options().memcheck;
  // First: a kernel's faults are told without tools too.
  const tileir::bytecode code = tileir::emit(is_checked ? without_copies(source) : source, where);
  require_sound(source, code);
  const std::string bytes = tileir::write(code);
  const double emit_us = clock.lap();
  if (is_dumped("tileir")) std::fputs(tileir::to_text(code).c_str(), stderr);
  const auto tools = tileir::find_assembler();
  if (!tools) refuse_without_tools(source, where);
  tileir::assembly_options options{.architecture = name_of(where), .limit = time_limit()};
  if (is_checked) options.more.emplace_back("--sanitize=memcheck");
  (void)clock.lap();
  const std::string cubin = tileir::assemble(*tools, bytes, *source.module, options).cubin;
  if (is_dumped("tileir")) {
    std::fprintf(stderr, "kernel '%s': bytecode %.0f us, assembler %.0f us\n", source.module->name, emit_us,
                 clock.lap());
  }
  return std::make_shared<gpu_image>(std::as_bytes(std::span(cubin)), tileir::symbol_of(source),
                                     tileir::launch_form_of(source, where));
}

}  // namespace tilewright::compiler
