// SPDX-License-Identifier: Apache-2.0
// Well-formed GGUF files give their values and tensors; look-ups that do not fit say why.
#include "grout/gguf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "support/gguf_cases.hpp"
#include "support/model_file.hpp"
#include "tilewright/base/error.hpp"

namespace grout {
namespace {

using test_support::as_bytes;
using test_support::OneTensor;
using testing::ElementsAre;
using testing::HasSubstr;

template <class Call>
std::string io_error_of(Call call) {
  try {
    call();
  } catch (const tilewright::io_error& e) {
    return e.what();
  }
  return "no io_error";
}

class GgufValues : public testing::Test {
 protected:
  const std::string bytes_ = test_support::all_value_types();
  const Gguf file_ = Gguf::parse(bytes_, "test.gguf");
  const GgufMetadata& values_ = file_.metadata();
};

TEST_F(GgufValues, IntegersOfEveryWidthKeepTheirValue) {
  EXPECT_EQ(values_.integer("u8"), 200);
  EXPECT_EQ(values_.integer("i8"), -100);
  EXPECT_EQ(values_.integer("u16"), 60000);
  EXPECT_EQ(values_.integer("i16"), -30000);
  EXPECT_EQ(values_.integer("u32"), 4000000000);
  EXPECT_EQ(values_.integer("i32"), -2000000000);
  EXPECT_EQ(values_.integer("u64"), std::int64_t{1} << 62);
  EXPECT_EQ(values_.integer("i64"), -(std::int64_t{1} << 62));
}

TEST_F(GgufValues, OtherTypesKeepTheirValue) {
  EXPECT_EQ(values_.real("f32"), 1.5);
  EXPECT_EQ(values_.real("f64"), 0.1);
  EXPECT_TRUE(values_.boolean("bool"));
  EXPECT_EQ(values_.string("string"), "text");
  EXPECT_THAT(values_.strings("strings"), ElementsAre("a", "", "long enough not to be short"));
  EXPECT_THAT(values_.integers("integers"), ElementsAre(-1, 0, 300));
  EXPECT_THAT(values_.reals("reals"), ElementsAre(0.5, -2.0));
}

TEST_F(GgufValues, MissingKeyIsNamed) {
  EXPECT_FALSE(values_.has("no.such.key"));
  EXPECT_EQ(io_error_of([&] { values_.integer("no.such.key"); }),
            "a key is missing; where: file test.gguf, key 'no.such.key'; expected: an integer; got: no such key; fix: "
            "use a model of a supported family, or convert it again with a current tool");
}

TEST_F(GgufValues, WrongTypeNamesBothTypes) {
  EXPECT_THAT(io_error_of([&] { values_.integer("f32"); }), HasSubstr("expected: an integer; got: f32"));
  EXPECT_THAT(io_error_of([&] { values_.integer("bool"); }), HasSubstr("expected: an integer; got: bool"));
  EXPECT_THAT(io_error_of([&] { values_.real("u8"); }), HasSubstr("expected: a real number; got: u8"));
  EXPECT_THAT(io_error_of([&] { values_.boolean("u8"); }), HasSubstr("expected: a boolean; got: u8"));
  EXPECT_THAT(io_error_of([&] { values_.string("strings"); }), HasSubstr("got: an array of 3 string"));
  EXPECT_THAT(io_error_of([&] { values_.strings("string"); }), HasSubstr("expected: an array of strings; got: string"));
  EXPECT_THAT(io_error_of([&] { values_.integers("reals"); }), HasSubstr("expected: an array of integers"));
  EXPECT_THAT(io_error_of([&] { values_.reals("integers"); }), HasSubstr("expected: an array of real numbers"));
}

TEST_F(GgufValues, IntegerOutsideTheCallersRangeIsRefused) {
  EXPECT_EQ(values_.integer("u8", {0, 200}), 200);
  EXPECT_THAT(io_error_of([&] { values_.integer("u8", {0, 199}); }), HasSubstr("an integer from 0 to 199; got: 200"));
  EXPECT_THAT(io_error_of([&] { values_.integer("i8", {0, 9}); }), HasSubstr("got: -100"));
  EXPECT_THAT(io_error_of([&] { values_.integer("u64.large"); }), HasSubstr("got: 18446744073709551615"));
  EXPECT_THAT(io_error_of([&] { values_.integers("integers", {-1, 299}); }), HasSubstr("got: 300 at index 2"));
}

TEST(Gguf, TensorGivesItsTypeExtentsAndBytes) {
  const std::string bytes = OneTensor{}.bytes();
  ASSERT_EQ(bytes.size(), 80U);
  const Gguf file = Gguf::parse(bytes, "test.gguf");
  EXPECT_EQ(file.version(), 3U);
  EXPECT_EQ(file.alignment(), 32);
  ASSERT_EQ(file.tensors().size(), 1U);
  const GgufTensor& tensor = file.tensor("w");
  EXPECT_EQ(tensor.block.type, GgmlType::f32);
  EXPECT_THAT(tensor.file_order(), ElementsAre(4));
  EXPECT_EQ(tensor.data.data(), as_bytes(bytes).data() + 64);
  EXPECT_EQ(tensor.data.size(), 16U);
}

TEST(Gguf, BytesOfTheReferenceFileAreAsWrittenDown) {
  const std::string bytes = OneTensor{}.bytes();
  std::string hex;
  for (const unsigned char c : bytes) {
    hex += "0123456789abcdef"[c >> 4];
    hex += "0123456789abcdef"[c & 15];
  }
  const std::string head =
      "47475546"
      "03000000"
      "0100000000000000"
      "0000000000000000";
  const std::string entry =
      "0100000000000000"
      "77"
      "01000000"
      "0400000000000000"
      "00000000"
      "0000000000000000";
  EXPECT_EQ(hex, head + entry + "00000000000000" +
                     "0000803f"
                     "00000040"
                     "00004040"
                     "00008040");
}

TEST(Gguf, RowMajorShapeReversesTheFilesOrder) {
  const std::string bytes = OneTensor{.extents = {2, 3, 5}, .data = std::string(120, '\0')}.bytes();
  const Gguf file = Gguf::parse(bytes, "test.gguf");
  const GgufTensor& tensor = file.tensor("w");
  EXPECT_THAT(tensor.file_order(), ElementsAre(2, 3, 5));
  EXPECT_THAT(tensor.row_major_shape(), ElementsAre(5, 3, 2));
  EXPECT_EQ(tensor.row_elements(), 2);
  EXPECT_EQ(tensor.row_bytes(), 8);
  EXPECT_EQ(tensor.rows(), 15);
}

TEST(Gguf, QuantisedRowIsCountedInBlocks) {
  const std::string bytes = OneTensor{.extents = {896}, .type = 8, .data = std::string(952, '\1')}.bytes();
  const Gguf file = Gguf::parse(bytes, "test.gguf");
  EXPECT_EQ(file.tensor("w").block.name, "Q8_0");
  EXPECT_EQ(file.tensor("w").data.size(), 952U);
  EXPECT_EQ(file.tensor("w").rows(), 1);
}

TEST(Gguf, VersionTwoIsReadAsVersionThree) {
  std::string bytes = OneTensor{}.bytes();
  bytes[4] = 2;
  EXPECT_EQ(Gguf::parse(bytes, "test.gguf").version(), 2U);
}

TEST(Gguf, AbsentOutputHeadIsSeenAsAbsent) {
  const std::string bytes = test_support::GgufWriter()
                                .counts(1, 0)
                                .tensor("token_embd.weight", {4}, 0, 0)
                                .align()
                                .raw(test_support::four_floats())
                                .bytes();
  const Gguf file = Gguf::parse(bytes, "test.gguf");
  EXPECT_NE(file.find_tensor("token_embd.weight"), nullptr);
  EXPECT_EQ(file.find_tensor("output.weight"), nullptr);
  EXPECT_THAT(io_error_of([&] { file.tensor("output.weight"); }),
              HasSubstr("a tensor is missing; where: file test.gguf, tensor 'output.weight'"));
}

TEST(Gguf, ViewsSurviveAMoveOfAnOpenedFile) {
  const auto path = std::filesystem::path(testing::TempDir()) / "grout_moved.gguf";
  std::ofstream(path, std::ios::binary) << OneTensor{}.bytes();
  Gguf file = Gguf::open(path);
  const auto data = file.tensor("w").data;
  const Gguf moved = std::move(file);
  std::filesystem::remove(path);
  EXPECT_EQ(moved.tensor("w").data.data(), data.data());
  float third = 0;
  std::memcpy(&third, data.data() + 8, 4);
  EXPECT_EQ(third, 3.0F);
}

TEST(Gguf, FileThatCannotBeOpenedIsNamedWithTheReason) {
  EXPECT_EQ(io_error_of([] { Gguf::open("/no/such/model.gguf"); }),
            "cannot open the file; where: file /no/such/model.gguf; expected: a readable regular file; got: No such "
            "file or directory; fix: check the path and its permissions");
  EXPECT_THAT(io_error_of([] { Gguf::open(testing::TempDir()); }), HasSubstr("got: a directory"));
  EXPECT_THAT(io_error_of([] { Gguf::open("/dev/null"); }), HasSubstr("not a regular file"));
}

TEST(Gguf, EmptyFileIsRefusedByName) {
  const auto path = std::filesystem::path(testing::TempDir()) / "grout_empty.gguf";
  std::ofstream{path};
  EXPECT_THAT(io_error_of([&] { Gguf::open(path); }), HasSubstr("got: an empty file"));
  std::filesystem::remove(path);
}

TEST(GgufModel, HasTheContentsItIsKnownFor) {
  const auto path = test_support::find_model();
  if (path.empty()) GTEST_SKIP() << test_support::no_model;
  const Gguf file = Gguf::open(path);
  EXPECT_EQ(file.metadata().values().size(), 33U);
  EXPECT_EQ(file.tensors().size(), 272U);
  EXPECT_EQ(file.metadata().string("general.architecture"), "llama");
  EXPECT_EQ(file.metadata().integer("llama.embedding_length"), 576);
  EXPECT_EQ(file.metadata().strings("tokenizer.ggml.merges").size(), 48900U);
  const GgufTensor& embedding = file.tensor("token_embd.weight");
  EXPECT_EQ(embedding.block.type, GgmlType::q8_0);
  EXPECT_THAT(embedding.row_major_shape(), ElementsAre(49152, 576));
  EXPECT_EQ(file.find_tensor("output.weight"), nullptr);
}

}  // namespace
}  // namespace grout
