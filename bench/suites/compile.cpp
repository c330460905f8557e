// SPDX-License-Identifier: Apache-2.0
// What the first launch of a kernel costs: from the captured module to a checked program (bind, check, simplify), from
// the module to LLVM IR, and from the program to an image that can run.
#include "tilewright/compiler/compile.hpp"

#include "suites/kernel_ir.hpp"
#include "suites/suites.hpp"
#include "tilewright/kernels/attention.hpp"
#include "tilewright/kernels/elementwise.hpp"
#include "tilewright/kernels/gemm.hpp"
#include "tilewright/kernels/normalization.hpp"

namespace tilewright::bench {
namespace {

using compiler::argument;

// A dense row-major tensor that nobody reads.
argument dense(const Shape& shape, const Shape& piece = {}) {
  argument made;
  made.address = reinterpret_cast<const void*>(std::uintptr_t{4096});
  made.rank = static_cast<std::int8_t>(shape.rank());
  index_t stride = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    made.extents[static_cast<std::size_t>(axis)] = shape[axis];
    made.strides[static_cast<std::size_t>(axis)] = stride;
    stride *= shape[axis];
  }
  for (int axis = 0; axis < piece.rank(); ++axis) made.piece[static_cast<std::size_t>(axis)] = piece[axis];
  return made;
}

void measure_kernel(bench_context& context, const std::string& name, const ast::module_view& module,
                    const std::vector<argument>& arguments, const std::vector<compiler::named_extent>& with,
                    compiler::target where, bar ir_bar) {
  const auto bound = compiler::bind_arguments(module, arguments, with, {});
  comparison what;
  what.name = name + "_program";
  what.unit = milliseconds;
  what.why_no_peer = "a cost of our own";
  what.plan.repeats = 25;
  what.ours = timed([&] { (void)compiler::front(module, bound.special); });
  context.runner.measure(what);
  if (has_kernel_ir()) {
    what.name = name + "_llvm_ir";
    what.bar = ir_bar;
    what.ours = timed([&] { make_kernel_ir(compiler::front(module, bound.special)); });
    context.runner.measure(what);
  }

  const compiler::program program = compiler::front(module, bound.special);
  what.name = name + "_image";
  what.bar = no_bar;
  what.plan = {.repeats = 7, .settle_seconds = 0.0, .warm_before_each = false};
  what.ours = timed([&] { (void)compiler::emit(program, where); });
  context.runner.measure(what);
}

}  // namespace

void run_compile_suite(bench_context& context) {
  const bool is_cpu = context.device == cpu_device() && compiler::has_cpu_target();
  const auto where = is_cpu ? compiler::target::cpu : compiler::target::interp;
  const Shape many = {1 << 20}, square = {1024, 1024}, wide = {512, 576}, narrow = {512, 192};
  measure_kernel(context, "compile_add", kernels::add<f32, kernels::BN>().module(),
                 {dense(many, {1 << 16}), dense(many), dense(many)}, {}, where, no_bar);
  measure_kernel(context, "compile_softmax", kernels::softmax<f32>().module(),
                 {dense(square, {4, 1024}), dense(square)}, {}, where, no_bar);
  measure_kernel(context, "compile_gemm", kernels::gemm<f32>().module(),
                 {dense(square, {128, 128}), dense(square), dense(square)}, {{"BK", 128}}, where, no_bar);
  measure_kernel(context, "compile_attention", kernels::attention<f32>().module(),
                 {dense(wide, {64, 64}), dense(wide), dense(narrow), dense(narrow), {}, {}}, {{"BN", 64}, {"HEADS", 3}},
                 where, below(2.0));
}

}  // namespace tilewright::bench
