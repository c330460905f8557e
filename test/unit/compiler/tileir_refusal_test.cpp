// SPDX-License-Identifier: Apache-2.0
// Tile IR files that are cut off, changed or contradict themselves: refused with the offset of the byte, never a crash.
#include <gtest/gtest.h>

#include "compiler/tileir/read.hpp"
#include "compiler/tileir/text.hpp"
#include "compiler/tileir/write.hpp"
#include "support/tileir_files.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

using namespace compiler::tileir;

std::string refusal_of(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const io_error& refused) {
    return refused.what();
  }
  return "accepted";
}

// The smallest file with `count` bytes from `at` on replaced.
std::string smallest_with(std::size_t at, std::size_t count, const char* by) {
  return smallest_tileir().replace(at, count, from_hexadecimal(by));
}

struct bad_file {
  const char* name;
  std::string bytes;
  const char* message;
};
void PrintTo(const bad_file& printed, std::ostream* out) { *out << printed.name; }

class TileirRefusal : public testing::TestWithParam<bad_file> {};

TEST_P(TileirRefusal, NamesTheRuleAndThePlace) {
  const std::string text = refusal_of(GetParam().bytes);
  EXPECT_NE(text.find(GetParam().message), std::string::npos) << text;
  EXPECT_NE(text.find("Tile IR bytecode, byte "), std::string::npos) << text;
}

std::vector<bad_file> bad_files() {
  return {{"Empty", "", "no Tile IR bytecode"},
          {"OtherMagic", smallest_with(7, 1, "01"), "no Tile IR bytecode"},
          {"Version12", smallest_with(8, 1, "0C"), "no such Tile IR version"},
          {"Version13_6", smallest_with(9, 1, "06"), "no such Tile IR version"},
          {"UnknownSection", smallest_with(12, 1, "88"), "no such section"},
          {"EndWithAlignment", smallest_with(12, 1, "80"), "no such section"},
          {"SectionTooLong", smallest_with(13, 1, "7F"), "longer than what is left"},
          {"HugeSection", smallest_with(13, 1, "FFFFFFFFFFFFFFFFFF01"), "longer than what is left"},
          {"VarintOf65Bits", smallest_with(13, 1, "FFFFFFFFFFFFFFFFFF02"), "more than 64 bits"},
          {"SmallAlignment", smallest_with(14, 1, "04"), "alignment is too small"},
          {"AlignmentOfThree", smallest_with(14, 1, "0C"), "no power of two"},
          {"KernelOfNoName", smallest_with(17, 1, "05"), "no such string"},
          {"KernelOfNoType", smallest_with(18, 1, "01"), "no such type"},
          {"NoKernel", smallest_with(19, 1, "00"), "a function is no kernel"},
          {"LocationWithoutSection", smallest_with(20, 1, "01"), "no such row of debug locations"},
          {"UnknownOperation", smallest_with(22, 1, "16"), "no such operation"},
          {"OperationOf13_4", smallest_with(22, 1, "77"), "no such operation in this version"},
          {"NoReturn", smallest_with(22, 1, "6D"), "does not end with return"},
          {"OperandBeforeItIsMade", smallest_with(24, 1, "01"), "more operands than bytes"},
          {"UnknownType", smallest_with(36, 1, "19"), "no such type in this version"},
          {"TwoSectionsOfOneKind", smallest_with(39, 1, "85"), "a section stands twice"},
          {"BytesAfterTheEnd", smallest_tileir() + "x", "bytes are left after the last section"},
          {"TileOfThree",
           smallest_with(25, 14, "85 1B 04 02 CB CB CB 00000000 03000000 10 00 00 0D 81 00 01 03 00 00 00 00 00 00 00"),
           "power of two"},
          {"TileOfItself", smallest_with(25, 14, "85 13 04 02 CB CB CB 00000000 03000000 10 00 00 0D 81 00 00"),
           "cannot be made of"}};
}

INSTANTIATE_TEST_SUITE_P(Of, TileirRefusal, testing::ValuesIn(bad_files()), testing::PrintToStringParamName());

TEST(TileirCorruption, EveryShorterFileIsRefused) {
  for (const std::string& file : {smallest_tileir(), vendor_add_tileir()}) {
    for (std::size_t size = 0; size < file.size(); ++size) {
      EXPECT_NE(refusal_of(file.substr(0, size)), "accepted") << size;
    }
  }
}

// A changed byte may give another valid file; then that file is written and read like any other.
TEST(TileirCorruption, EveryChangedByteIsRefusedOrUnderstood) {
  int refused = 0;
  const std::string file = vendor_add_tileir();
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string changed = file;
      changed[at] = static_cast<char>(value);
      try {
        const bytecode made = read(changed);
        EXPECT_EQ(read(write(made)), made) << at << " " << value;
        EXPECT_FALSE(to_text(made).empty());
      } catch (const io_error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 20000);
}

}  // namespace
}  // namespace tilewright::test
