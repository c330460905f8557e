// SPDX-License-Identifier: Apache-2.0
// Rows of library kernels on the shapes that their peers are known at; names and buffers are those of kernels.py.
#include "device/device_row.hpp"
#include "tilewright/kernels/attention.hpp"
#include "tilewright/kernels/elementwise.hpp"
#include "tilewright/kernels/gemm.hpp"
#include "tilewright/kernels/normalization.hpp"

namespace tilewright::bench {
namespace {

using kernels::BK;
using kernels::BN;
using kernels::HEADS;

constexpr index_t heads = 16, head_size = 128;

std::unique_ptr<DeviceRow> gemm_f16_4096(const row_place& place) {
  const index_t n = place.extent(4096, 64);
  RowBuffers buffers(place.device);
  auto x = buffers.make<f16>("x", {n, n}).share();
  auto y = buffers.make<f16>("y", {n, n}).share();
  auto z = buffers.make<f16>("z", {n, n});
  const Shape piece = {place.extent(128, 32), place.extent(256, 32)};
  return prepared_row(std::move(buffers),
                      prepare(kernels::gemm<f16>().with(BK = 32)(std::move(z).partition(piece), x, y)));
}

std::unique_ptr<DeviceRow> gemm_bf16_8192(const row_place& place) {
  const index_t n = place.extent(8192, 64);
  RowBuffers buffers(place.device);
  auto x = buffers.make<bf16>("x", {n, n}).share();
  auto y = buffers.make<bf16>("y", {n, n}).share();
  auto z = buffers.make<bf16>("z", {n, n});
  const Shape piece = {place.extent(256, 32), place.extent(256, 32)};
  return prepared_row(std::move(buffers),
                      prepare(kernels::gemm<bf16>().with(BK = 64)(std::move(z).partition(piece), x, y)));
}

std::unique_ptr<DeviceRow> attention_causal(const row_place& place) {
  const Shape shape = {place.extent(16384, 64), place.extent(heads, 2) * head_size};
  RowBuffers buffers(place.device);
  auto q = buffers.make<f16>("q", shape).share();
  auto k = buffers.make<f16>("k", shape).share();
  auto v = buffers.make<f16>("v", shape).share();
  auto z = buffers.make<f16>("z", shape);
  return prepared_row(std::move(buffers),
                      prepare(kernels::attention<f16>().with(HEADS = 1, BN = 128)(
                          std::move(z).partition({64, head_size}), q, k, v, 0.08838834764831845f, i32{0})));
}

std::unique_ptr<DeviceRow> add_f32(const row_place& place) {
  const Shape shape = {place.extent(index_t{1} << 28, 5000)};
  RowBuffers buffers(place.device);
  auto x = buffers.make<f32>("x", shape).share();
  auto y = buffers.make<f32>("y", shape).share();
  auto z = buffers.make<f32>("z", shape);
  return prepared_row(std::move(buffers), prepare(kernels::add<f32, BN>()(std::move(z).partition({2048}), x, y)));
}

std::unique_ptr<DeviceRow> softmax_f16(const row_place& place) {
  const index_t columns = place.extent(4096, 64);
  const Shape shape = {place.extent(65536, 16), columns};
  RowBuffers buffers(place.device);
  auto x = buffers.make<f16>("x", shape).share();
  auto z = buffers.make<f16>("z", shape);
  return prepared_row(std::move(buffers), prepare(kernels::softmax<f16>()(std::move(z).partition({1, columns}), x)));
}

std::unique_ptr<DeviceRow> rms_norm_bf16(const row_place& place) {
  const index_t columns = place.extent(4096, 64);
  const Shape shape = {place.extent(65536, 16), columns};
  RowBuffers buffers(place.device);
  auto x = buffers.make<bf16>("x", shape).share();
  auto weight = buffers.make<bf16>("weight", {columns}).share();
  auto z = buffers.make<bf16>("z", shape);
  return prepared_row(std::move(buffers),
                      prepare(kernels::rms_norm<bf16>()(std::move(z).partition({1, columns}), x, weight, 1e-6f)));
}

constexpr row_maker rows[] = {
    {"gemm_f16_4096", gemm_f16_4096},
    {"gemm_bf16_8192", gemm_bf16_8192},
    {"attention_f16_d128_16384_causal", attention_causal},
    {"add_f32_2^28", add_f32},
    {"softmax_f16_4096", softmax_f16},
    {"rms_norm_bf16_4096", rms_norm_bf16},
};

}  // namespace

std::span<const row_maker> kernel_rows() { return rows; }

}  // namespace tilewright::bench
