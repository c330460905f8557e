// SPDX-License-Identifier: Apache-2.0
// Tile IR bytecode: what is written is read back equal, for every row of the op table at every version, and files given
// byte by byte are read and written as they stand.
#include <gtest/gtest.h>

#include <random>

#include "compiler/tileir/byte_sink.hpp"
#include "compiler/tileir/byte_source.hpp"
#include "compiler/tileir/read.hpp"
#include "compiler/tileir/tables.hpp"
#include "compiler/tileir/text.hpp"
#include "compiler/tileir/write.hpp"
#include "support/tileir_files.hpp"

namespace tilewright::test {
namespace {

using namespace compiler::tileir;

// ---- Numbers -------------------------------------------------------------------------------------------------------
TEST(TileirNumbers, AreReadAsWritten) {
  byte_sink out;
  const std::uint64_t numbers[] = {0, 127, 128, 1 << 14, std::uint64_t{1} << 63, ~std::uint64_t{0}};
  for (const std::uint64_t number : numbers) {
    out.varint(number);
    out.svarint(static_cast<std::int64_t>(number));
    out.fixed(number, 8);
    out.bit_pattern(number, 64);
  }
  byte_source in(out.bytes(), 0);
  for (const std::uint64_t number : numbers) {
    EXPECT_EQ(in.varint(), number);
    EXPECT_EQ(in.svarint(), static_cast<std::int64_t>(number));
    EXPECT_EQ(in.fixed(8), number);
    EXPECT_EQ(in.bit_pattern(64), number);
  }
  EXPECT_TRUE(in.at_end());
}

TEST(TileirNumbers, HaveTheBytesOfTheFormat) {
  byte_sink out;
  out.varint(0);
  out.varint(300);
  out.svarint(-1);
  out.bit_pattern(0xbc00, 16);               // f16 -1: never sign-extended
  out.bit_pattern(0xfff0000000000000u, 64);  // f64 -inf: taken as a signed number first
  EXPECT_EQ(out.bytes(), from_hexadecimal("00 AC02 01 80F005 FFFFFFFFFFFFFF0F"));
}

// ---- Whole files ---------------------------------------------------------------------------------------------------
TEST(TileirFiles, TheSmallestOneIsWrittenByteForByte) {
  bytecode made;
  tables ids(made);
  kernel k;
  k.name = ids.string("k");
  k.signature = ids.function({});
  k.body.push_back({});
  made.kernels.push_back(k);
  EXPECT_EQ(write(made), smallest_tileir());
  EXPECT_EQ(read(smallest_tileir()), made);
}

TEST(TileirFiles, TheVendorsAddIsRead) {
  EXPECT_EQ(to_text(read(vendor_add_tileir())),
            "// Tile IR 13.3\n"
            "kernel @add(%0: tile<ptr<f32>>, %1: tile<ptr<f32>>, %2: tile<ptr<f32>>, %3: tile<i32>) {\n"
            "  %4, %5, %6 = get_tile_block_id : tile<i32>, tile<i32>, tile<i32>\n"
            "  %7 = make_tensor_view %0, [%3], [] : tensor_view<?xf32, strides=[1]>\n"
            "  %8 = make_partition_view %7 : partition_view<tile=(1024), padding_value = zero, "
            "tensor_view<?xf32, strides=[1]>>\n"
            "  %9 = make_tensor_view %1, [%3], [] : tensor_view<?xf32, strides=[1]>\n"
            "  %10 = make_partition_view %9 : partition_view<tile=(1024), padding_value = zero, "
            "tensor_view<?xf32, strides=[1]>>\n"
            "  %11 = make_tensor_view %2, [%3], [] : tensor_view<?xf32, strides=[1]>\n"
            "  %12 = make_partition_view %11 : partition_view<tile=(1024), padding_value = zero, "
            "tensor_view<?xf32, strides=[1]>>\n"
            "  %13, %14 = load_view_tko weak %8, [%4] : tile<1024xf32>, token\n"
            "  %15, %16 = load_view_tko weak %10, [%4] : tile<1024xf32>, token\n"
            "  %17 = addf nearest_even %13, %15 : tile<1024xf32>\n"
            "  %18 = store_view_tko weak %17, %12, [%4] : token\n"
            "  return\n"
            "}\n");
}

TEST(TileirFiles, TheVendorsSectionsAreWrittenByteForByte) {
  const std::string bytes = write(read(vendor_add_tileir()));
  EXPECT_NE(bytes.find(from_hexadecimal(add_functions)), std::string::npos);
  EXPECT_NE(bytes.find(from_hexadecimal(add_types)), std::string::npos);
  EXPECT_NE(bytes.find(from_hexadecimal(add_strings)), std::string::npos);
}

TEST(TileirFiles, OtherVersionsDifferWhereTheFormatSaysSo) {
  bytecode add = read(vendor_add_tileir());
  const std::size_t size = write(add).size();
  add.minor = 1;
  EXPECT_EQ(write(add).size(), size);
  EXPECT_NE(write(add).find(from_hexadecimal("0F 01 00 04 00 00 07 01 00 00 00 00 01 00")), std::string::npos);
  add.minor = 4;
  for (operation& op : add.kernels[0].body) {
    if (op.code == opcode::load_view || op.code == opcode::store_view) op.list = {0};
  }
  EXPECT_NE(write(add).find(from_hexadecimal("0C 00 02")), std::string::npos);
  EXPECT_NE(write(add).find(from_hexadecimal("3E 02 09 0A 00 00 01 00 08 01 04")), std::string::npos);
  add.minor = 5;
  EXPECT_NE(write(add).find(from_hexadecimal("01 00 06 02 01 0B 00 06 00")), std::string::npos);
  EXPECT_EQ(read(write(add)), add);
}

TEST(TileirFiles, AnOperationNewerThanTheVersionIsNotWritten) {
  bytecode made = read(smallest_tileir());
  operation wait;
  wait.code = opcode::wait;
  wait.results = {tables(made).token()};
  made.kernels[0].body.insert(made.kernels[0].body.begin(), wait);
  EXPECT_EQ(least_minor_of(made), 4);
  EXPECT_THROW(write(made), internal_error);
  made.minor = 4;
  EXPECT_EQ(read(write(made)), made);
}

// ---- Every row of the op table, with random contents ----------------------------------------------------------------
class random_kernels {
 public:
  explicit random_kernels(int minor) {
    made_.minor = minor;
    ids_.string("k");
    ids_.constant(std::string(4, '\1'));
    tile_ = ids_.tile(type_tag::i32, {});
    for (const char* text : {"%d", "default", "latency"}) ids_.string(text);
    made_.debug = {{0, {}}, {1, {1}}};
  }

