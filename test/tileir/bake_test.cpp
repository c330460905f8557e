// SPDX-License-Identifier: Apache-2.0
// Baking for GPUs with the vendor's assembler, and launches that then need it no more.
#include "tilewright/runtime/bake.hpp"

#include <map>

#include "runtime/disk_cache.hpp"
#include "runtime/image_cache.hpp"
#include "tileir/tools.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/kernels/gemm.hpp"
#include "tilewright/runtime/runtime.hpp"
#include "unit/runtime/temporary_folder.hpp"

namespace tilewright::test {
namespace {

namespace fs = std::filesystem;
using compiler::target;

inline constexpr Dim B{"B"};
inline constexpr auto twice = kernel<"twice">([](Out<f16, B> z, In<f16, dyn> x) {
  auto tile = load_like(x, z);
  z.store(tile + tile);
});

inline constexpr auto swapped = kernel<"swapped">(
    [](Out<f32, 6> z, In<f32, dyn> x) { z.store(cat<0>(x.load(tile<3>, 1, pad(0)), x.load(tile<3>, 0, pad(0)))); });

const BakeList twice_of_4096 = BakeList().add(twice, bake_output{{4096}, {256}}, bake_input{{4096}});

// The tools of this folder, for code that looks for them itself; a cache of its own.
class BakeForGpus : public TileirTools {
 protected:
  temporary_folder folder;
  bake_options options{.targets = {target::sm_90},
                       .pack = folder.path() / "a.pack",
                       .jobs = 2,
                       .limit = std::chrono::milliseconds(0),
                       .memcheck = false,
                       .progress = [](const std::string&) {}};

  void SetUp() override {
    TileirTools::SetUp();
    if (IsSkipped()) return;
    ::setenv("TILEWRIGHT_TILEIR_TOOLS", tools().tileiras.parent_path().c_str(), 1);
    ::setenv("TILEWRIGHT_CACHE_DIR", "off", 1);
  }
};

TEST_F(BakeForGpus, MakesAnImageForEachTarget) {
  options.targets = {target::sm_80, target::sm_86, target::sm_89, target::sm_90, target::sm_100, target::sm_120};
  EXPECT_EQ(bake(twice_of_4096, options).images, 6u);
  std::map<std::string, int> registers;
  for (const baked_image& image : describe_pack(options.pack).images) {
    EXPECT_EQ(image.kernel, "twice");
    EXPECT_GT(image.threads, 0) << image.target;
    registers[image.target] = image.registers;
  }
  EXPECT_EQ(registers.size(), 6u);
  for (const auto& [where, count] : registers) EXPECT_GT(count, 0) << where;
}

// What with() says of a schedule goes through a launch to the image: in its key, and in how it is launched.
TEST_F(BakeForGpus, MakesAnImageForEachScheduleOnce) {
  BakeList list;
  const auto add = [&](const auto& kernel) { list.add(kernel, bake_output{{4096}, {256}}, bake_input{{4096}}); };
  add(twice);
  add(twice.with(persistent, occupancy = 2, latency(1) = 4));
  add(twice.with(latency(1) = 4, occupancy = 2, persistent));
  add(twice.with(num_ctas = 2));
  EXPECT_EQ(bake(list, options).images, 3u);
  options.targets = {target::cpu};
  if (compiler::has_cpu_target()) {
    EXPECT_EQ(bake(list, options).images, 1u);
  }
}

TEST_F(BakeForGpus, SatisfiesALaunchWithoutTools) {
  (void)bake(twice_of_4096, options);
  ::setenv("TILEWRIGHT_TILEIR_TOOLS", "/nowhere", 1);
  runtime::loaded_images packs;
  packs.add_file(options.pack);
  runtime::image_cache cache({}, runtime::real_compiler(), &packs);
  const auto special = [](index_t extent) {
    compiler::argument z, x;
    z.rank = x.rank = 1;
    z.extents[0] = x.extents[0] = extent;
    z.strides[0] = x.strides[0] = 1;
    z.piece[0] = 256;
    return compiler::bind_arguments(twice.module(), {z, x}, {}, {}).special;
  };
  EXPECT_NE(cache.get(twice.module(), special(8192), target::sm_90).image->gpu(), nullptr);
  try {
    (void)cache.get(twice.module(), special(8192 + 1), target::sm_90);
    FAIL() << "no image, and no error";
  } catch (const runtime_error& missing) {
    EXPECT_NE(std::string(missing.what()).find("not for these Dims"), std::string::npos) << missing.what();
  }
}

TEST_F(BakeForGpus, MakesOtherImagesForMemcheck) {
  (void)bake(twice_of_4096, options);
  const baked_pack plain = describe_pack(options.pack);
  options.memcheck = true;
  (void)bake(twice_of_4096, options);
  const baked_pack checked = describe_pack(options.pack);
  EXPECT_NE(plain.images.at(0).key, checked.images.at(0).key);
  EXPECT_GT(checked.images.at(0).bytes, plain.images.at(0).bytes);
}

TEST_F(BakeForGpus, NamesKernelAndTargetWithoutTools) {
  ::setenv("TILEWRIGHT_TILEIR_TOOLS", "/nowhere", 1);
  try {
    (void)bake(twice_of_4096, options);
    FAIL() << "no error";
  } catch (const runtime_error& missing) {
    EXPECT_NE(std::string(missing.what()).find("twice for sm_90"), std::string::npos) << missing.what();
  }
  EXPECT_FALSE(fs::exists(options.pack));
}

// The halves of a tile of 6 elements are joined: Tile IR has powers of two alone.
TEST_F(BakeForGpus, NamesKernelsThatATargetCannotTake) {
  BakeList list = twice_of_4096;
  list.add(swapped, bake_output{{6}, {6}}, bake_input{{6}});
  options.targets = {target::sm_80, target::sm_90};
  try {
    (void)bake(list, options);
    FAIL() << "no error";
  } catch (const compile_error& refusal) {
    const std::string text = refusal.what();
    EXPECT_NE(text.find("2 of 4 images cannot be baked"), std::string::npos) << text;
    EXPECT_NE(text.find("swapped for sm_80: "), std::string::npos) << text;
    EXPECT_NE(text.find("swapped for sm_90: "), std::string::npos) << text;
  }
  EXPECT_FALSE(fs::exists(options.pack));
}

TEST_F(BakeForGpus, EndsAtItsTimeLimit) {
  BakeList list;
  for (index_t b = 16; b <= 4096; b *= 2) list.add(twice, bake_output{{8192}, {b}}, bake_input{{8192}});
  options.jobs = 1;
  options.limit = std::chrono::milliseconds(10);
  EXPECT_THROW((void)bake(list, options), runtime_error);
}

}  // namespace
}  // namespace tilewright::test
