// SPDX-License-Identifier: Apache-2.0
// Kernels that print, of each element: the vendor's tools accept them, and show what we emitted.
#include <algorithm>
#include <set>

#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/text.hpp"
#include "compiler/tileir/verify.hpp"
#include "compiler/tileir/write.hpp"
#include "support/arguments.hpp"
#include "tileir/tools.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

using compiler::tileir::opcode;

class TileirPrint : public TileirTools {
 protected:
  template <class Kernel>
  static compiler::tileir::bytecode emitted(const Kernel& kernel, const std::vector<compiler::argument>& arguments) {
    const ast::module_view& module = *kernel.reference().module;
    return compiler::tileir::emit(compiler::front(module, compiler::bind_arguments(module, arguments, {}, {}).special),
                                  compiler::target::sm_90);
  }
  static void expect_assembled(const compiler::tileir::bytecode& code, const ast::module_view& module) {
    try {
      if (const auto fault = find_fault(code)) ADD_FAILURE() << module.name << ": " << to_text(*fault);
      const std::string bytes = write(code);
      EXPECT_NE(disassemble(tools(), bytes).find("print_tko"), std::string::npos);
      EXPECT_FALSE(assemble(tools(), bytes, module, {}).cubin.empty());
    } catch (const error& refused) {
      ADD_FAILURE() << module.name << ": " << refused.what();
    }
  }
};

template <class T>
constexpr auto shows = kernel<"shows">([](Block b, Out<T, 3, 8> z, In<T, dyn, dyn> x, Scalar<T> s) {
  auto v = load_like(x, z);
  b.print("100% of {} and {{{}}}", v, s);
  z.store(v);
});

TEST_F(TileirPrint, OfEachElementIsAssembled) {
  const auto check = [&]<class T>() {
    SCOPED_TRACE(info(dtype_of<T>).name);
    const auto code = emitted(shows<T>, {dense({6, 8}, {3, 8}), dense({6, 8}), scalar_bits(1)});
    const bool is_wide = dtype_of<T> == dtype::i64 || dtype_of<T> == dtype::u64;
    const std::string item = is_floating(dtype_of<T>) ? "%g" : is_wide ? "%ll" : is_signed(dtype_of<T>) ? "%i" : "%u";
    const auto shows_it = [&](const std::string& text) {
      return text.find(": 100%% of " + item) != std::string::npos && text.back() == '\n';
    };
    EXPECT_TRUE(std::any_of(code.strings.begin(), code.strings.end(), shows_it));
    expect_assembled(code, shows<T>.module());
  };
  [&]<class... T>(std::type_identity<std::tuple<T...>>) {
    (check.template operator()<T>(), ...);
  }(std::type_identity<
      std::tuple<bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, f8e4m3, f8e5m2, tf32, f8e8m0>>{});
}

constexpr auto walks = kernel<"walks">([](Block b, Out<i32, 2> z, In<i32, dyn> x) {
  auto v = load_like(x, z);
  auto left = b.full<i32>(tile<>, 2);
  b.print("start");
  for (auto i : b.range(b.grid(0))) {
    if_(
        i == 1, [&] { b.print("one, {}", v); }, [&] { v = v + 1; });
    b.while_([&] { return left > 0; },
             [&] {
               b.print("{} left", left);
               left = left - 1;
             });
  }
  b.print("end {}", v);
  z.store(v);
});

void find_tokens(const std::vector<compiler::tileir::operation>& body, std::vector<std::uint32_t>& tokens) {
  for (const auto& next : body) {
    if (next.code == opcode::print) {
      EXPECT_EQ(next.operands.size(), next.groups[0] + 1);
      tokens.push_back(next.operands.back());
    }
    for (const auto& inner : next.regions) find_tokens(inner.body, tokens);
  }
}

// Program order means nothing to the assembler: each line waits for a token of its own, which the line, loop or branch
// before gave.
TEST_F(TileirPrint, InLoopsAndBranchesIsAssembled) {
  const auto code = emitted(walks, {dense({6}, {2}), dense({6})});
  std::vector<std::uint32_t> tokens;
  find_tokens(code.kernels[0].body, tokens);
  EXPECT_EQ(tokens.size(), 4u);
  EXPECT_EQ(std::set<std::uint32_t>(tokens.begin(), tokens.end()).size(), 4u);
  expect_assembled(code, walks.module());
}

}  // namespace
}  // namespace tilewright::test