  bytecode with(const op_row& row, std::uint32_t flags) {
    kernel k;
    k.signature = ids_.function(std::vector<type_id>(8, tile_));
    k.has_location = below(2) == 0;
    k.body.push_back(make(row, flags, k.has_location));
    k.body.push_back(of_code(opcode::return_));
    made_.kernels = {k};
    return made_;
  }

 private:
  static operation of_code(opcode code) {
    operation made;
    made.code = code;
    return made;
  }

  operation make(const op_row& row, std::uint32_t flags, bool has_location) {
    operation op = of_code(row.code);
    op.flags = flags;
    op.location = has_location ? below(3) : 0;
    const bool is_counted = row.results == '*' || (row.results == 'p' && made_.minor >= 2);
    const std::uint32_t results = is_counted ? 1 + below(2) : static_cast<std::uint32_t>(row.results - '0');
    if (row.results != '-' && row.results != 'p') op.results.assign(results, tile_);
    if (row.results == 'p' && is_counted) op.results = {ids_.token()};
    attributes(row, op);
    operands(row, op);
    for (int i = 0; i < row.regions; ++i) {
      region inner;
      inner.arguments.assign(below(3), tile_);
      inner.body.push_back(of_code(opcode::yield));
      inner.body[0].operands = {below(8), 7};
      op.regions.push_back(inner);
    }
    return op;
  }

  void attributes(const op_row& row, operation& op) {
    for (item_cursor items(row.attributes); items.next();) {
      const row_item& item = items.item();
      const bool is_present = item.is_present(op.flags, made_.minor);
      if (item.kind == 'T') op.attributes = {number(), number()};
      if (item.kind == 'p') op.attributes.push_back(assumption());
      if (item.kind == 'h' && is_present) op.attributes.push_back(hints());
      if (item.kind == 'B' && is_present) op.list = {0, 1};
      if (item.kind == 'L') op.list = {1, 0, 2};
      if (std::string_view("TphBL").find(item.kind) == std::string_view::npos) {
        op.fields.push_back(is_present ? field(item.kind) : default_of(item));
      }
    }
  }

