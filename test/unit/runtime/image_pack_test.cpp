// SPDX-License-Identifier: Apache-2.0
// A pack gives back what went in, or says what is wrong with its bytes; nothing else happens, whatever they are.
#include "runtime/image_pack.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>

#include "tilewright/base/error.hpp"
#include "unit/runtime/sealed_pack.hpp"
#include "unit/runtime/temporary_folder.hpp"

namespace tilewright::runtime {
namespace {

constexpr compiler::image_key low{{1, 9}}, middle{{2, 3}}, high{{2, 4}};

std::vector<std::byte> bytes_of(std::size_t size, int seed) {
  std::vector<std::byte> made(size);
  for (std::size_t i = 0; i < size; ++i) made[i] = static_cast<std::byte>(i * 7 + static_cast<std::size_t>(seed));
  return made;
}

std::vector<std::byte> three_images() {
  return pack_images({{high, "gemm", "sm_90", bytes_of(33, 1)},
                      {low, "add", "sm_80", bytes_of(16, 2)},
                      {middle, "", "cpu", bytes_of(0, 3)}});
}

std::string refusal_of(std::span<const std::byte> bytes) {
  try {
    const image_pack pack(bytes, "a.pack");
  } catch (const io_error& refusal) {
    EXPECT_FALSE(refusal.parts().fix.empty());
    return refusal.what();
  }
  return {};
}

TEST(ImagePack, GivesBackWhatWentIn) {
  const std::vector<std::byte> bytes = three_images();
  const image_pack pack(bytes, "a.pack");
  EXPECT_EQ(pack.made_by(), compiler::this_compiler());
  ASSERT_EQ(pack.entries().size(), 3u);
  const image_pack::entry* found = pack.find(high);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->kernel, "gemm");
  EXPECT_EQ(found->target, "sm_90");
  EXPECT_EQ(std::vector<std::byte>(found->object.begin(), found->object.end()), bytes_of(33, 1));
  ASSERT_NE(pack.find(middle), nullptr);
  EXPECT_TRUE(pack.find(middle)->object.empty());
  EXPECT_EQ(pack.find({{2, 5}}), nullptr);
  EXPECT_EQ(pack.find({{0, 0}}), nullptr);
}

TEST(ImagePack, IsTheSameForTheSameImagesInAnyOrder) {
  const auto again = pack_images({{low, "add", "sm_80", bytes_of(16, 2)},
                                  {middle, "", "cpu", bytes_of(0, 3)},
                                  {high, "gemm", "sm_90", bytes_of(33, 1)},
                                  {low, "twice", "sm_80", bytes_of(5, 2)}});
  EXPECT_EQ(again, three_images());
}

TEST(ImagePack, MayBeEmpty) {
  const std::vector<std::byte> bytes = pack_images({});
  EXPECT_TRUE(image_pack(bytes, "a.pack").entries().empty());
}

TEST(ImagePack, CutOffAnywhereIsRefused) {
  const std::vector<std::byte> bytes = three_images();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(refusal_of(std::span(bytes).first(size)), "") << size << " bytes";
  }
}

TEST(ImagePack, LongerThanItSaysIsRefused) {
  std::vector<std::byte> bytes = three_images();
  bytes.resize(bytes.size() + 16);
  EXPECT_NE(refusal_of(bytes).find("a.pack"), std::string::npos);
}

TEST(ImagePack, WithAnyBitChangedIsRefused) {
  const std::vector<std::byte> bytes = three_images();
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::vector<std::byte> changed = bytes;
    changed[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    EXPECT_NE(refusal_of(changed), "") << "bit " << bit;
  }
}

// Whatever the header and the rows say, under a right checksum: a sound pack or a refusal.
TEST(ImagePack, WithAnyNumberChangedIsRefusedOrStaysInsideItsBytes) {
  const std::vector<std::byte> bytes = three_images();
  std::mt19937_64 random(7);
  for (std::size_t at = 8; at < bytes.size(); ++at) {
    for (int round = 0; round < 8; ++round) {
      std::vector<std::byte> changed = bytes;
      const std::size_t size = std::min<std::size_t>(round % 2 == 0 ? 1 : 8, changed.size() - at);
      const std::uint64_t value = round < 4 ? random() : random() % 64;
      std::memcpy(changed.data() + at, &value, size);
      test::seal_pack(changed);
      try {
        const image_pack pack(changed, "a.pack");
        for (const image_pack::entry& entry : pack.entries()) {
          ASSERT_LE(entry.object.data() + entry.object.size(), changed.data() + changed.size()) << "byte " << at;
          ASSERT_LE(entry.target.size(), 15u);
        }
      } catch (const io_error&) {  // as it should be
      }
    }
  }
}

TEST(ImagePack, OfANewerFormatSaysSo) {
  std::vector<std::byte> bytes = three_images();
  bytes[8] = std::byte{9};
  EXPECT_NE(refusal_of(bytes).find("the pack is newer than this program"), std::string::npos) << refusal_of(bytes);
}

TEST(ImagePack, OfAnotherKindIsRefused) {
  EXPECT_NE(refusal_of(bytes_of(200, 5)).find("another kind of file"), std::string::npos);
}

// ---- Files ---------------------------------------------------------------------------------------------------------
TEST(ImagePackFile, IsWrittenAndReadWhole) {
  const test::temporary_folder folder;
  const auto file = folder.path() / "a.pack";
  write_pack(file, pack_images({}));
  write_pack(file, three_images());
  EXPECT_EQ(read_pack(file), three_images());
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) files += entry.exists() ? 1 : 0;
  EXPECT_EQ(files, 1u) << "nothing temporary stays";
}

TEST(ImagePackFile, ThatCannotBeWrittenIsAnIoError) {
  const test::temporary_folder folder;
  try {
    write_pack(folder.path() / "no" / "a.pack", three_images());
    FAIL() << "no error";
  } catch (const io_error& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("No such file"), std::string::npos) << refusal.what();
  }
}

TEST(ImagePackFile, ThatIsMissingOrAFolderIsAnIoError) {
  const test::temporary_folder folder;
  EXPECT_THROW((void)read_pack(folder.path() / "no.pack"), io_error);
  EXPECT_THROW((void)read_pack(folder.path()), io_error);
}

}  // namespace
}  // namespace tilewright::runtime
