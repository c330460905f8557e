// SPDX-License-Identifier: Apache-2.0
// Tensors to and from other libraries: what is checked of a foreign one, and who frees it, once.
#include "tilewright/runtime/dlpack.hpp"

#include <gtest/gtest.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <functional>

#include "runtime/dlpack_layout.hpp"
#include "unit/runtime/runtime_kernels.hpp"

TILEWRIGHT_BEGIN_OWNERS  // on purpose: some tests spend what is spent, or leave what must be spent

namespace tilewright::test {
namespace {

const Device d = interp_device();

// A tensor of another library, which counts the calls of its deleter.
template <class Managed>
struct foreign {
  std::array<f32, 24> values{};
  std::array<std::int64_t, 8> shape{2, 3}, strides{3, 1};
  Managed managed{};
  int deleted = 0;

  foreign() {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<f32>(i);
    managed.tensor = {values.data(),
                      {dlpack::device_type::cpu, 0},
                      2,
                      {dlpack::type_code::floating, 32, 1},
                      shape.data(),
                      strides.data(),
                      0};
    managed.context = this;
    managed.deleter = [](Managed* self) { ++static_cast<foreign*>(self->context)->deleted; };
    if constexpr (requires { managed.version; }) managed.version = {1, 1};
  }
  foreign(const foreign&) = delete;
  foreign& operator=(const foreign&) = delete;
};

template <class Managed>
class DlpackOf : public testing::Test {};
using kinds = testing::Types<DLManagedTensor, DLManagedTensorVersioned>;
TYPED_TEST_SUITE(DlpackOf, kinds);

TYPED_TEST(DlpackOf, AnotherLibraryIsUsedInPlaceAndFreedOnce) {
  foreign<TypeParam> theirs;
  {
    auto t = from_dlpack<f32>(&theirs.managed, d);
    EXPECT_EQ(t.shape(), (Shape{2, 3}));
    EXPECT_EQ(t.to_host(), counted(6));
    auto [z] = increment(std::move(t).reshape({6}).partition({4})).sync();
    EXPECT_EQ(theirs.values[5], 6.0f);
    const Shared<f32> shared = std::move(z).share();
    EXPECT_EQ(theirs.deleted, 0);
  }
  d.synchronize();
  EXPECT_EQ(theirs.deleted, 1);
}

TYPED_TEST(DlpackOf, AnotherLibraryOutlivesItsHandleInFlight) {
  foreign<TypeParam> theirs;
  const Stream stream = d.new_stream();
  stream_gate gate(stream);
  auto t = from_dlpack<f32>(&theirs.managed, d);
  increment(std::move(t).reshape({6}).partition({6})).start_on(stream).detach();
  EXPECT_EQ(theirs.deleted, 0);
  gate.open();
  stream.synchronize();
  EXPECT_EQ(theirs.deleted, 1);
  EXPECT_EQ(theirs.values[0], 1.0f);
}

TYPED_TEST(DlpackOf, EachWrongFieldIsRefusedAndTheTensorFreedOnce) {
  using tensor = dlpack::tensor;
  struct wrong {
    const char* what;
    std::function<void(foreign<TypeParam>&, tensor&)> break_it;
  };
  const wrong cases[] = {
      {"its element type", [](auto&, tensor& t) { t.type.bits = 16; }},
      {"its element type", [](auto&, tensor& t) { t.type.code = dlpack::type_code::integer; }},
      {"its element type", [](auto&, tensor& t) { t.type.code = static_cast<dlpack::type_code>(77); }},
      {"its element type", [](auto&, tensor& t) { t.type.lanes = 4; }},
      {"its element type", [](auto&, tensor& t) { t.type.lanes = 0; }},
      {"its rank", [](auto&, tensor& t) { t.rank = -1; }},
      {"its rank", [](auto&, tensor& t) { t.rank = 7; }},
      {"its rank", [](auto&, tensor& t) { t.rank = INT32_MAX; }},
      {"its shape", [](auto&, tensor& t) { t.shape = nullptr; }},
      {"its shape", [](auto& f, tensor&) { f.shape[1] = -3; }},
      {"its shape", [](auto& f, tensor&) { f.shape[0] = INT64_MIN; }},
      {"its size", [](auto& f, tensor&) { f.shape[0] = INT64_MAX; }},
      {"its size", [](auto& f, tensor&) { f.shape[0] = f.shape[1] = std::int64_t{1} << 31; }},
      {"its strides",
       [](auto& f, tensor&) {
         f.strides = {1, 2};
       }},
      // KER-09: elements that overlap, and some that do not.
      {"its strides",
       [](auto& f, tensor&) {
         f.shape = {7, 2}, f.strides = {1, 2};
       }},
      {"its strides",
       [](auto& f, tensor&) {
         f.shape = {4, 3}, f.strides = {2, 3};
       }},
      {"its strides",
       [](auto& f, tensor&) {
         f.shape = {7, 2}, f.strides = {1, 7};
       }},
      {"its strides", [](auto& f, tensor&) { f.strides[0] = 4; }},
      {"its strides", [](auto& f, tensor&) { f.strides[1] = -1; }},
      {"its strides", [](auto& f, tensor&) { f.strides[0] = 0; }},
      {"its data", [](auto&, tensor& t) { t.data = nullptr; }},
      {"its byte offset", [](auto&, tensor& t) { t.byte_offset = UINT64_MAX; }},
      {"its byte offset",
       [](auto&, tensor& t) { t.byte_offset = UINT64_MAX - reinterpret_cast<std::uintptr_t>(t.data) - 8; }},
      {"its address", [](auto&, tensor& t) { t.byte_offset = 2; }},
      {"its device", [](auto&, tensor& t) { t.device.type = static_cast<dlpack::device_type>(10); }},
      {"its device",
       [](auto&, tensor& t) {
         t.device = {dlpack::device_type::cuda, 0};
       }},
      {"its device",
       [](auto&, tensor& t) {
         t.device = {dlpack::device_type::cuda, -2};
       }},
  };
  for (const wrong& each : cases) {
    foreign<TypeParam> theirs;
    each.break_it(theirs, theirs.managed.tensor);
    const report told = usage_of([&] { (void)from_dlpack<f32>(&theirs.managed, d); });
    EXPECT_EQ(told.what, std::string("a DLPack tensor cannot be taken: ") + each.what);
    EXPECT_FALSE(told.fix.empty());
    EXPECT_EQ(theirs.deleted, 1) << each.what << ", " << told.got;
  }
}

TYPED_TEST(DlpackOf, WhatTheFormatLeavesOpenIsAccepted) {
  const auto shape_of = [](const std::function<void(foreign<TypeParam>&, dlpack::tensor&)>& change) {
    foreign<TypeParam> theirs;
    change(theirs, theirs.managed.tensor);
    const auto t = from_dlpack<f32>(&theirs.managed, d);
    const std::vector<f32> values = t.to_host();
    return std::pair(t.shape(), values.empty() ? -1.0f : values[0]);
  };
  EXPECT_EQ(shape_of([](auto&, auto& t) { t.strides = nullptr; }), std::pair(Shape{2, 3}, 0.0f));
  EXPECT_EQ(shape_of([](auto&, auto& t) { t.byte_offset = 8; }), std::pair(Shape{2, 3}, 2.0f));
  EXPECT_EQ(shape_of([](auto&, auto& t) { t.rank = 0; }), std::pair(Shape{}, 0.0f));
  EXPECT_EQ(shape_of([](auto&, auto& t) { t.device.type = dlpack::device_type::cuda_host; }),
            std::pair(Shape{2, 3}, 0.0f));
  EXPECT_EQ(shape_of([](auto& f, auto& t) { f.shape[0] = 0, t.data = nullptr; }), std::pair(Shape{0, 3}, -1.0f));
  EXPECT_EQ(shape_of([](auto& f, auto&) { f.shape[0] = 1, f.strides[0] = 99; }), std::pair(Shape{1, 3}, 0.0f));
  EXPECT_EQ(shape_of([](auto& f, auto&) { f.managed.deleter = nullptr; }), std::pair(Shape{2, 3}, 0.0f));
}

TEST(Dlpack, OfNothingIsRefused) {
  EXPECT_EQ(usage_of([] { (void)from_dlpack<f32>(static_cast<DLManagedTensor*>(nullptr)); }).got, "a null pointer");
}

TEST(Dlpack, OfAnotherMajorVersionOrForReadersOnlyIsRefused) {
  foreign<DLManagedTensorVersioned> later, read_only;
  later.managed.version = {2, 0};
  later.managed.tensor.rank = -1;  // unknown there
  read_only.managed.flags = dlpack::flag_read_only;
  EXPECT_EQ(usage_of([&] { (void)from_dlpack<f32>(&later.managed); }).got, "2.0");
  EXPECT_EQ(usage_of([&] { (void)from_dlpack<f32>(&read_only.managed); }).got, "a read-only one");
  EXPECT_EQ(later.deleted + read_only.deleted, 2);
}

TEST(Dlpack, GivesATensorAwayUntilTheDeleterIsCalled) {
  const std::size_t before = d.memory().in_use_bytes;
  DLManagedTensor* given = to_dlpack(d.from_host(counted(6), {2, 3}));
  EXPECT_GT(d.memory().in_use_bytes, before);
  EXPECT_EQ(given->tensor.rank, 2);
  EXPECT_EQ(given->tensor.shape[1], 3);
  EXPECT_EQ(given->tensor.strides[0], 3);
  EXPECT_EQ(given->tensor.device.type, dlpack::device_type::cpu);
  EXPECT_EQ(static_cast<const f32*>(given->tensor.data)[5], 5.0f);
  given->deleter(given);
  EXPECT_EQ(d.memory().in_use_bytes, before);
}

TEST(Dlpack, GivesViewsToReadersWhoMayOutliveTheHandle) {
  DLManagedTensorVersioned* given = nullptr;
  {
    const auto x = d.from_host(counted(24), {4, 6}).share();
    given = to_dlpack_versioned(x.slice(0, 1, 3).transpose());
  }
  EXPECT_EQ(given->flags, dlpack::flag_read_only);
  EXPECT_EQ(given->version.major, 1u);
  EXPECT_EQ(given->tensor.shape[0], 6);
  EXPECT_EQ(given->tensor.strides[0], 1);
  EXPECT_EQ(given->tensor.strides[1], 6);
  EXPECT_EQ(given->tensor.byte_offset, 24u);
  EXPECT_EQ(static_cast<const f32*>(given->tensor.data)[given->tensor.byte_offset / 4], 6.0f);
  given->deleter(given);
  DLManagedTensorVersioned* writable = to_dlpack_versioned(d.zeros<f32>({2}));
  EXPECT_EQ(writable->flags, 0u);
  writable->deleter(writable);
}

TEST(Dlpack, DeletesAndTellsOfAnExportThatNobodyTakes) {
  static std::string told;
  const std::size_t before = d.memory().in_use_bytes;
  set_misuse_handler([](const char* text) { told = text; });
  {
    auto named = to_dlpack(d.zeros<f32>({4}));
    [[maybe_unused]] auto other = std::move(named);
    EXPECT_THROW((void)std::move(named).release(), usage_error);
  }
  set_misuse_handler(nullptr);
  EXPECT_EQ(told, "an exported tensor was dropped; give it to the library that takes it, which calls its deleter");
  EXPECT_EQ(d.memory().in_use_bytes, before);
}

TEST(Dlpack, WaitsForTheValuesAndRefusesALentTensor) {
  auto flying = increment(d.zeros<f32>({4}).partition({4})).then([](std::tuple<Tensor<f32>> given) {
    EXPECT_EQ(usage_of([&] { (void)to_dlpack(std::get<0>(std::move(given))); }).what,
              "to_dlpack() inside a function given to then()");
    return increment(std::get<0>(std::move(given)).partition({4}));
  });
  auto [t] = std::move(flying).sync();
  {
    auto part = t.slice(0, 0, 2);
    EXPECT_EQ(usage_of([&] { (void)to_dlpack(std::move(t)); }).what, "a Tensor was moved while it is lent");
  }
  EXPECT_EQ(t.to_host(), std::vector<f32>(4, 2.0f)) << "refused, so still here";
}

template <class T>
void expect_round_trip(T value) {
  const auto back = from_dlpack<T>(to_dlpack(d.full<T>({3}, value)), d);
  const T last = back.to_host()[2];
  EXPECT_EQ(std::memcmp(&last, &value, sizeof value), 0);
}

TEST(Dlpack, CarriesEveryElementType) {
  expect_round_trip<bool>(true);
  expect_round_trip<i8>(-3);
  expect_round_trip<i16>(-3);
  expect_round_trip<i32>(-3);
  expect_round_trip<i64>(-3);
  expect_round_trip<u8>(3);
  expect_round_trip<u16>(3);
  expect_round_trip<u32>(3);
  expect_round_trip<u64>(3);
  expect_round_trip<f16>(f16(1.5f));
  expect_round_trip<bf16>(bf16(1.5f));
  expect_round_trip<f8e4m3>(f8e4m3(1.5f));
  expect_round_trip<f8e5m2>(f8e5m2(1.5f));
  expect_round_trip<f8e8m0>(f8e8m0(2.0f));
  expect_round_trip<f32>(1.5f);
  expect_round_trip<f64>(1.5);
  EXPECT_EQ(usage_of([] { (void)to_dlpack(d.zeros<tf32>({1})); }).what,
            "a tensor cannot be exported: DLPack has no such element");
  EXPECT_EQ(usage_of([] { (void)from_dlpack<tf32>(to_dlpack(d.zeros<f32>({1})), d); }).what,
            "a DLPack tensor cannot be taken: its element type");
  EXPECT_EQ(usage_of([] { (void)from_dlpack<bf16>(to_dlpack(d.zeros<f16>({1})), d); }).what,
            "a DLPack tensor cannot be taken: its element type");
}

}  // namespace
}  // namespace tilewright::test

TILEWRIGHT_END_OWNERS
