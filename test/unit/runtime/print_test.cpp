// SPDX-License-Identifier: Apache-2.0
// Where printed lines go: to the sink or to stderr, whole, from all blocks at once.
#include "tilewright/runtime/print.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tilewright/runtime/debug.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

constexpr int line_of_print = __LINE__ + 2;
constexpr auto tells = kernel<"tells">([](Block b, Out<f32, B> z, In<f32, dyn> x) {
  b.print("{} {}", b.pid(0), load_like(x, z));
  z.store(load_like(x, z));
});
constexpr auto tells_otherwise = kernel<"tells">([](Block b, Out<f32, B> z, In<f32, dyn> x) {
  b.print("block {} has {}", b.pid(0), load_like(x, z));
  z.store(load_like(x, z));
});

template <class Kernel>
void launch(const Kernel& kernel, index_t blocks, const Device& device = cpu_device()) {
  kernel(device.zeros<f32>({4 * blocks}).partition({4}), device.iota<f32>({4 * blocks}).share()).sync();
}
std::string expected_line(index_t block) {
  const index_t first = 4 * block;
  std::string text = "print_test.cpp:" + std::to_string(line_of_print) + " block (" + std::to_string(block) + "): ";
  text += std::to_string(block) + " [" + std::to_string(first);
  for (index_t i = first + 1; i < first + 4; ++i) text += ", " + std::to_string(i);
  return text + "]\n";
}

class PrintSink : public testing::Test {
 protected:
  void TearDown() override { set_print_sink({}); }
};

TEST_F(PrintSink, GetsEachLineOnceAndWhole) {
  constexpr index_t blocks = 5000;
  std::multiset<std::string> got, expected;
  set_print_sink([&](const std::string& line) { got.insert(line); });  // calls come one at a time
  launch(tells, blocks);
  for (index_t n = 0; n < blocks; ++n) expected.insert(expected_line(n));
  EXPECT_EQ(got, expected);
}

TEST_F(PrintSink, IsStderrUnlessSet) {
  testing::internal::CaptureStderr();
  launch(tells, 1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), expected_line(0));
}

// They differ in nothing but the text, so that one image would say the same.
TEST_F(PrintSink, TellsKernelsApartThatDifferInTheirTextsAlone) {
  std::vector<std::string> got;
  set_print_sink([&](const std::string& line) { got.push_back(line.substr(line.find("): ") + 3)); });
  launch(tells, 1);
  launch(tells_otherwise, 1);
  launch(tells, 1);
  EXPECT_EQ(got, (std::vector<std::string>{"0 [0, 1, 2, 3]\n", "block 0 has [0, 1, 2, 3]\n", "0 [0, 1, 2, 3]\n"}));
}

TEST_F(PrintSink, GetsLinesOfTheDebuggerToo) {
  int count = 0;
  set_print_sink([&](const std::string& line) { count += line == expected_line(0); });
  launch(tells, 1, debug_device());
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace tilewright::test
