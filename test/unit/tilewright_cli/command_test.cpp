// SPDX-License-Identifier: Apache-2.0
// The program as a user calls it: exit codes, what goes to which stream, and errors that say what to do.
#include "unit/tilewright_cli/command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tilewright/compiler/compile.hpp"
#include "tilewright/runtime/bake.hpp"

namespace tilewright::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TilewrightCommand : public Command {
 protected:
  // A pack for the processor, which needs no tools.
  Outcome bake_add() const {
    return run("bake --library add --dtype f32 --shape N=4096,BN=512 --target cpu -o add.pack");
  }
};

TEST_F(TilewrightCommand, HelpsEverywhere) {
  for (const char* command : {"", "bake", "debug", "explain", "fuzz", "images", "pack", "targets"}) {
    const Outcome help = run(std::string(command) + " --help");
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_THAT(help.out, HasSubstr("Usage:")) << command;
    EXPECT_EQ(help.err, "") << command;
  }
}

TEST_F(TilewrightCommand, TellsItsVersionAndCompiler) {
  const Outcome version = run("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, AllOf(HasSubstr("tilewright 0."), HasSubstr("compiler ")));
}

TEST_F(TilewrightCommand, ListsTargetsAndKernels) {
  EXPECT_THAT(run("targets").out, AllOf(HasSubstr("sm_90   NVIDIA GPUs of compute capability 9.0"), HasSubstr("12.0")));
  EXPECT_THAT(run("bake --list").out, AllOf(HasSubstr("gemm"), HasSubstr("M=0,N=0,K=0,BM=128,BN=128,BK=64")));
}

TEST_F(TilewrightCommand, BakesListsAndLinks) {
  if (!compiler::has_cpu_target()) GTEST_SKIP() << "built without LLVM";
  const Outcome baked =
      run("bake --library add,saxpy --dtype f32,f16 --shape N=4096,BN=512 --shape N=1000 --target cpu -o a.pack"
          " --link images.cpp --symbol my_images");
  EXPECT_EQ(baked.code, 0) << baked.err;
  EXPECT_THAT(baked.out, HasSubstr("a.pack: 8 images"));
  EXPECT_THAT(baked.err, HasSubstr("[8/8] "));
  EXPECT_THAT(read("images.cpp"), HasSubstr("my_images_end"));
  const Outcome listed = run("images a.pack");
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_THAT(listed.out, AllOf(HasSubstr("saxpy"), HasSubstr("cpu"), HasSubstr("8 images, made by compiler ")));
  EXPECT_THAT(listed.out, testing::Not(HasSubstr("not this one")));
}

TEST_F(TilewrightCommand, PacksACacheFolder) {
  std::filesystem::create_directories(folder.path() / "cache");
  const Outcome packed = run("pack cache -o all.pack");
  EXPECT_EQ(packed.code, 0) << packed.err;
  EXPECT_THAT(packed.out, HasSubstr("all.pack: 0 images"));
  EXPECT_EQ(run("pack none -o all.pack").code, 1);
}

TEST_F(TilewrightCommand, SaysWhatIsWrongWithAFile) {
  std::ofstream(folder.path() / "bad.pack") << "something else";
  const Outcome listed = run("images bad.pack");
  EXPECT_EQ(listed.code, 1);
  EXPECT_THAT(listed.err, AllOf(HasSubstr("not a sound pack of images"), HasSubstr("bad.pack"), HasSubstr("fix: ")));
  EXPECT_EQ(run("images none.pack").code, 1);
}

TEST_F(TilewrightCommand, SaysWhatIsWrongWithACall) {
  const std::string sound = "bake --library add --dtype f32 --shape N=4096 --target cpu -o a.pack";
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = sound;
    return text.replace(text.find(from), from.size(), to);
  };
  const struct {
    std::string arguments, message;
  } cases[] = {{"", "subcommand"},
               {"bake", "--library is missing"},
               {replaced("--library add", ""), "--library is missing"},
               {replaced("--dtype f32", ""), "--dtype is missing"},
               {replaced("--shape N=4096", ""), "--shape is missing"},
               {replaced("--target cpu", ""), "--target is missing"},
               {replaced("-o a.pack", ""), "--output is missing"},
               {replaced("add", "subtract"), "got: subtract"},
               {replaced("f32", "f8"), "got: f8"},
               {replaced("f32", "i8"), "no form for an element type"},
               {replaced("N=4096", "N=many"), "got: N=many"},
               {replaced("N=4096", "K=3"), "not one of the kernel's"},
               {replaced("N=4096", "BN=3"), "N of 1 or more"},
               {replaced("cpu", "sm_70"), "sm_80, sm_86"},
               {replaced("cpu", "interp"), "sm_80, sm_86"},
               {sound + " --with fast", "persistent, reversed"},
               {sound + " --with num_ctas=3", "a power of two"},
               {sound + " --with latency=11", "1 to 10"},
               {sound + " --with swizzle", "1 to"},
               {sound + " --with swizzle.1=2", "latency.N or tma.N"},
               {sound + " --with tma.16=1", "latency.N or tma.N"},
               {sound + " --sanitize=racecheck", "racecheck"},
               {sound + " --jobs=-1", "jobs"}};
  for (const auto& each : cases) {
    const Outcome outcome = run(each.arguments);
    EXPECT_EQ(outcome.code, 2) << each.arguments;
    EXPECT_THAT(outcome.err, HasSubstr(each.message)) << each.arguments;
  }
}

