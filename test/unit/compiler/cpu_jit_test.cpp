// SPDX-License-Identifier: Apache-2.0
// Objects: the same for the same module, refused when damaged, loaded and unloaded by many threads.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cmath>
#include <cstring>
#include <thread>

#include "compiler/cpu/jit.hpp"
#include "support/cpu_code.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

using bytes = std::vector<std::byte>;

// run: buffer 0 += exp(number) in each of `lanes` doubles, last - first times.
bytes adding_object(double number, int lanes = 8) {
  ir::module_builder code("run");
  const ir::type doubles{ir::scalar_type::f64, lanes};
  code.loop(code.first(), code.last(), 1, [&](ir::value) {
    const ir::value operand = code.floating(doubles, number);
    const ir::value summand = code.call_libm("exp", std::span(&operand, 1));
    store_buffer(code, 0, code.float_add(load_buffer<double>(code, 0, lanes), summand));
  });
  code.finish();
  return compiler::compile_object(std::move(code));
}

double first_lane_after(const compiler::loaded_kernel& loaded) {
  std::array<double, 8> result = {};
  const std::uint64_t parameters = reinterpret_cast<std::uintptr_t>(result.data());
  const std::array<std::int64_t, 6> grid = {};
  loaded.entry(&parameters, grid.data(), 0, 2, nullptr, nullptr);
  return result[0];
}

// Bytes with the digest that load_object wants, so that what comes after the digest is tried too.
bytes sealed(const char* code, std::size_t size) {
  bytes result(size + sizeof(XXH128_canonical_t));
  std::memcpy(result.data(), code, size);
  XXH128_canonical_t digest;
  XXH128_canonicalFromHash(&digest, XXH3_128bits(code, size));
  std::memcpy(result.data() + size, &digest, sizeof digest);
  return result;
}

void expect_refused(const bytes& object, const std::string& text, const std::string& name = "run") {
  try {
    compiler::load_object(object, name);
    ADD_FAILURE() << "loaded where '" << text << "' was expected";
  } catch (const runtime_error& failure) {
    EXPECT_NE(std::string(failure.what()).find(text), std::string::npos) << failure.what();
  }
}

TEST(CpuJit, RunsWhatItCompiled) {
  EXPECT_EQ(first_lane_after(compiler::load_object(adding_object(1.5), "run")), 2 * std::exp(1.5));
}

TEST(CpuJit, SameModuleSameObject) { EXPECT_EQ(adding_object(1.25), adding_object(1.25)); }

TEST(CpuJit, RefusesDamagedObjects) {
  const bytes object = adding_object(1.5);
  expect_refused({}, "cut off");
  expect_refused(bytes(10), "cut off");
  expect_refused(bytes(1000), "damaged");
  for (const std::size_t size : {object.size() - 1, object.size() / 2, std::size_t{16}, std::size_t{64}}) {
    expect_refused(bytes(object.begin(), object.begin() + static_cast<std::ptrdiff_t>(size)), "damaged");
  }
  for (std::size_t at = 0; at < object.size(); ++at) {
    bytes changed = object;
    changed[at] ^= static_cast<std::byte>(1U << (at % 8));
    expect_refused(changed, "damaged");
  }
}

TEST(CpuJit, RefusesWhatIsNoObjectOfThisMachine) {
  bytes object = adding_object(1.5);
  expect_refused(object, "no 'walk'", "walk");
  expect_refused(sealed("no object", 9), "no object file");
  expect_refused(sealed("", 0), "no object file");
  const std::size_t size = object.size() - sizeof(XXH128_canonical_t);
  constexpr std::size_t machine_field = 18;  // e_machine of an ELF header
  object[machine_field] = std::byte{243};    // RISC-V
  object[machine_field + 1] = std::byte{0};
  expect_refused(sealed(reinterpret_cast<const char*>(object.data()), size), "another processor");
  expect_refused(sealed(reinterpret_cast<const char*>(object.data()), 100), "");
}

TEST(CpuJit, RefusesMissingFunctions) {
  ir::module_builder code("run");
  const ir::value operand = code.floating({ir::scalar_type::f64, 1}, 1);
  store_buffer(code, 0, code.call_libm("no_function_of_any_library", std::span(&operand, 1)));
  code.finish();
  expect_refused(compiler::compile_object(std::move(code)), "linked");
}

TEST(CpuJit, ManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int number = 0; number < 8; ++number) {
    threads.emplace_back([number] {
      for (int round = 0; round < 10; ++round) {
        const double operand = number + round / 16.0;
        const compiler::loaded_kernel loaded = compiler::load_object(adding_object(operand), "run");
        EXPECT_EQ(first_lane_after(loaded), 2 * std::exp(operand));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(CpuJit, LoadedCodeOutlivesItsThread) {
  compiler::loaded_kernel loaded;
  std::thread([&] { loaded = compiler::load_object(adding_object(0.5), "run"); }).join();
  EXPECT_EQ(first_lane_after(loaded), 2 * std::exp(0.5));
}

TEST(CpuJit, DescribesTheMachine) {
  const int width = compiler::vector_bytes();
  EXPECT_TRUE(width == 16 || width == 32 || width == 64) << width;
  EXPECT_EQ(compiler::jit_fingerprint().rfind("llvm 22", 0), 0U) << compiler::jit_fingerprint();
  EXPECT_EQ(compiler::jit_fingerprint(), compiler::jit_fingerprint());
}

}  // namespace
}  // namespace tilewright::test
