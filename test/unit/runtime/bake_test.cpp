// SPDX-License-Identifier: Apache-2.0
// bake() compiles what host code would launch and writes it to a file, or says why not. Here for the cpu target, which
// needs no tools; for GPUs in test/tileir/bake_test.cpp.
#include "tilewright/runtime/bake.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "runtime/image_cache.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/gpu_image.hpp"
#include "tilewright/runtime/graph.hpp"
#include "tilewright/runtime/images.hpp"
#include "unit/runtime/runtime_kernels.hpp"
#include "unit/runtime/temporary_folder.hpp"

namespace tilewright::test {
namespace {

namespace fs = std::filesystem;
using compiler::target;

inline constexpr auto add_scaled = kernel<"add_scaled">(
    [](Out<f32, B> z, In<f32, dyn> x, Scalar<f32> a) { z.store(load_like(x, z) * a + load_like(x, z)); });

class Bake : public testing::Test {
 protected:
  temporary_folder folder;
  fs::path pack = folder.path() / "a.pack";
  std::vector<std::string> lines;
  bake_options options{.targets = {target::cpu},
                       .pack = pack,
                       .jobs = 2,
                       .limit = std::chrono::milliseconds(0),
                       .memcheck = false,
                       .progress = [this](const std::string& line) { lines.push_back(line); }};

