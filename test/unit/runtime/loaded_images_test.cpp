// SPDX-License-Identifier: Apache-2.0
// Launches take images from packs before they look on the disk; what does not fit is said once and counts as missing.
#include "runtime/loaded_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "runtime/image_cache.hpp"
#include "support/module_builder.hpp"
#include "tilewright/base/error.hpp"
#include "unit/runtime/probe_image.hpp"
#include "unit/runtime/sealed_pack.hpp"
#include "unit/runtime/temporary_folder.hpp"

namespace tilewright::runtime {
namespace {

using compiler::target;

std::vector<std::byte> object_of(const std::string& text) {
  std::vector<std::byte> made(text.size());
  std::memcpy(made.data(), text.data(), text.size());
  return made;
}

// A pack as another build would have made it: of other sources, and perhaps of a newer version.
std::vector<std::byte> of_another_build(std::vector<std::byte> pack, std::uint32_t newer_by = 0) {
  constexpr std::size_t sources_at = 32, version_at = 96;
  pack[sources_at] ^= std::byte{1};
  std::uint32_t version;
  std::memcpy(&version, pack.data() + version_at, sizeof version);
  version += newer_by;
  std::memcpy(pack.data() + version_at, &version, sizeof version);
  test::seal_pack(pack);
  return pack;
}

class LoadedImages : public testing::Test {
 protected:
  test::module_builder builder{"ones"};
  compiler::specialization special;
  loaded_images packs;
  int emits = 0;
  bool has_tools = true;

  void SetUp() override {
    const auto b = builder.symbol("B");
    builder.store(builder.out(dtype::f32, {b}), builder.constant(dtype::f32, {b}, 1.0));
    builder.view();
    special.dims = {8};
    special.facts.resize(1);
  }

  compiler::image_key key() { return compiler::key_of(builder.view(), special, target::cpu); }
  std::vector<std::byte> pack_of(const std::string& object) {
    return pack_images({{key(), "ones", "cpu", object_of(object)}});
  }

  kernel_compiler compiler_() {
    const auto image_of = [](std::vector<std::byte> object) {
      return std::make_shared<test::probe_image>([](std::int64_t, std::byte*) {}, 0, std::move(object));
    };
    const auto refusal = [](const char* what) {
      return runtime_error({.what = what, .where = {}, .expected = {}, .got = "no tools", .fix = {}});
    };
    return {compiler::front,
            [=, this](const compiler::program&, target) {
              if (!has_tools) throw refusal("cannot emit");
              ++emits;
              return image_of(object_of("emitted"));
            },
            [=](const compiler::program&, target, std::span<const std::byte> object) {
              if (object[0] != std::byte{'g'}) throw refusal("not made for this");
              return image_of({object.begin(), object.end()});
            }};
  }
  // The object of the image that a launch would run.
  std::string launched() {
    image_cache cache({}, compiler_(), &packs);
    const auto& object = cache.get(builder.view(), special, target::cpu).image->object();
    return {reinterpret_cast<const char*>(object.data()), object.size()};
  }
  std::string refusal() {
    has_tools = false;
    try {
      (void)launched();
    } catch (const runtime_error& error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(LoadedImages, AreTakenInsteadOfCompiling) {
  const auto bytes = pack_of("good");
  packs.add_bytes(bytes, "a.pack");
  has_tools = false;
  EXPECT_EQ(launched(), "good");
}

TEST_F(LoadedImages, ComeFromFilesOfAList) {
  const test::temporary_folder folder;
  write_pack(folder.path() / "a.pack", pack_of("good"));
  write_pack(folder.path() / "b.pack", pack_images({}));
  packs.add_list((folder.path() / "a.pack").string() + "::" + (folder.path() / "b.pack").string());
  EXPECT_EQ(launched(), "good");
  EXPECT_THROW(packs.add_list((folder.path() / "none.pack").string()), io_error);
}

TEST_F(LoadedImages, OfThePackThatWasLoadedLastWin) {
  const auto first = pack_of("good 1"), last = pack_of("good 2");
  packs.add_bytes(first, "a.pack");
  packs.add_bytes(last, "b.pack");
  EXPECT_EQ(launched(), "good 2");
}

TEST_F(LoadedImages, ThatTheCompilerRefusesAreNamedOnceAndCompiled) {
  const auto bytes = pack_of("bad");
  packs.add_bytes(bytes, "a.pack");
  testing::internal::CaptureStderr();
  EXPECT_EQ(launched(), "emitted");
  EXPECT_EQ(launched(), "emitted");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("not made for this"), std::string::npos) << said;
  EXPECT_EQ(said.find("not made for this"), said.rfind("not made for this")) << said;
}

TEST_F(LoadedImages, LinkedIntoTheProgramAreLookedAtLater) {
  static const auto bytes = pack_of("good"), damaged = std::vector<std::byte>(bytes.begin(), bytes.end() - 1);
  packs.add_linked(damaged);
  packs.add_linked(bytes);
  testing::internal::CaptureStderr();
  EXPECT_EQ(launched(), "good");
  EXPECT_NE(testing::internal::GetCapturedStderr().find("linked images are left out"), std::string::npos);
}

TEST_F(LoadedImages, ThatLackALaunchSayWhatToBake) {
  EXPECT_EQ(refusal().find("pack"), std::string::npos) << "nothing was loaded";
  const auto none = pack_images({});
  packs.add_bytes(none, "a.pack");
  EXPECT_NE(refusal().find("none of the 1 loaded packs has this kernel"), std::string::npos) << refusal();
  const auto elsewhere = pack_images({{{{1, 2}}, "ones", "sm_80", object_of("good")}});
  packs.add_bytes(elsewhere, "b.pack");
  EXPECT_NE(refusal().find("for sm_80, not for cpu"), std::string::npos) << refusal();
  const auto other = pack_images({{{{1, 2}}, "ones", "cpu", object_of("good")}});
  packs.add_bytes(other, "c.pack");
  EXPECT_NE(refusal().find("not for these Dims"), std::string::npos) << refusal();
}

TEST_F(LoadedImages, OfAnotherBuildAreNamedOnceAndSayWhichIsNewer) {
  const auto key_of_another = pack_images({{{{1, 2}}, "ones", "cpu", object_of("good")}});
  const auto same_version = of_another_build(key_of_another), newer = of_another_build(key_of_another, 1);
  testing::internal::CaptureStderr();
  packs.add_bytes(same_version, "a.pack");
  packs.add_bytes(same_version, "a.pack");
  EXPECT_EQ(launched(), "emitted");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_NE(said.find("built from other sources; bake them again"), std::string::npos) << said;
  EXPECT_NE(refusal().find("a.pack has this kernel, but was baked by tilewright of the same version"),
            std::string::npos)
      << refusal();
  testing::internal::CaptureStderr();
  packs.add_bytes(newer, "b.pack");
  EXPECT_NE(testing::internal::GetCapturedStderr().find("by a newer tilewright"), std::string::npos);
}

TEST_F(LoadedImages, MayBeAddedWhileOthersLook) {
  const auto bytes = pack_of("good");
  const compiler::image_key wanted = key();
  std::atomic<bool> is_wrong{false};
  std::vector<std::thread> running;
  for (int t = 0; t < 4; ++t) {
    running.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        if (t == 0) packs.add_bytes(bytes, "a.pack");
        const auto found = packs.find(wanted);
        if (!found.empty() && found.size() != 4) is_wrong = true;
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_FALSE(is_wrong);
}

}  // namespace
}  // namespace tilewright::runtime
