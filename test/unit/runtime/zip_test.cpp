// SPDX-License-Identifier: Apache-2.0
// Several ops as one, of one device or of several.
#include "tilewright/runtime/zip.hpp"

#include <gtest/gtest.h>

#include "unit/runtime/faulting_kernels.hpp"

namespace tilewright::test {
namespace {

const Device host = cpu_device(), other = interp_device();

Op<std::tuple<Tensor<f32>>> one_more(const Device& device, f32 value = 0) {
  return increment(device.full<f32>({4}, value).partition({4}));
}

TEST(Zip, GivesAllThatItsOpsGive) {
  auto [first, second] = zip(one_more(host), one_more(host, 10)).sync();
  EXPECT_EQ(std::get<0>(first).to_host(), std::vector<f32>(4, 1));
  EXPECT_EQ(std::get<0>(second).to_host(), std::vector<f32>(4, 11));
  auto [alone] = zip(one_more(host)).sync();
  EXPECT_EQ(std::get<0>(alone).to_host(), std::vector<f32>(4, 1));
}

TEST(Zip, RunsEachOpOnItsOwnDevice) {
  const auto here = host.stream().queue().last_ticket(), there = other.stream().queue().last_ticket();
  auto [first, second] = zip(one_more(host), one_more(other)).sync();
  EXPECT_EQ(std::get<0>(first).device(), host);
  EXPECT_EQ(std::get<0>(second).device(), other);
  EXPECT_EQ(host.stream().queue().last_ticket(), here + 1);
  EXPECT_EQ(other.stream().queue().last_ticket(), there + 1);
  EXPECT_EQ(std::get<0>(second).to_host(), std::vector<f32>(4, 1));
}

TEST(Zip, OnAStreamRunsThereWhatIsOfItsDevice) {
  const Stream stream = other.new_stream();
  const auto before = stream.queue().last_ticket();
  auto [nested, third] = zip(zip(one_more(host), one_more(other)), one_more(other)).sync_on(stream);
  EXPECT_EQ(stream.queue().last_ticket(), before + 2);
  EXPECT_EQ(std::get<0>(third).to_host(), std::vector<f32>(4, 1));
  EXPECT_THROW((void)zip(one_more(host), one_more(host)).sync_on(stream), usage_error);
}

TEST(Zip, StartsAllBeforeItWaitsForOne) {
  const Stream slow = host.new_stream();
  stream_gate gate(slow);
  auto flying = zip(one_more(host), one_more(other)).start_on(slow);
  EXPECT_NO_THROW(other.synchronize());
  gate.open();
  auto [first, second] = std::move(flying).wait();
  EXPECT_EQ(std::get<0>(first).to_host(), std::vector<f32>(4, 1));
}

TEST(Zip, TellsTheFirstFailureAndKeepsTheArgumentsOfAll) {
  auto result = zip(one_more(host), bad_pick(host), bad_pick(other), good_pick(other)).try_sync();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().parts().where.find("kernel 'pick_page'"), 0u);
  auto arguments = std::move(result).arguments();
  ASSERT_TRUE(arguments.has_value());
  auto& [good, bad, bad_too, picked_too] = *arguments;
  EXPECT_EQ(std::get<0>(good).to_host(), std::vector<f32>(4, 1)) << "who did not fail has its values";
  EXPECT_EQ(std::get<0>(picked_too).to_host(), page_two);
  EXPECT_THROW((void)std::get<0>(bad).to_host(), device_fault);
  EXPECT_THROW((void)std::get<0>(bad_too).to_host(), device_fault);
  EXPECT_NO_THROW(host.synchronize()) << "the other failure was told with the first";
  EXPECT_NO_THROW(other.synchronize());
}

TEST(Zip, GoesOnWithThenAndMap) {
  const auto add_both = [](auto given) {
    auto& [left, right] = given;
    return add(host.zeros<f32>({4}).partition({4}), std::move(std::get<0>(left)), std::move(std::get<0>(right)));
  };
  auto values = zip(one_more(host), one_more(host, 10)).then(add_both).map([](auto given) {
    return std::get<0>(given).to_host();
  });
  EXPECT_EQ(std::move(values).sync(), std::vector<f32>(4, 12));
}

TEST(Zip, OfMappedOpsGivesTheirValues) {
  const auto read = [](auto given) { return std::get<0>(given).to_host(); };
  auto [values, tensor] = zip(one_more(host).map(read), one_more(other)).sync();
  EXPECT_EQ(values, std::vector<f32>(4, 1));
  EXPECT_EQ(std::get<0>(tensor).to_host(), std::vector<f32>(4, 1));
}

TEST(Then, MayGoOnOnAnotherDevice) {
  const auto elsewhere = [](auto given) {
    return zip(increment(std::move(std::get<0>(given)).partition({4})), one_more(other, 5));
  };
  auto [here, there] = one_more(host).then(elsewhere).sync();
  EXPECT_EQ(std::get<0>(here).to_host(), std::vector<f32>(4, 2));
  EXPECT_EQ(std::get<0>(there).to_host(), std::vector<f32>(4, 6));
  const auto only_elsewhere = [](auto) { return one_more(other, 7); };
  auto [last] = one_more(host).then(only_elsewhere).sync();
  EXPECT_EQ(last.to_host(), std::vector<f32>(4, 8));
}

TEST(Zip, WhoseSecondOpCannotBeEnqueuedLeaksNothing) {
  // The second op of a chain of its own throws when it is asked for its op.
  const auto broken = [](std::tuple<Tensor<f32>>) -> Op<std::tuple<Tensor<f32>>> { find_no_next_op(); };
  host.synchronize();
  const std::size_t before = host.memory().in_use_bytes;
  EXPECT_THROW((void)zip(one_more(host), one_more(other).then(broken)).sync(), runtime_error);
  host.synchronize();
  EXPECT_EQ(host.memory().in_use_bytes, before) << "nothing leaks";
}

}  // namespace
}  // namespace tilewright::test
