// SPDX-License-Identifier: Apache-2.0
#include "device/device_row.hpp"

namespace tilewright::bench {
namespace {

[[noreturn]] void refuse(const char* what, int side) {
  throw usage_error({.what = what,
                     .where = "device benchmark",
                     .expected = "a side that the row has",
                     .got = "side " + std::to_string(side),
                     .fix = "side 0 is ours; a row without a side 1 is compared with PyTorch"});
}

}  // namespace

void DeviceRow::enqueue(int side, int /*times*/) { refuse("this row cannot be enqueued", side); }
double DeviceRow::host_seconds(int side, int /*times*/) { refuse("this row does not time itself", side); }

std::vector<row_maker> all_rows() {
  std::vector<row_maker> all;
  for (const std::span<const row_maker> some : {kernel_rows(), launch_rows(), fault_rows(), stream_rows()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace tilewright::bench
