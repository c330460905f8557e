// SPDX-License-Identifier: Apache-2.0
// The reader of machine code for GPUs: what it reports, and that no bytes make it read outside them.
#include "compiler/tileir/cubin.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "support/cubin_file.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

using compiler::tileir::cubin_parameter;
using compiler::tileir::cubin_report;

cubin_report read(const std::string& bytes) { return compiler::tileir::read_cubin(std::as_bytes(std::span(bytes))); }

TEST(Cubin, TellsWhatTheKernelNeeds) {
  const cubin_report report = read(cubin_file().bytes());
  EXPECT_EQ(report.symbol, "k");
  EXPECT_EQ(report.architecture, 90U);
  EXPECT_EQ(report.registers, 168U);
  EXPECT_EQ(report.frame_bytes, 48U);
  EXPECT_EQ(report.shared_bytes, 91408U);
  EXPECT_EQ(report.barriers, 2U);
  EXPECT_EQ(report.memory_barriers, 23U);
  EXPECT_EQ(report.threads, (std::array<std::uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(report.cluster, 2U);
  EXPECT_EQ(report.parameters, (std::vector<cubin_parameter>{{0, 8}, {8, 4}}));
}

TEST(Cubin, CountsInstructions) {
  const cubin_report report = read(cubin_file().bytes());
  EXPECT_EQ(report.code_bytes, 160U);
  EXPECT_EQ(report.local_loads, 1U);
  EXPECT_EQ(report.local_stores, 2U);
  EXPECT_EQ(report.warp_products, 1U);
  EXPECT_EQ(report.warpgroup_products, 2U);
  EXPECT_EQ(report.copied_loads, 1U);
  EXPECT_EQ(report.copied_stores, 1U);
  EXPECT_EQ(report.asynchronous_loads, 1U);
  EXPECT_EQ(to_text(report).substr(0, 22), "k for sm_90: 168 regis");
}

TEST(Cubin, NeedsNoSharedMemoryAndIgnoresOtherFunctions) {
  cubin_file file;
  file.parts.pop_back();
  file.named(".nv.info").bytes += cubin_file::attribute(0x2f, cubin_file::words({7, 255}));
  EXPECT_EQ(read(file.bytes()).shared_bytes, 0U);
  EXPECT_EQ(read(file.bytes()).registers, 168U);
}

std::string refusal_of(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const io_error& refused) {
    return refused.what();
  }
  return "accepted";
}

TEST(Cubin, RefusesWhatContradictsItself) {
  const auto with = [](const char* name, const std::string& bytes) {
    cubin_file file;
    file.named(name).bytes = bytes;
    return file.bytes();
  };
  const auto changed = [](std::size_t at, char to) {
    std::string bytes = cubin_file().bytes();
    bytes[at] = to;
    return bytes;
  };
  const std::string kernel = cubin_file::symbol(1, 0x12, 0x10);
  const std::pair<std::string, const char*> cases[] = {
      {"", "no ELF file"},
      {changed(1, 'e'), "no ELF file"},
      {changed(4, 1), "no ELF file of 64 bits"},
      {changed(18, 62), "something else than an NVIDIA GPU"},
      {changed(58, 63), "section headers of another size"},
      {changed(62, 99), "no such section"},
      {changed(46, 1), "reaches past the end"},
      {with(".symtab", {}), "no kernel"},
      {with(".symtab", kernel + kernel), "a second kernel"},
      {with(".symtab", cubin_file::symbol(0, 0x12, 0x10)), "a kernel without a name"},
      {with(".symtab", cubin_file::symbol(9, 0x12, 0x10)), "reaches past the end"},
      {with(".strtab", std::string("\0k", 2)), "a name has no end"},
      {with(".text.k", "123"), "instructions are cut off"},
      {with(".nv.info", "\5\1\1\1"), "unknown form"},
      {with(".nv.info", "\4\1\1"), "reaches past the end"},
      {with(".nv.info", cubin_file::attribute(0x2f, cubin_file::words({0}))), "accepted"},
      {with(".nv.info.k", cubin_file::attribute(0x45, cubin_file::parameter(5000, 0, 4))), "more parameters"},
      {with(".nv.info.k", cubin_file::attribute(0x45, cubin_file::parameter(1, 0, 4))), "without a size"},
  };
  for (const auto& [bytes, message] : cases) {
    const std::string text = refusal_of(bytes);
    EXPECT_NE(text.find(message), std::string::npos) << message << " in: " << text;
  }
  cubin_file other;
  other.named(".text.k").name = ".text.j";
  EXPECT_NE(refusal_of(other.bytes()).find("no section .text.k"), std::string::npos);
}

// Refused or read; the sanitizers watch the rest.
TEST(Cubin, TakesAnyBytes) {
  const std::string good = cubin_file().bytes();
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_NE(refusal_of(good.substr(0, size)), "accepted");
  std::mt19937 random(20261201);
  for (int n = 0; n < 20000; ++n) {
    std::string bytes = good;
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
      bytes[random() % bytes.size()] = static_cast<char>(random() % 3 == 0 ? 0xff : random() & 0xff);
    }
    (void)refusal_of(bytes);
  }
}

}  // namespace
}  // namespace tilewright::test
