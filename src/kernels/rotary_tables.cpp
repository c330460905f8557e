// SPDX-License-Identifier: Apache-2.0
#include "tilewright/kernels/rotary_tables.hpp"

#include <cmath>
#include <string>

#include "tilewright/base/error.hpp"

namespace tilewright::kernels {

rotary_tables make_rotary_tables(index_t positions, index_t head_size, double base) {
  if (positions < 0 || head_size <= 0 || head_size % 2 != 0 || !(base > 0.0)) {
    throw usage_error({.what = "rotary tables need positions >= 0, a positive even head size and a base above 0",
                       .where = "make_rotary_tables",
                       .expected = {},
                       .got = "positions " + std::to_string(positions) + ", head size " + std::to_string(head_size) +
                              ", base " + std::to_string(base),
                       .fix = "take the values of the model's configuration"});
  }
  rotary_tables tables{.positions = positions, .pairs = head_size / 2, .cosines = {}, .sines = {}};
  std::vector<double> frequencies;
  for (index_t pair = 0; pair < tables.pairs; ++pair) {
    frequencies.push_back(std::pow(base, -2.0 * static_cast<double>(pair) / static_cast<double>(head_size)));
  }
  for (index_t position = 0; position < positions; ++position) {
    for (const double frequency : frequencies) {
      const double angle = static_cast<double>(position) * frequency;
      tables.cosines.push_back(static_cast<f32>(std::cos(angle)));
      tables.sines.push_back(static_cast<f32>(std::sin(angle)));
    }
  }
  return tables;
}

}  // namespace tilewright::kernels
