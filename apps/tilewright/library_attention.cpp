// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"
#include "tilewright/kernels/attention.hpp"

using namespace tilewright;
namespace tk = tilewright::kernels;

namespace {

// Tensors of q and z, and of keys and values; HEADS of the kernel is how many query heads share a key head.
struct attention_shapes {
  Shape queries, keys;
  index_t shared;

  explicit attention_shapes(const Sizes& size)
      : queries{size["M"], size["HEADS"] * size["D"]},
        keys{size["KEYS"], size["KEY_HEADS"] * size["D"]},
        shared(size["HEADS"] / size["KEY_HEADS"]) {}
};

LibraryLaunch launch_attention(dtype element, const Sizes& size, const schedule& schedule) {
  const attention_shapes shape(size);
  return for_float(element, [&](auto t) {
    return launch_one(schedule,
                      tk::attention<decltype(t)>().with(dim<tk::HEADS>(shape.shared), dim<tk::BN>(size["BN"])),
                      bake_output{shape.queries, {size["BM"], size["D"]}}, bake_input{shape.queries},
                      bake_input{shape.keys}, bake_input{shape.keys}, 1, 0);
  });
}

LibraryLaunch launch_attention_lse(dtype element, const Sizes& size, const schedule& schedule) {
  const attention_shapes shape(size);
  return for_float(element, [&](auto t) {
    return launch_one(
        schedule, tk::attention_lse<decltype(t)>().with(dim<tk::HEADS>(shape.shared), dim<tk::BN>(size["BN"])),
        bake_output{shape.queries, {size["BM"], size["D"]}}, bake_output{{size["M"], size["HEADS"]}, {size["BM"], 1}},
        bake_input{shape.queries}, bake_input{shape.keys}, bake_input{shape.keys}, 1, 0);
  });
}

LibraryLaunch launch_attention_decode(dtype element, const Sizes& size, const schedule& schedule) {
  const Shape query{1, size["HEADS"] * size["D"]}, keys{size["KEYS"], size["KEY_HEADS"] * size["D"]};
  return for_float(element, [&](auto t) {
    return launch_one(schedule,
                      tk::attention_decode<decltype(t)>().with(dim<tk::HEADS>(size["HEADS"] / size["KEY_HEADS"]),
                                                               dim<tk::BN>(size["BN"])),
                      bake_output{query, {1, size["D"]}}, bake_input{query}, bake_input{keys}, bake_input{keys}, 1, 0);
  });
}

}  // namespace

std::vector<LibraryKernel> attention_kernels() {
  const std::string floats = "f32 f16 bf16";
  const std::string many = "M=0,KEYS=0,HEADS=0,KEY_HEADS=0,D=128,BM=64,BN=64";
  return {{"attention", floats, many, launch_attention},
          {"attention_lse", floats, many, launch_attention_lse},
          {"attention_decode", floats, "KEYS=0,HEADS=0,KEY_HEADS=0,D=128,BN=64", launch_attention_decode}};
}