TEST_F(TilewrightCommand, ExplainsAKernel) {
  const Outcome told = run("explain gemm --dtype f16 --sizes M=512,N=384,K=1000 --with swizzle=8,latency.1=4");
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_EQ(told.err, "");
  EXPECT_THAT(told.out, AllOf(HasSubstr("gemm of f16, a grid of [4, 3]; schedule on a GPU: swizzle 8, latency(1) 4\n"),
                              HasSubstr("Bounds: 2 static, 6 by the launch (9 comparisons), 0 hoisted, 0 in place\n"),
                              HasSubstr("a tile index of parameter 1 (In) on axis 0 stays within the tiles\n"),
                              HasSubstr("[128, 64]   1, filled with the pad\n"), HasSubstr("[128, 128]  none\n")));
  // 3 times x, 4 times y, z once; 16 steps of 64 where K is 1000.
  EXPECT_THAT(told.out, AllOf(HasSubstr("1 In                 2.93 MiB          0 B  1000.00 KiB\n"),
                              HasSubstr("2 In                 2.93 MiB          0 B   750.00 KiB\n"),
                              HasSubstr("0 Out                     0 B   384.00 KiB   384.00 KiB\n"),
                              HasSubstr("402.65 Mop in mma")));
  EXPECT_THAT(told.out, testing::Not(HasSubstr("compares")));
}

TEST_F(TilewrightCommand, ExplainsWhatIsAskedFor) {
  const std::string add = "explain add --sizes N=4096,BN=512 ";
  EXPECT_THAT(run(add + "--show bounds --details").out,
              AllOf(HasSubstr("compares: (grid(0) + -1) <= (((extent(1, 0) + 511) floor_div 512) + -1)"),
                    HasSubstr("static with: clamp the index"), testing::Not(HasSubstr("Masks"))));
  const std::string both = run(add + "--show program,ast").out;
  EXPECT_THAT(both, AllOf(HasSubstr("kernel 'add'\nparameter 0 Out f32[BN]"), HasSubstr("kernel 'add' grid rank 1")));
  EXPECT_THAT(run(add + "--show code").out, HasSubstr("kernel 'add' grid rank 1"));
  EXPECT_THAT(run(add + "--show code --target sm_90", "TILEWRIGHT_TILEIR_TOOLS=/nowhere").err,
              AllOf(HasSubstr("kernel @add("), HasSubstr("./dev setup --tileir")));
  if (!compiler::has_cpu_target()) return;
  const Outcome code = run(add + "--show code --target cpu");
  EXPECT_EQ(code.code, 0);
  EXPECT_THAT(code.err, HasSubstr("define void @tilewright_kernel"));
}

