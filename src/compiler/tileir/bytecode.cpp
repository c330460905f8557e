// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/bytecode.hpp"

namespace tilewright::compiler::tileir {
namespace {

struct tag_row {
  const char* name;
  int bits;
};

constexpr tag_row tag_rows[] = {
    {"i1", 1},
    {"i8", 8},
    {"i16", 16},
    {"i32", 32},
    {"i64", 64},
    {"f16", 16},
    {"bf16", 16},
    {"f32", 32},
    {"tf32", 19},
    {"f64", 64},
    {"f8E4M3FN", 8},
    {"f8E5M2", 8},
    {"ptr", 0},
    {"tile", 0},
    {"tensor_view", 0},
    {"partition_view", 0},
    {"function", 0},
    {"token", 0},
    {"f8E8M0FNU", 8},
    {"f4E2M1FN", 4},
    {"gather_scatter_view", 0},
    {"strided_view", 0},
    {"i4", 4},
};
constexpr tag_row preview_float = {"fnv8E5M3FNU", 8};

const tag_row& row_of_tag(type_tag tag) {
  return tag == type_tag::f8e5m3fnu ? preview_float : tag_rows[static_cast<int>(tag)];
}

}  // namespace

bool region::operator==(const region&) const = default;

int bits_of(type_tag tag) { return row_of_tag(tag).bits; }
const char* name_of(type_tag tag) { return row_of_tag(tag).name; }
bool is_number(type_tag tag) { return bits_of(tag) > 0; }

const char* debug_fields(std::uint64_t tag) {
  constexpr const char* fields[] = {"", "d", "ss", "ddnn", "dsnn", "dnssdn", "dd"};
  return tag < std::size(fields) ? fields[tag] : nullptr;
}

std::size_t operation_count(const std::vector<operation>& body) {
  std::size_t count = body.size();
  for (const operation& op : body) {
    for (const region& inner : op.regions) count += operation_count(inner.body);
  }
  return count;
}

}  // namespace tilewright::compiler::tileir