  void SetUp() override {
    if (!compiler::has_cpu_target()) GTEST_SKIP() << "built without LLVM";
  }
};

// Several kernels, one of them twice, one with other facts.
void host_code(const Device& device) {
  const auto x = device.zeros<f32>({1024}).share();
  for (int i = 0; i < 2; ++i) add(device.empty<f32>({1024}).partition({128}), x, x).sync();
  (void)add(device.empty<f32>({1000}).partition({128}), x, x).start().wait();
  auto prepared = prepare(add_scaled(device.empty<f32>({1024}).partition({64}), x, 2.0f));
  prepared.sync();
  auto z = device.zeros<f32>({1024});
  Graph graph = capture(device, [&] { increment(z.partition({128})).sync(); });
  graph.sync();
}

TEST_F(Bake, PacksEveryImageThatHostCodeLaunches) {
  const bake_summary made = bake(host_code, options);
  EXPECT_EQ(made.images, 4u);
  EXPECT_EQ(made.bytes, fs::file_size(pack));
  const baked_pack read = describe_pack(pack);
  EXPECT_TRUE(read.is_usable);
  std::vector<std::string> kernels;
  for (const baked_image& image : read.images) {
    EXPECT_EQ(image.target, "cpu");
    EXPECT_GT(image.bytes, 100u);
    kernels.push_back(image.kernel);
  }
  std::sort(kernels.begin(), kernels.end());
  EXPECT_EQ(kernels, (std::vector<std::string>{"add", "add", "add_scaled", "increment"}));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[3].substr(0, 6), "[4/4] ") << lines[3];
}

TEST_F(Bake, MakesTheSameFileAgain) {
  (void)bake(host_code, options);
  const auto first = runtime::read_pack(pack);
  (void)bake(host_code, options);
  EXPECT_EQ(runtime::read_pack(pack), first);
}

TEST_F(Bake, TakesLaunchesAsAList) {
  BakeList list;
  list.add(add, bake_output{{4096}, {256}}, bake_input{{4096}}, bake_input{{4096}})
      .add(add_scaled, bake_output{{4096}, {256}}, bake_input{{4096}}, 3);
  EXPECT_EQ(bake(list, options).images, 2u);
}

TEST_F(Bake, OfAListMakesTheKeysOfLaunches) {
  (void)bake(BakeList().add(add_scaled, bake_output{{512}, {32}}, bake_input{{512}}, 1.5f), options);
  load_images(pack);
  const auto before = runtime::image_cache::shared().statistics();
  (void)add_scaled(cpu_device().empty<f32>({512}).partition({32}), cpu_device().zeros<f32>({512}), 2.5f).sync();
  const auto after = runtime::image_cache::shared().statistics();
  EXPECT_EQ(after.loaded, before.loaded + 1);
  EXPECT_EQ(after.emitted, before.emitted);
}

TEST_F(Bake, WritesNothingWhenHostCodeThrows) {
  const auto throws = [](const Device& device) {
    host_code(device);
    throw usage_error({.what = "mine", .where = {}, .expected = {}, .got = {}, .fix = {}});
  };
  EXPECT_THROW((void)bake(throws, options), usage_error);
  EXPECT_FALSE(fs::exists(pack));
}

TEST_F(Bake, RefusesLaunchesThatALaunchRefuses) {
  BakeList list;
  list.add(add, bake_output{{4096}, {256}}, bake_input{{1000}}, bake_input{{4096}});
  EXPECT_THROW((void)bake(list, options), usage_error);
}

TEST_F(Bake, RefusesNoTargetAndTheInterpreter) {
  options.targets = {};
  EXPECT_THROW((void)bake(host_code, options), usage_error);
  options.targets = {target::cpu, target::interp};
  EXPECT_THROW((void)bake(host_code, options), usage_error);
}

TEST_F(Bake, SaysWhenTheFileCannotBeWritten) {
  options.pack = folder.path() / "none" / "a.pack";
  EXPECT_THROW((void)bake(host_code, options), io_error);
}

TEST_F(Bake, EndsTheDeviceThatItLends) {
  std::vector<Device> kept;
  (void)bake([&](const Device& device) { kept.push_back(device); }, options);
  auto z = kept.at(0).zeros<f32>({8});
  EXPECT_THROW(increment(z.partition({8})).sync(), usage_error);
}

TEST_F(Bake, ServesSeveralThreadsAtOnce) {
  std::vector<std::thread> running;
  std::atomic<int> images{0};
  for (int t = 0; t < 4; ++t) {
    running.emplace_back([&, t] {
      bake_options own = options;
      own.pack = folder.path() / std::to_string(t);
      own.progress = [](const std::string&) {};
      images += static_cast<int>(bake(host_code, own).images);
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(images, 16);
}

TEST_F(Bake, IsAProgramToo) {
  const auto run = [&](std::vector<std::string> words) {
    std::vector<char*> argv = {words.at(0).data()};
    for (std::size_t i = 1; i < words.size(); ++i) argv.push_back(words[i].data());
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    const int code = bake_main(static_cast<int>(argv.size()), argv.data(), host_code);
    lines = {testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
    return code;
  };
  const std::string file = pack.string(), source = (folder.path() / "images.cpp").string();
  EXPECT_EQ(run({"bake", "--target", "cpu", "--output", file, "--link", source, "--symbol", "mine", "--jobs", "2"}), 0);
  EXPECT_NE(lines[0].find("4 images"), std::string::npos) << lines[0];
  EXPECT_TRUE(fs::exists(source));
  EXPECT_EQ(run({"bake", "--output", file}), 2) << "no target";
  EXPECT_EQ(run({"bake", "--target", "cpu"}), 2) << "no file";
  EXPECT_EQ(run({"bake", "--target", "sm_70", "--output", file}), 2);
  EXPECT_NE(lines[1].find("sm_70"), std::string::npos) << lines[1];
  EXPECT_EQ(run({"bake", "--target", "cpu", "--output", file, "--jobs", "-1"}), 2);
  EXPECT_EQ(run({"bake", "--target", "cpu", "--output", (folder.path() / "none" / "a").string()}), 1);
}

// ---- Packs as files ------------------------------------------------------------------------------------------------
TEST_F(Bake, LinksAPackAsSource) {
  (void)bake(host_code, options);
  const auto text = [](const fs::path& file) {
    std::ifstream stream(file);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  write_linkable(pack, folder.path() / "images.c", "my_images");
  EXPECT_NE(text(folder.path() / "images.c").find(pack.string()), std::string::npos);
  EXPECT_EQ(text(folder.path() / "images.c").find("linked_images"), std::string::npos);
  EXPECT_NE(text(folder.path() / "images.h").find("extern const unsigned char my_images[], my_images_end[];"),
            std::string::npos);
  write_linkable(pack, folder.path() / "images.cpp", "my_images");
  EXPECT_NE(text(folder.path() / "images.cpp").find("linked_images linked(my_images, my_images_end)"),
            std::string::npos);
  EXPECT_THROW(write_linkable(pack, folder.path() / "images.cpp", "my-images"), usage_error);
  EXPECT_THROW(write_linkable(pack, folder.path() / "images.cpp", "1st"), usage_error);
  EXPECT_THROW(write_linkable(pack, folder.path() / "none" / "images.cpp", "images"), io_error);
}

TEST(PackCache, TakesOnlyImagesForGpus) {
  const temporary_folder folder;
  runtime::disk_cache cache({.folder = folder.path() / "cache", .problem = {}});
  const std::vector<std::byte> code(33, std::byte{7});
  const compiler::gpu_image image(code, "add", {.architecture = target::sm_89});
  cache.store({{1, 2}}, image.object());
  cache.store({{1, 3}}, code);
  std::ofstream(folder.path() / "cache" / "notes.image") << "no image";
  EXPECT_EQ(pack_cache(folder.path() / "cache", folder.path() / "a.pack").images, 1u);
  const baked_pack read = describe_pack(folder.path() / "a.pack");
  ASSERT_EQ(read.images.size(), 1u);
  EXPECT_EQ(read.images[0].kernel, "add");
  EXPECT_EQ(read.images[0].target, "sm_89");
  EXPECT_EQ(read.images[0].key, "00000000000000010000000000000002");
  EXPECT_EQ(read.images[0].registers, 0) << "the code is none";
  EXPECT_THROW((void)pack_cache(folder.path() / "none", folder.path() / "a.pack"), io_error);
}

}  // namespace
}  // namespace tilewright::test
