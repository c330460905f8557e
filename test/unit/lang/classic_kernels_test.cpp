// SPDX-License-Identifier: Apache-2.0
// What the five classic kernels are captured as.
#include "support/classic_kernels.hpp"

#include <gtest/gtest.h>

namespace tilewright::test {
namespace {

using ast::op;

// The captured words, compared while C++ compiles.
template <class Kernel, std::size_t Size>
constexpr bool has_code(Kernel kernel, const std::int32_t (&expected)[Size]) {
  const ast::module_view& module = kernel.module();
  if (module.code_size != static_cast<std::int32_t>(Size)) return false;
  for (std::size_t i = 0; i < Size; ++i) {
    if (module.code[i] != expected[i]) return false;
  }
  return true;
}

constexpr int tensor_type = 1, piece_type = 0, index_type = 2;
// clang-format off
constexpr std::int32_t add_code[] = {
    ast::header_word(op::block_id, 0, index_type), 0,
    ast::header_word(op::load, 1, piece_type), 0, 1, 0,
    ast::header_word(op::block_id, 0, index_type), 0,
    ast::header_word(op::load, 1, piece_type), 2, 2, 0,
    ast::header_word(op::add, 2, piece_type), 1, 3, 0,
    ast::header_word(op::store, 1, ast::no_type), 4, 0,
};
// clang-format on
static_assert(has_code(add, add_code));
static_assert(add.module().record_count == 6 && add.module().parameter_count == 3 && add.module().symbol_count == 1);
static_assert(add.module().parameters[1].type == tensor_type);

// Equal types and Dims are found again, with sanitizers too.
static_assert(attention.module().type_count == 17 && attention.module().symbol_count == 3);

TEST(ClassicKernels, KeepTheirNames) {
  EXPECT_STREQ(add.module().name, "add");
  EXPECT_STREQ(attention.module().name, "attention");
}

TEST(ClassicKernels, StateScalarParametersFirst) {
  const ast::module_view& module = saxpy.module();
  EXPECT_EQ(ast::header_op(module.code[0]), op::scalar);
  EXPECT_EQ(module.code[1], 1) << "the index of the parameter";
}

}  // namespace
}  // namespace tilewright::test
