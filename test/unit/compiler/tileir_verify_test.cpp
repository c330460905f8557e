// SPDX-License-Identifier: Apache-2.0
// Each rule of Tile IR that our verifier knows, broken once. The modules are sound files: the reader takes all of them.
#include <gtest/gtest.h>

#include <functional>

#include "compiler/tileir/code_builder.hpp"
#include "compiler/tileir/read.hpp"
#include "compiler/tileir/verify.hpp"
#include "compiler/tileir/write.hpp"

namespace tilewright::test {
namespace {

using namespace compiler::tileir;

// A kernel of a pointer, an i32 and an i64, filled by a function.
struct small_kernel {
  bytecode module;
  tables ids{module};
  code_builder code{ids};
  static constexpr value_number pointer = 0, narrow = 1, wide = 2;

  code_value floats(const tile_shape& shape = {4, 8}, type_tag element = type_tag::f32) {
    return code.splat(element, shape, 0);
  }
  code_value integers(const tile_shape& shape = {4, 8}, type_tag element = type_tag::i32) {
    return code.splat(element, shape, 0);
  }
  value_number add(opcode which, std::vector<type_id> results, std::vector<value_number> operands,
                   std::vector<std::uint64_t> fields = {}, std::uint32_t flags = 0,
                   std::vector<std::uint32_t> groups = {}) {
    operation made;
    made.code = which;
    made.results = std::move(results);
    made.operands = std::move(operands);
    made.fields = std::move(fields);
    made.flags = flags;
    made.groups = std::move(groups);
    return code.append(std::move(made));
  }
  // Tiles of 4 x 8 of a tensor of f32.
  value_number view() {
    const type_id tensor = ids.tensor_view(type_tag::f32, {dynamic, 64}, {dynamic, 1});
    const value_number made = add(opcode::make_tensor_view, {tensor}, {pointer, narrow, narrow}, {}, 0, {1, 1});
    return add(opcode::make_partition_view, {ids.view(tensor, {4, 8}, {}, padding::zero)}, {made});
  }
  type_id tile(type_tag element = type_tag::f32, const tile_shape& shape = {4, 8}) { return ids.tile(element, shape); }
  value_number load(std::vector<value_number> operands, std::uint64_t order = 0, std::uint32_t flags = 0) {
    const auto indices = static_cast<std::uint32_t>(operands.size() - 1);
    return add(opcode::load_view, {tile(), ids.token()}, std::move(operands), {order, 0}, flags, {indices});
  }
  // An operation with one region that `body` fills; its arguments are given to it.
  value_number with_region(operation made, const std::vector<type_id>& arguments,
                           const std::function<void(const std::vector<value_number>&)>& body) {
    const auto inside = code.open_region(arguments);
    body(inside);
    made.regions.push_back(code.close_region());
    return code.append(std::move(made));
  }
  value_number loop(const std::vector<value_number>& carried, const std::vector<type_id>& types,
                    const std::function<void(const std::vector<value_number>&)>& body) {
    operation made;
    made.code = opcode::for_;
    made.operands = {narrow, narrow, narrow};
    made.operands.insert(made.operands.end(), carried.begin(), carried.end());
    made.results = types;
    std::vector<type_id> arguments = types;
    arguments.insert(arguments.begin(), tile(type_tag::i32, {}));
    return with_region(std::move(made), arguments, body);
  }
  value_number sum(type_tag identity, const std::function<void(const std::vector<value_number>&)>& body) {
    operation made;
    made.code = opcode::reduce;
    made.operands = {floats().number};
    made.results = {tile(type_tag::f32, {8})};
    made.fields = {0};
    attribute zero;
    zero.tag = attribute_tag::floating;
    zero.of_type = ids.number(identity);
    made.attributes = {zero};
    return with_region(std::move(made), {tile(type_tag::f32, {}), tile(type_tag::f32, {})}, body);
  }
};

using filling = std::function<void(small_kernel&)>;

bytecode module_of(const filling& fill) {
  small_kernel k;
  kernel made;
  made.name = k.ids.string("k");
  made.signature =
      k.ids.function({k.ids.pointer_tile(type_tag::f32), k.tile(type_tag::i32, {}), k.tile(type_tag::i64, {})});
  k.code.reserve_parameters(3);
  fill(k);
  made.body = k.code.finish();
  k.module.kernels.push_back(std::move(made));
  k.module.minor = least_minor_of(k.module);
  return k.module;
}

struct rule_case {
  const char* name;
  const char* message;
  filling fill;
};
void PrintTo(const rule_case& printed, std::ostream* out) { *out << printed.name; }

class TileirRule : public testing::TestWithParam<rule_case> {};

TEST_P(TileirRule, IsNamedWithTheOperation) {
  const bytecode made = read(write(module_of(GetParam().fill)));
  const auto fault = find_fault(made);
  ASSERT_TRUE(fault.has_value()) << "accepted";
  EXPECT_EQ(fault->rule, GetParam().message) << to_text(*fault);
  EXPECT_EQ(fault->kernel, "k");
}

std::vector<rule_case> element_cases() {
  return {
      {"FloatsOfTwoTypes", "an operand is of another type than the result",
       [](auto& k) {
         k.code.like_op(opcode::addf, k.floats(), {k.floats().number, k.floats({8}).number}, {0});
       }},
      {"FloatsThatAreIntegers", "the elements are no floats that arithmetic takes",
       [](auto& k) { k.code.like_op(opcode::negf, k.integers(), {k.integers().number}); }},
      {"FlushedHalves", "only f32 is flushed to zero",
       [](auto& k) {
         const auto x = k.floats({8}, type_tag::f16);
         k.code.like_op(opcode::mulf, x, {x.number, x.number}, {0}, flush_to_zero);
       }},
      {"ApproximateSum", "no such rounding of this element",
       [](auto& k) {
         k.code.like_op(opcode::addf, k.floats(), {k.floats().number, k.floats().number}, {approximate});
       }},
      {"IntegersThatAreFloats", "the elements are no integers",
       [](auto& k) {
         k.code.like_op(opcode::andi, k.floats(), {k.floats().number, k.floats().number});
       }},
      {"UnsignedDivisionDown", "only signed division rounds down",
       [](auto& k) {
         k.code.like_op(opcode::divi, k.integers(), {k.integers().number, k.integers().number}, {0, down});
       }},
      {"ComparisonOfAnotherShape", "the result is no i1 of the shape",
       [](auto& k) {
         k.code.tile_op(opcode::cmpi, type_tag::i1, {8}, {k.integers().number, k.integers().number}, {0, 0});
       }},
      {"ConditionOfAnotherShape", "the condition is of another shape",
       [](auto& k) {
         const auto c = k.integers({8}, type_tag::i1);
         k.code.like_op(opcode::select, k.floats(), {c.number, k.floats().number, k.floats().number});
       }},
      {"BoundsOfAPointer", "only integers have bounds",
       [](auto& k) {
         operation made;
         made.code = opcode::assume;
         made.results = {k.ids.pointer_tile(type_tag::f32)};
         made.operands = {small_kernel::pointer};
         made.attributes.emplace_back().tag = attribute_tag::bounded;
         k.code.append(made);
       }},
      {"JoinOfOneToken", "another number of tokens",
       [](auto& k) { k.add(opcode::join_tokens, {k.ids.token()}, {k.add(opcode::make_token, {k.ids.token()}, {})}); }},
      {"PrintOfTooFew", "another number of values than the format shows",
       [](auto& k) {
         k.add(opcode::print, {k.ids.token()}, {small_kernel::narrow}, {k.ids.string("%d %% %d")}, 0, {1});
       }},
  };
}

std::vector<rule_case> shape_cases() {
  const auto convert = [](opcode which, type_tag from, type_tag to, std::vector<std::uint64_t> fields) {
    return [=](small_kernel& k) { k.add(which, {k.tile(to)}, {k.code.splat(from, {4, 8}, 0).number}, fields); };
  };
  return {
      {"WideningToLess", "the result is no wider", convert(opcode::exti, type_tag::i32, type_tag::i16, {0})},
      {"NarrowingToMore", "the result is no narrower", convert(opcode::trunci, type_tag::i16, type_tag::i32, {0})},
      {"FloatToItself", "no conversion of one float to another",
       convert(opcode::ftof, type_tag::f32, type_tag::f32, {0})},
      {"HalfRoundedUp", "no such rounding of this conversion",
       convert(opcode::ftof, type_tag::f32, type_tag::f16, {up})},
      {"FloatToIntegerToNearest", "floats become integers by rounding to zero",
       convert(opcode::ftoi, type_tag::f32, type_tag::i32, {1, 0})},
      {"BitsOfAnotherWidth", "the elements differ in width",
       convert(opcode::bitcast, type_tag::f32, type_tag::i16, {})},
      {"ReshapeToMore", "the number of elements changes",
       [](auto& k) { k.add(opcode::reshape, {k.tile(type_tag::f32, {64})}, {k.floats().number}); }},
      {"BroadcastOfAnExtent", "an extent that is not 1 changes",
       [](auto& k) {
         k.add(opcode::broadcast, {k.tile()}, {k.floats({2, 8}).number});
       }},
      {"PermuteOfOneAxisTwice", "the axes are no permutation",
       [](auto& k) {
         operation made;
         made.code = opcode::permute;
         made.results = {k.tile()};
         made.operands = {k.floats().number};
         made.list = {0, 0};
         k.code.append(made);
       }},
      {"CatOfTwoShapes", "the extents beside the axis differ",
       [](auto& k) {
         k.add(opcode::cat, {k.tile()}, {k.floats({4, 4}).number, k.floats({2, 4}).number}, {1});
       }},
      {"ExtractAtI64", "a place is no i32",
       [](auto& k) {
         k.add(opcode::extract, {k.tile(type_tag::f32, {4, 4})},
               {k.floats().number, small_kernel::narrow, small_kernel::wide});
       }},
      {"IotaPastItsElement", "the element cannot count so far",
       [](auto& k) { k.add(opcode::iota, {k.tile(type_tag::i8, {512})}, {}); }},
      {"ProductOfTwoElements", "the factors' elements differ",
       [](auto& k) {
         const auto a = k.floats({4, 4}, type_tag::f16), b = k.floats({4, 8}, type_tag::bf16);
         k.code.like_op(opcode::mmaf, k.floats(), {a.number, b.number, k.floats().number});
       }},
      {"ProductOfOtherExtents", "the extents do not go together",
       [](auto& k) {
         const auto a = k.floats({4, 16}, type_tag::f16), b = k.floats({4, 8}, type_tag::f16);
         k.code.like_op(opcode::mmaf, k.floats(), {a.number, b.number, k.floats().number});
       }},
      {"ProductInto64Bits", "there is no product of these elements",
       [](auto& k) {
         const auto a = k.floats({4, 4}), b = k.floats({4, 8}), c = k.floats({4, 8}, type_tag::f64);
         k.code.like_op(opcode::mmaf, c, {a.number, b.number, c.number});
       }},
  };
}

std::vector<rule_case> access_cases() {
  constexpr value_number narrow = small_kernel::narrow, wide = small_kernel::wide;
  return {
      {"TensorOfAnotherElement", "the base points to another element",
       [](auto& k) {
         k.add(opcode::make_tensor_view, {k.ids.tensor_view(type_tag::f16, {64}, {1})}, {small_kernel::pointer}, {}, 0,
               {0, 0});
       }},
      {"TensorWithoutItsExtent", "another number of extents or strides than the type leaves open",
       [](auto& k) {
         k.add(opcode::make_tensor_view, {k.ids.tensor_view(type_tag::f32, {dynamic}, {1})}, {small_kernel::pointer},
               {}, 0, {0, 0});
       }},
      {"TooFewIndices", "another number of indices than axes",
       [](auto& k) {
         k.load({k.view(), narrow});
       }},
      {"IndicesOfTwoTypes", "the indices are of two types",
       [](auto& k) {
         k.load({k.view(), narrow, wide});
       }},
      {"AcquireWithoutAScope", "a scope belongs to every order but weak",
       [](auto& k) {
         k.load({k.view(), narrow, narrow}, 2);
       }},
      {"LoadThatReleases", "no such memory order of this access",
       [](auto& k) {
         k.load({k.view(), narrow, narrow}, 3, 1);
       }},
      {"LoadOfAnotherShape", "the tile's shape is not the view's",
       [](auto& k) {
         k.add(opcode::load_view, {k.tile(type_tag::f32, {8, 4}), k.ids.token()}, {k.view(), narrow, narrow}, {0, 0}, 0,
               {2});
       }},
      {"LoadOfAnotherElement", "the tile's elements are not the tensor's",
       [](auto& k) {
         k.add(opcode::load_view, {k.tile(type_tag::i32), k.ids.token()}, {k.view(), narrow, narrow}, {0, 0}, 0, {2});
       }},
      {"StoreWithoutAToken", "the last result is no token",
       [](auto& k) {
         k.add(opcode::store_view, {k.tile()}, {k.floats().number, k.view(), narrow, narrow}, {0, 0}, 0, {2});
       }},
      {"GatherOfAnotherShape", "the value is not of the pointers' shape",
       [](auto& k) {
         k.add(opcode::load_ptr, {k.tile(), k.ids.token()}, {small_kernel::pointer}, {0, 0});
       }},
  };
}

std::vector<rule_case> region_cases() {
  return {
      {"LoopThatChangesWhatItCarries", "what the loop carries changes its type",
       [](auto& k) {
         k.loop({k.floats().number}, {k.tile()}, [&](const auto&) { k.code.terminate(opcode::continue_, {k.wide}); });
       }},
      {"LoopWithOtherResults", "the results are not what the loop carries",
       [](auto& k) {
         k.loop({k.floats().number}, {k.tile(type_tag::i32)},
                [&](const auto& inside) { k.code.terminate(opcode::continue_, {inside[1]}); });
       }},
      {"BreakOutOfACountedLoop", "there is no loop to break out of",
       [](auto& k) { k.loop({}, {}, [&](const auto&) { k.code.terminate(opcode::break_, {}); }); }},
      {"ReturnOutOfACountedLoop", "this region cannot be returned from",
       [](auto& k) { k.loop({}, {}, [&](const auto&) { k.code.terminate(opcode::return_, {}); }); }},
      {"YieldOfALoop", "there is nothing to yield to",
       [](auto& k) { k.loop({}, {}, [&](const auto&) { k.code.terminate(opcode::yield, {}); }); }},
      {"SumWithAnIdentityOfAnotherType", "the identity is of another type",
       [](auto& k) {
         k.sum(type_tag::f16, [&](const auto& inside) { k.code.terminate(opcode::yield, {inside[0]}); });
       }},
      {"SumThatYieldsSomethingElse", "what is yielded is not what was promised",
       [](auto& k) { k.sum(type_tag::f32, [&](const auto&) { k.code.terminate(opcode::yield, {k.wide}); }); }},
      {"MemoryInsideASum", "memory is used inside a reduction",
       [](auto& k) {
         k.sum(type_tag::f32, [&](const auto& inside) {
           k.add(opcode::make_token, {k.ids.token()}, {});
           k.code.terminate(opcode::yield, {inside[0]});
         });
       }},
      {"OperationsAfterAReturn", "operations follow the end of a block",
       [](auto& k) { k.add(opcode::return_, {}, {}); }},
      {"ReturnOfAValue", "a kernel returns nothing",
       [](auto& k) { k.add(opcode::return_, {}, {small_kernel::narrow}); }},
  };
}

INSTANTIATE_TEST_SUITE_P(OfElements, TileirRule, testing::ValuesIn(element_cases()), testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(OfShapes, TileirRule, testing::ValuesIn(shape_cases()), testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(OfAccesses, TileirRule, testing::ValuesIn(access_cases()), testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(OfRegions, TileirRule, testing::ValuesIn(region_cases()), testing::PrintToStringParamName());

TEST(TileirRules, AreKeptByASmallKernel) {
  const bytecode made = module_of([](small_kernel& k) {
    const value_number x = k.load({k.view(), k.narrow, k.narrow});
    const value_number sum = k.loop({x}, {k.tile()}, [&](const std::vector<value_number>& inside) {
      const code_value twice = k.code.like_op(opcode::addf, k.floats(), {inside[1], inside[1]}, {0});
      k.code.terminate(opcode::continue_, {twice.number});
    });
    k.sum(type_tag::f32, [&](const std::vector<value_number>& inside) {
      k.code.terminate(opcode::yield,
                       {k.code.tile_op(opcode::addf, type_tag::f32, {}, {inside[0], inside[1]}, {0}).number});
    });
    k.add(opcode::store_view, {k.ids.token()}, {sum, k.view(), k.narrow, k.narrow}, {0, 0}, 0, {2});
  });
  const auto fault = find_fault(made);
  EXPECT_FALSE(fault.has_value()) << to_text(*fault);
}

// Two constants, then the sum: it is the third operation.
TEST(TileirRules, AreToldWithTheirPlace) {
  const auto fault = find_fault(module_of([](small_kernel& k) {
    const code_value x = k.floats(), y = k.integers();
    k.code.like_op(opcode::addf, x, {x.number, y.number}, {0});
  }));
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(to_text(*fault), "kernel 'k', operation 2 (addf): an operand is of another type than the result");
}

}  // namespace
}  // namespace tilewright::test