  std::uint64_t field(char kind) {
    if (kind == 's') return below(4);
    if (kind == 'k') return 0;
    if (kind == 'i') return below(1000);
    return below(static_cast<std::uint32_t>(names_of(kind).count));
  }

  void operands(const op_row& row, operation& op) {
    for (item_cursor items(row.operands); items.next();) {
      if (!items.item().is_present(op.flags, made_.minor)) continue;
      const std::uint32_t count = items.item().kind == 'v' ? 1 : below(4);
      if (items.item().kind == 'g') op.groups.push_back(count);
      for (std::uint32_t i = 0; i < count; ++i) op.operands.push_back(below(8));
    }
  }

  attribute number() {
    attribute made;
    made.tag = attribute_tag::floating;
    made.of_type = ids_.number(below(2) == 0 ? type_tag::f64 : type_tag::f16);
    made.word = ids_[made.of_type].tag == type_tag::f64 ? random_() << 32 | random_() : random_() & 0xffff;
    return made;
  }
  attribute assumption() {
    attribute made;
    made.tag = below(2) == 0 ? attribute_tag::bounded : attribute_tag::divisible;
    made.word = made.tag == attribute_tag::divisible ? 16 : 0;
    if (below(2) == 0) made.first = -static_cast<std::int64_t>(below(100));
    if (below(2) == 0) made.second = below(100);
    return made;
  }
  attribute hints() {
    attribute latency, all;
    latency.of_type = tile_;
    latency.word = below(10);
    all.tag = attribute_tag::dictionary;
    all.keys = {2, 3};
    all.items = {latency, latency};
    return all;
  }

  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  bytecode made_;
  tables ids_{made_};
  std::mt19937_64 random_{7};
  type_id tile_ = 0;
};

TEST(TileirRows, EveryOperationIsReadAsWrittenAtEveryVersion) {
  int rounds = 0;
  for (int minor = least_minor; minor <= greatest_minor; ++minor) {
    random_kernels kernels(minor);
    for (std::uint64_t number = 0; number < 126; ++number) {
      const op_row* row = find_row(number);
      if (row == nullptr || row->least_minor > minor || row->code == opcode::constant) continue;
      const std::uint32_t flags = row->has_flags(minor) ? 1U << row->flag_bits() : 1;
      for (std::uint32_t flag = 0; flag < flags; ++flag, ++rounds) {
        const bytecode made = kernels.with(*row, flag);
        const std::string bytes = write(made);
        const bytecode again = read(bytes);
        ASSERT_EQ(again, made) << row->mnemonic << " at 13." << minor << "\n" << to_text(made) << to_text(again);
        ASSERT_EQ(write(again), bytes) << row->mnemonic;
        ASSERT_NE(to_text(made).find(row->mnemonic), std::string::npos);
      }
    }
  }
  EXPECT_GT(rounds, 700);
}

TEST(TileirRows, EveryTypeIsReadAsWrittenAtTheVersionsThatHaveIt) {
  bytecode made = read(smallest_tileir());
  tables ids(made);
  for (int tag = 0; tag <= static_cast<int>(type_tag::f64); ++tag) ids.tile(static_cast<type_tag>(tag), {2, 4});
  const type_id tensor = ids.tensor_view(type_tag::bf16, {dynamic, 5}, {dynamic, 1});
  ids.view(tensor, {8, 16}, {}, padding::negative_infinity);
  ids.view(tensor, {8, 16}, {}, std::nullopt);
  ids.pointer_tile(type_tag::f64, {1, 2, 4});
  for (made.minor = 1; made.minor <= greatest_minor; ++made.minor) EXPECT_EQ(read(write(made)), made) << made.minor;
  ids.view(tensor, {8, 16}, {5, 16}, padding::zero);
  type gather;
  gather.tag = type_tag::gather_scatter_view;
  gather.element = tensor;
  gather.shape = {4, 8};
  gather.sparse_axis = 1;
  made.types.push_back(gather);
  EXPECT_EQ(least_minor_of(made), 3);
  for (made.minor = 3; made.minor <= greatest_minor; ++made.minor) EXPECT_EQ(read(write(made)), made) << made.minor;
  made.minor = 2;
  EXPECT_THROW(write(made), internal_error);
}

}  // namespace
}  // namespace tilewright::test
