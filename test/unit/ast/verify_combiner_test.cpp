// SPDX-License-Identifier: Apache-2.0
// Each rule of a combiner of reduce_begin or scan_begin is found broken.
#include "unit/ast/damaged_module.hpp"

namespace tilewright::test {
namespace {

std::vector<tile_value> all_left(const std::vector<tile_value>& left, const std::vector<tile_value>&) { return left; }

// A reduction of one tile without its result.
void begin_and_end(module_builder& m, tile_value tile) {
  m.record(op::reduce_begin, {tile}, ast::no_type, {0});
  const tile_value left = m.record(op::combiner_left, {}, m.type(f32, {}), {0, 0});
  m.record(op::combiner_right, {}, m.type(f32, {}));
  m.record(op::combiner_end, {left}, ast::no_type);
}

class VerifyCombiner : public testing::TestWithParam<damaged> {};

TEST_P(VerifyCombiner, IsFoundBroken) { expect_broken(GetParam()); }

const damaged damaged_combiners[] = {
    {"a combiner works on 1 to 8 tiles", [](module_builder& m) { m.combined(op::reduce_begin, {}, {0}, all_left); }},
    {"a combiner works on 1 to 8 tiles",
     [](module_builder& m) {
       m.combined(op::reduce_begin, std::vector<tile_value>(9, m.constant(f32, {4}, 0)), {0}, all_left);
     }},
    {"the tiles of a combiner have one shape",
     [](module_builder& m) {
       m.combined(op::reduce_begin, {m.constant(f32, {4, 1}, 0), m.constant(f32, {4, 2}, 0)}, {0}, all_left);
     }},
    {"the axis is not one of the operand's",
     [](module_builder& m) {
       m.combined(op::scan_begin, {m.constant(f32, {4}, 0)}, {1, 0}, all_left);
     }},
    {"a scan's second attribute is 0 or 1",
     [](module_builder& m) {
       m.combined(op::scan_begin, {m.constant(f32, {4}, 0)}, {0, 2}, all_left);
     }},
    {"the literal does not fit its element",
     [](module_builder& m) {
       m.record(op::reduce_begin, {m.constant(dtype::i8, {4}, 0)}, ast::no_type, {0});
       m.record(op::combiner_left, {}, m.type(dtype::i8, {}), {128, 0});
     }},
    {"a combiner begins with the left and right elements of its tiles",
     [](module_builder& m) {
       m.record(op::reduce_begin, {m.constant(f32, {4}, 0)}, ast::no_type, {0});
       m.record(op::combiner_left, {}, m.type(dtype::f16, {}), {0, 0});
     }},
    {"a combiner begins with the left and right elements of its tiles",
     [](module_builder& m) {
       m.record(op::reduce_begin, {m.constant(f32, {4}, 0)}, ast::no_type, {0});
       m.record(op::combiner_right, {}, m.type(f32, {}));
     }},
    {"a combiner begins with the left and right elements of its tiles",
     [](module_builder& m) {
       m.record(op::reduce_begin, {m.constant(f32, {4}, 0)}, ast::no_type, {0});
       m.record(op::combiner_end, {}, ast::no_type);
     }},
    {"a combiner gives one element for each of its tiles",
     [](module_builder& m) {
       m.combined(op::reduce_begin, {m.constant(f32, {4}, 0)}, {0},
                  [](const auto&, const auto&) { return std::vector<tile_value>{}; });
     }},
    {"a combiner gives one element for each of its tiles",
     [](module_builder& m) {
       m.combined(op::reduce_begin, {m.constant(f32, {4}, 0)}, {0},
                  [&](const auto& left, const auto&) { return std::vector{m.cast(dtype::f16, left[0])}; });
     }},
    {"a combiner is element-wise, of rank 0",
     [](module_builder& m) {
       m.combined(op::reduce_begin, {m.constant(f32, {4}, 0)}, {0}, [&](const auto& left, const auto&) {
         (void)m.block_id(0);
         return left;
       });
     }},
    {"a combiner is element-wise, of rank 0",
     [](module_builder& m) {
       m.combined(op::reduce_begin, {m.constant(f32, {4}, 0)}, {0}, [&](const auto& left, const auto&) {
         (void)m.constant(f32, {2}, 0);
         return left;
       });
     }},
    {"a combiner is element-wise, of rank 0",
     [](module_builder& m) {
       const auto x = m.constant(f32, {4}, 0);
       m.combined(op::reduce_begin, {x}, {0}, [&](const auto& left, const auto&) {
         m.combined(op::reduce_begin, {x}, {0}, all_left);
         return left;
       });
     }},
    {"a combiner assigns a variable made before it",
     [](module_builder& m) {
       const auto before = m.constant(f32, {}, 0);
       m.combined(op::reduce_begin, {m.constant(f32, {4}, 0)}, {0}, [&](const auto& left, const auto&) {
         m.assign(before, left[0]);
         return left;
       });
     }},
    {"an operand belongs to a loop or branch that ended",
     [](module_builder& m) {
       tile_value inside;
       m.combined(op::reduce_begin, {m.constant(f32, {4}, 0)}, {0}, [&](const auto& left, const auto&) {
         inside = left[0];
         return left;
       });
       m.unary(op::exp, inside);
     }},
    {"the record belongs to no combiner", [](module_builder& m) { m.record(op::combined, {}, m.type(f32, {4})); }},
    {"the record belongs to no combiner", [](module_builder& m) { m.record(op::combiner_right, {}, m.type(f32, {})); }},
    {"the record belongs to no combiner", [](module_builder& m) { m.record(op::combiner_end, {}, ast::no_type); }},
    {"a combiner's end is followed by its results, one for each tile",
     [](module_builder& m) {
       begin_and_end(m, m.constant(f32, {4}, 0));
       m.index(0);
     }},
    {"a combiner's end is followed by its results, one for each tile",
     [](module_builder& m) {
       begin_and_end(m, m.constant(f32, {4}, 0));
       m.record(op::combined, {}, m.type(f32, {4}));
     }},
    {"the results of a combiner are missing", [](module_builder& m) { begin_and_end(m, m.constant(f32, {4}, 0)); }},
    {"a loop or branch is not closed",
     [](module_builder& m) { m.record(op::reduce_begin, {m.constant(f32, {4}, 0)}, ast::no_type, {0}); }},
};

INSTANTIATE_TEST_SUITE_P(Each, VerifyCombiner, testing::ValuesIn(damaged_combiners));

}  // namespace
}  // namespace tilewright::test
