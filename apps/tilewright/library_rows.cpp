// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"
#include "tilewright/kernels/argmax.hpp"
#include "tilewright/kernels/elementwise.hpp"
#include "tilewright/kernels/embedding.hpp"
#include "tilewright/kernels/normalization.hpp"
#include "tilewright/kernels/rotary.hpp"

using namespace tilewright;
namespace tk = tilewright::kernels;

namespace {

LibraryLaunch launch_add(dtype element, const Sizes& size, const schedule& schedule) {
  return for_float(element, [&](auto t) {
    return launch_one(schedule, tk::add<decltype(t), tk::BN>(), bake_output{{size["N"]}, {size["BN"]}},
                      bake_input{{size["N"]}}, bake_input{{size["N"]}});
  });
}

LibraryLaunch launch_saxpy(dtype element, const Sizes& size, const schedule& schedule) {
  return for_float(element, [&](auto t) {
    return launch_one(schedule, tk::saxpy<decltype(t), tk::BN>(), bake_output{{size["N"]}, {size["BN"]}}, 1,
                      bake_input{{size["N"]}}, bake_input{{size["N"]}});
  });
}

LibraryLaunch launch_silu_mul(dtype element, const Sizes& size, const schedule& schedule) {
  const Shape whole{size["M"], size["C"]};
  return for_float(element, [&](auto t) {
    return launch_one(schedule, tk::silu_mul<decltype(t), tk::BM, tk::BN>(),
                      bake_output{whole, {size["BM"], size["BN"]}}, bake_input{whole}, bake_input{whole});
  });
}

// A block holds whole rows: the piece's columns are a power of two that covers them.
Shape row_piece(const Sizes& size) {
  index_t columns = 1;
  while (columns < size["C"]) columns *= 2;
  return {size["BM"], columns};
}

LibraryLaunch launch_softmax(dtype element, const Sizes& size, const schedule& schedule) {
  const Shape whole{size["M"], size["C"]};
  return for_float(element, [&](auto t) {
    return launch_one(schedule, tk::softmax<decltype(t)>(), bake_output{whole, row_piece(size)}, bake_input{whole});
  });
}

LibraryLaunch launch_rms_norm(dtype element, const Sizes& size, const schedule& schedule) {
  const Shape whole{size["M"], size["C"]};
  return for_float(element, [&](auto t) {
    return launch_one(schedule, tk::rms_norm<decltype(t)>(), bake_output{whole, row_piece(size)}, bake_input{whole},
                      bake_input{{size["C"]}}, 1e-5f);
  });
}

LibraryLaunch launch_layer_norm(dtype element, const Sizes& size, const schedule& schedule) {
  const Shape whole{size["M"], size["C"]};
  return for_float(element, [&](auto t) {
    return launch_one(schedule, tk::layer_norm<decltype(t)>(), bake_output{whole, row_piece(size)}, bake_input{whole},
                      bake_input{{size["C"]}}, bake_input{{size["C"]}}, 1e-5f);
  });
}

LibraryLaunch launch_argmax_row(dtype element, const Sizes& size, const schedule& schedule) {
  return for_float(element, [&](auto t) {
    return launch_one(schedule, tk::argmax_row<decltype(t)>().with(dim<tk::BN>(size["BN"])),
                      bake_output{{size["M"]}, {size["BM"]}}, bake_input{{size["M"], size["C"]}});
  });
}

LibraryLaunch launch_embedding(dtype element, const Sizes& size, const schedule& schedule) {
  return for_float(element, [&](auto t) {
    return launch_one(schedule, tk::embedding<decltype(t)>(), bake_output{{size["M"], size["C"]}, {1, size["BN"]}},
                      bake_input{{size["ROWS"], size["C"]}}, bake_input{{size["M"]}});
  });
}

LibraryLaunch launch_rotary(dtype element, const Sizes& size, const schedule& schedule) {
  const Shape whole{size["M"], size["HEADS"] * size["D"]}, table{size["POSITIONS"], size["D"] / 2};
  return for_float(element, [&](auto t) {
    return launch_one(schedule, tk::rotary<decltype(t)>(), bake_output{whole, {1, size["D"]}}, bake_input{whole},
                      bake_input{table}, bake_input{table}, 0);
  });
}

}  // namespace

std::vector<LibraryKernel> row_kernels() {
  const std::string floats = "f32 f16 bf16";
  return {{"add", floats, "N=0,BN=1024", launch_add},
          {"saxpy", floats, "N=0,BN=1024", launch_saxpy},
          {"silu_mul", floats, "M=0,C=0,BM=1,BN=1024", launch_silu_mul},
          {"softmax", floats, "M=0,C=0,BM=1", launch_softmax},
          {"rms_norm", floats, "M=0,C=0,BM=1", launch_rms_norm},
          {"layer_norm", floats, "M=0,C=0,BM=1", launch_layer_norm},
          {"argmax_row", floats, "M=0,C=0,BM=1,BN=1024", launch_argmax_row},
          {"embedding", floats, "M=0,C=0,ROWS=0,BN=1024", launch_embedding},
          {"rotary", floats, "M=0,HEADS=0,D=128,POSITIONS=4096", launch_rotary}};
}