TEST_F(TilewrightCommand, SaysWhatItCannotExplain) {
  const struct {
    std::string arguments, message;
  } cases[] = {{"explain", "the kernel is missing"},
               {"explain subtract", "got: subtract"},
               {"explain add", "N of 1 or more"},
               {"explain add --sizes N=4,K=3", "not one of the kernel's"},
               {"explain add --sizes N=4 --dtype i8", "no form for an element type"},
               {"explain add --sizes N=4 --target sm_70", "sm_80, sm_86"},
               {"explain add --sizes N=4 --show all", "all"}};
  for (const auto& each : cases) {
    const Outcome outcome = run(each.arguments);
    EXPECT_EQ(outcome.code, 2) << each.arguments;
    EXPECT_THAT(outcome.err, HasSubstr(each.message)) << each.arguments;
  }
}

TEST_F(TilewrightCommand, NamesKernelAndTargetWithoutTools) {
  const Outcome baked =
      run("bake --library add --dtype f32 --shape N=4096 --target sm_90 -o a.pack", "TILEWRIGHT_TILEIR_TOOLS=/nowhere");
  EXPECT_EQ(baked.code, 1);
  EXPECT_THAT(baked.err, AllOf(HasSubstr("add for sm_90"), HasSubstr("./dev setup --tileir")));
}

TEST_F(TilewrightCommand, FuzzesKernelsAndCountsThem) {
  const Outcome fuzzed = run("fuzz --count 20 --seed 5 --device interp --jobs 2 --ops");
  EXPECT_EQ(fuzzed.code, 0) << fuzzed.out;
  EXPECT_THAT(fuzzed.out, AllOf(HasSubstr("interp: 20 kernels from seed 5"), HasSubstr("0 failed"),
                                HasSubstr("never: a program has no Dims"), HasSubstr("reduce_sum")));
  EXPECT_THAT(fuzzed.err, HasSubstr("20 of 20 kernels"));
  EXPECT_EQ(run("fuzz --device tpu").code, 2);
  EXPECT_THAT(run("fuzz --device assemble:cpu").err, HasSubstr("interp, cpu, assemble:sm_90 or cuda"));
}

TEST_F(TilewrightCommand, RefusesToFuzzNothing) {
  const auto fuzz_seeds = [&](const std::string& text) {
    std::ofstream(folder.path() / "seeds.txt") << text;
    return run("fuzz --quiet --device interp --seeds seeds.txt");
  };
  const Outcome listed = fuzz_seeds("7 # and a word\n\n9\n");
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("interp: 2 kernels from seed 7"));
  for (const std::string wrong : {"x7", "7x", "-1", "4294967296", "1.5"}) {
    const Outcome refused = fuzz_seeds("7 " + wrong + " 9\n");
    EXPECT_EQ(refused.code, 2) << wrong;
    EXPECT_THAT(refused.err, AllOf(HasSubstr("numbers below 2^32"), HasSubstr(wrong)));
  }
  for (const char* empty : {"", "\n", "# 7\n"}) {
    const Outcome refused = fuzz_seeds(empty);
    EXPECT_EQ(refused.code, 2) << empty;
    EXPECT_THAT(refused.err, AllOf(HasSubstr("a file of seeds has none"), HasSubstr("seeds.txt")));
  }
  const Outcome none = run("fuzz --device interp --count 0");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("--count"));
}

TEST_F(TilewrightCommand, TakesOptionsOfASchedule) {
  if (!compiler::has_cpu_target()) GTEST_SKIP() << "built without LLVM";
  const Outcome baked = run(
      "bake --library add --dtype f32 --shape N=4096 --target cpu -o a.pack --with "
      "persistent,reversed=0,swizzle=8,num_ctas=2,latency=3,latency.1=4,tma.0=0,fast_math,deny_residual,deterministic");
  EXPECT_EQ(baked.code, 0) << baked.err;
}

}  // namespace
}  // namespace tilewright::test
