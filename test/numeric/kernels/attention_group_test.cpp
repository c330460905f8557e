// SPDX-License-Identifier: Apache-2.0
#include "tilewright/kernels/attention_group.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"

namespace tilewright::test {
namespace {

using kernels::BN;
using kernels::GROUP;
using kernels::PARTS;
using kernels::STEPS;

struct group_case {
  attention_shape shape;
  index_t capacity, count;
  int group, keys, steps;
};
void PrintTo(const group_case& entry, std::ostream* out) {
  *out << entry.shape.heads << "/" << entry.shape.key_heads << " heads of " << entry.shape.head_size << ", "
       << entry.count << " of " << entry.capacity << " keys, tiles of " << entry.group << " x " << entry.keys;
}
constexpr group_case cases[] = {
    {{4, 1, 16, 0, 0.25}, 64, 33, 4, 16, 1},  // a part that ends within a tile, one without keys
    {{8, 2, 16, 0, 0.25}, 64, 64, 8, 32, 2},  // a group padded to 8, one part for all keys
    {{6, 2, 8, 0, 0.5}, 50, 1, 4, 16, 2},     // groups of 3, the cache no whole number of tiles
    {{5, 5, 16, 0, 0.25}, 40, 39, 8, 8, 1},   // no sharing
};

class AttentionGroup : public KernelTest {
 protected:
  template <class T>
  static void expect_bound(const group_case& entry) {
    const attention_shape& shape = entry.shape;
    const index_t group = shape.heads / shape.key_heads, part_keys = index_t{entry.keys} * entry.steps;
    const index_t parts = (entry.capacity + part_keys - 1) / part_keys;
    const auto q = random_matrix<T>(1, shape.heads * shape.head_size);
    const auto k = random_matrix<T>(entry.capacity, shape.key_heads * shape.head_size, 7);
    const auto v = random_matrix<T>(entry.capacity, shape.key_heads * shape.head_size, 9);
    auto split = kernels::attention_group<T>()
                     .with(dim<GROUP>(entry.group), dim<BN>(entry.keys), dim<STEPS>(entry.steps))(
                         poisoned<f32>({parts, shape.key_heads, group, shape.head_size})
                             .partition({1, 1, entry.group, shape.head_size}),
                         poisoned<f32>({parts, shape.key_heads, group, 1}).partition({1, 1, entry.group, 1}),
                         upload(q.values, {shape.key_heads, group, shape.head_size}), upload(k), upload(v),
                         static_cast<f32>(shape.scale), static_cast<i32>(entry.count))
                     .sync();
    auto values = std::move(std::get<0>(split)).reshape({parts, shape.heads * shape.head_size});
    auto sums = std::move(std::get<1>(split)).reshape({parts, shape.heads});
    const auto z = output(
        kernels::attention_merge<T>().with(PARTS = 8)(poisoned<T>({1, q.columns}).partition({1, shape.head_size}),
                                                      std::move(values).share(), std::move(sums).share()));
    const auto visible = [&](const matrix<T>& all) {
      matrix<T> part(entry.count, all.columns);
      std::copy_n(all.values.begin(), part.values.size(), part.values.begin());
      return part;
    };
    expect_within(z, attention_reference(q, visible(k), visible(v), shape).values);
  }
};
TILEWRIGHT_ON_EACH_BACK_END(AttentionGroup);

TEST_P(AttentionGroup, KeepsItsBoundOnEveryShape) {
  for (const group_case& entry : cases) {
    SCOPED_TRACE(testing::PrintToString(entry));
    expect_bound<f32>(entry);
    expect_bound<bf16>(entry);
  }
}

}  // namespace
}  // namespace tilewright::test
