// SPDX-License-Identifier: Apache-2.0
// The margins that the tests of kernels rely on: what lies there, and that who writes or reads there is found out.
#include <cstdlib>
#include <cstring>

#include "numeric/kernels/kernel_test.hpp"
#include "runtime/image_cache.hpp"
#include "support/arguments.hpp"
#include "support/element_bits.hpp"
#include "support/gpu_run.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

inline constexpr Dim BN{"BN"};
inline constexpr auto ones = kernel<"ones">([](Block b, Out<f32, BN> z) { z.store(b.full<f32>(tile<BN>, 1.0f)); });
inline constexpr auto copied = kernel<"copied">([](Out<f32, BN> z, In<f32, dyn> x) { z.store(load_like(x, z)); });

constexpr index_t elements = 12;
const std::vector<std::string> past_the_end{"a tensor of 48 bytes: the byte at 48 was written"};

// Launches a kernel over memory that is said to hold `said` elements in pieces of 4.
template <class Kernel>
void run(detail::device_engine& engine, const Kernel& kernel, const std::vector<std::byte*>& memory, index_t said) {
  const ast::module_view& module = *kernel.reference().module;
  std::vector<compiler::argument> arguments;
  for (std::byte* each : memory) {
    const auto address = reinterpret_cast<std::uintptr_t>(each);
    arguments.push_back(arguments.empty() ? dense({said}, {4}, address) : dense({said}, {}, address));
  }
  const compiler::bound_arguments bound = compiler::bind_arguments(module, arguments, {}, {});
  const runtime::compiled_kernel& made = engine.compile(module, bound.special);
  detail::compiled_launch launch;
  launch.image = made.image;
  launch.parameters.resize(compiler::parameter_block_words(made.program.parameters));
  compiler::write_parameter_block(made.program.parameters, arguments, launch.parameters.data());
  std::fill(std::begin(launch.grid), std::end(launch.grid), 1);
  launch.blocks = launch.grid[0] = bound.grid[0];
  engine.prepare(launch);
  launch_and_wait(engine, launch);
}

class Margins : public KernelTest {
 protected:
  void SetUp() override {
    KernelTest::SetUp();
    if (IsSkipped()) return;
    checks_ = dynamic_cast<margin_checks*>(&engine());
    is_baked_ = baked_target().has_value();
    if (checks_ == nullptr && !is_baked_) GTEST_SKIP() << "compute-sanitizer watches tensors without margins";
  }

  static detail::device_engine& engine() { return device().engine(); }
  std::vector<std::string> broken() const { return checks_->broken_margins(); }

  static std::byte* allocate() { return engine().allocate(elements * sizeof(f32), detail::first_use::by_host).address; }
  static void free(std::byte* memory) { engine().free(memory, elements * sizeof(f32), {}); }

  margin_checks* checks_ = nullptr;
  bool is_baked_ = false;  // no values, no margins
};
TILEWRIGHT_ON_EACH_BACK_END(Margins);

TEST_P(Margins, AreNanInEveryFloatingType) {
  if (is_baked_) return;
  std::byte* const memory = allocate();
  std::vector<std::byte> margin(margin_bytes);
  for (const std::byte* place : {memory - margin_bytes, memory + elements * sizeof(f32)}) {
    engine().copy_to_host(margin.data(), place, margin.size());
    for (const dtype element : {dtype::f16, dtype::bf16, dtype::f32, dtype::f64}) {
      const auto size = static_cast<std::size_t>(info(element).size_bytes);
      for (std::size_t at = 0; at < margin.size(); at += size) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, margin.data() + at, size);
        ASSERT_TRUE(std::isnan(decode_float(element, bits))) << info(element).name << " at " << at;
      }
    }
  }
  free(memory);
}

TEST_P(Margins, TellAByteThatWasWritten) {
  if (is_baked_) return;
  std::byte* const memory = allocate();
  const std::byte other{0};
  engine().copy_from_host(memory - 1, &other, 1);
  EXPECT_EQ(broken(), std::vector<std::string>{"a tensor of 48 bytes: the byte at -1 was written"});
  EXPECT_EQ(broken(), std::vector<std::string>{}) << "told twice";
  free(memory);
  engine().copy_from_host(memory + 48, &other, 1);  // freed, but nobody else's yet
  EXPECT_EQ(broken(), past_the_end);
}

TEST_P(Margins, TellAKernelThatWritesOneElementPastATensor) {
  std::byte* const memory = allocate();
  run(engine(), ones, {memory}, elements);
  if (!is_baked_) {
    EXPECT_EQ(broken(), std::vector<std::string>{});
  }
  run(engine(), ones, {memory}, elements + 1);
  if (!is_baked_) {
    EXPECT_EQ(broken(), past_the_end);
  }
  free(memory);
}

// Also where what it writes comes out of another margin.
TEST_P(Margins, TellAKernelThatCopiesOneElementPastTwoTensors) {
  std::byte *const to = allocate(), *const from = allocate();
  run(engine(), copied, {to, from}, elements + 1);
  if (!is_baked_) {
    EXPECT_EQ(broken(), past_the_end);
  }
  free(to);
  free(from);
}

// What tools/gpu/run_suites.py --memcheck begins with: where the tool does not report this, its silence means nothing.
TEST(MemcheckControl, WritesOneElementPastATensor_gpu) {
  if (std::getenv("TILEWRIGHT_MEMCHECK_CONTROL") == nullptr) GTEST_SKIP() << "a fault for compute-sanitizer to find";
  detail::device_engine& engine = margined_device(test_back_end::gpu).engine();
  run(engine, ones, {engine.allocate(elements * sizeof(f32), detail::first_use::by_host).address}, elements + 1);
}

}  // namespace
}  // namespace tilewright::test
