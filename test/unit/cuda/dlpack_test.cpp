// SPDX-License-Identifier: Apache-2.0
// Tensors of GPUs to and from other libraries: the device is named, matched, and its memory kept as long as needed.
#include "tilewright/runtime/dlpack.hpp"

#include <gtest/gtest.h>

#include "runtime/dlpack_layout.hpp"
#include "tilewright/lang/lang.hpp"
#include "unit/cuda/cuda_places.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

TEST(CudaDlpack, NamesItsGpuAndComesBackToItOnly) {
  fake_place here(2);
  here.driver.set_delayed(true);
  fake_cuda_engine second(here.driver, 1);
  on_own_thread([&] {
    const Device device(second);
    auto [t] = increment(device.zeros<f32>({4}).partition({4})).sync();
    DLManagedTensor* given = to_dlpack(std::move(t));
    EXPECT_EQ(given->tensor.device.type, dlpack::device_type::cuda);
    EXPECT_EQ(given->tensor.device.id, 1);
    Tensor<f32> back = from_dlpack<f32>(given, device);
    increment(back.partition({4})).sync();
    EXPECT_EQ(back.to_host(), std::vector<f32>(4, 2.0f));
    const std::size_t in_use = device.memory().in_use_bytes;
    const report told = usage_of([&] { (void)from_dlpack<f32>(to_dlpack(std::move(back)), here.device()); });
    EXPECT_EQ(told.what, "a DLPack tensor cannot be taken: its device");
    EXPECT_EQ(told.got, "cuda:1");
    EXPECT_LT(device.memory().in_use_bytes, in_use) << "refused, and freed";
  });
}

TEST(CudaDlpack, KeepsWhatIsInFlight) {
  fake_place here;
  here.driver.set_delayed(true);
  on_own_thread([&] {
    const Device device = here.device();
    static int freed;
    freed = 0;
    DLManagedTensor* inner = to_dlpack(device.zeros<f32>({4}));
    DLManagedTensor theirs = *inner;
    theirs.context = inner;
    theirs.deleter = [](DLManagedTensor* self) {
      ++freed;
      auto* held = static_cast<DLManagedTensor*>(self->context);
      held->deleter(held);
    };
    increment(from_dlpack<f32>(&theirs, device).partition({4})).start().detach();
    EXPECT_EQ(freed, 0);
    device.synchronize();
    EXPECT_EQ(freed, 1);
  });
}

}  // namespace
}  // namespace tilewright::test
