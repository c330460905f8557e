// SPDX-License-Identifier: Apache-2.0
// Rows of library kernels on the shapes that their peers are known at, with the schedules that the library recommends;
// names and buffers are those of kernels.py.
#include <string>

#include "device/device_row.hpp"
#include "support/paged_attention.hpp"
#include "tilewright/kernels/schedules.hpp"

namespace tilewright::bench {
namespace {

namespace on_h200 = kernels::on_h200;
using kernels::HEADS;

constexpr index_t heads = 16, head_size = 128;
constexpr f32 scale = 0.08838834764831845f;  // 1 / sqrt(head_size)

// The piece of a scheduled kernel; on small shapes a small one.
template <class Kernel>
Shape piece_of(const row_place& place, const on_h200::scheduled<Kernel>& best, const Shape& whole) {
  if (place.is_small) return {std::min<index_t>(16, whole[0]), std::min<index_t>(best.columns, whole[1])};
  return {best.rows, best.columns};
}

// ---- Products ------------------------------------------------------------------------------------------------------
template <class T, index_t Edge>
std::unique_ptr<DeviceRow> gemm(const row_place& place) {
  const index_t n = place.extent(Edge, 64);
  RowBuffers buffers(place.device);
  auto x = buffers.make<T>("x", {n, n}).share();
  auto y = buffers.make<T>("y", {n, n}).share();
  auto z = buffers.make<T>("z", {n, n});
  const auto best = on_h200::gemm<T>(Edge, Edge);
  const Shape piece = piece_of(place, best, {n, n});
  return prepared_row(std::move(buffers), prepare(best.kernel(std::move(z).partition(piece), x, y)));
}

// Weights [rows, columns] times x [1, columns], read cold: one graph goes through several matrices.
template <index_t Rows, index_t Columns>
std::unique_ptr<DeviceRow> gemv(const row_place& place) {
  const index_t rows = place.extent(Rows, 64), columns = place.extent(Columns, 96);
  const index_t count = place.extent(800'000'000 / (Rows * Columns * 2), 2);  // as gemv_matrices() of kernels.py
  RowBuffers buffers(place.device);
  auto x = buffers.make<bf16>("x", {1, columns}).share();
  auto z = buffers.make<bf16>("z", {1, rows});
  std::vector<Shared<bf16>> weights;
  for (index_t i = 0; i < count; ++i) {
    weights.push_back(buffers.make<bf16>("w" + std::to_string(i), {rows, columns}).share());
  }
  const auto record = [&](const auto& best) {
    GraphBuilder builder(place.device);
    for (const auto& each : weights) builder.add(best.kernel(z.partition({best.rows, best.columns}), x, each));
    return std::move(builder).build();
  };
  const bool is_wide = on_h200::fills_device(Rows);
  Graph graph = is_wide ? record(on_h200::dense<bf16>(Rows)) : record(on_h200::dense_row<bf16>());
  return prepared_row(std::move(buffers), std::move(graph));
}

// ---- Attention -----------------------------------------------------------------------------------------------------
struct attention_buffers {
  explicit attention_buffers(const row_place& place)
      : all(place.device),
        shape{place.extent(16384, 256), place.extent(heads, 2) * head_size},
        q(all.make<f16>("q", shape).share()),
        k(all.make<f16>("k", shape).share()),
        v(all.make<f16>("v", shape).share()),
        z(all.make<f16>("z", shape)) {}

  RowBuffers all;
  Shape shape;
  Shared<f16> q, k, v;
  Tensor<f16> z;
};

std::unique_ptr<DeviceRow> attention_full(const row_place& place) {
  attention_buffers on(place);
  const auto best = on_h200::attention_full<f16>();
  return prepared_row(std::move(on.all), prepare(best.kernel.with(HEADS = 1)(
                                             std::move(on.z).partition({best.rows, head_size}), on.q, on.k, on.v)));
}

std::unique_ptr<DeviceRow> attention_causal(const row_place& place) {
  attention_buffers on(place);
  const auto best = on_h200::attention<f16>();
  return prepared_row(std::move(on.all),
                      prepare(best.kernel.with(HEADS = 1)(std::move(on.z).partition({best.rows, head_size}), on.q, on.k,
                                                          on.v, scale, i32{0})));
}

// Side 1 is the same kernel without checks, into an output of its own.
std::unique_ptr<DeviceRow> attention_full_checked(const row_place& place) {
  attention_buffers on(place);
  const f32 binary_scale = scale * 1.44269504f;
  auto start = on.all.make<i32>("start", {1}).share();
  auto other = on.all.make<f16>("z_unchecked", on.shape);
  const Shape piece = {128, head_size};
  auto checked = prepare(
      test::scheduled_paged_attention<true>()(std::move(on.z).partition(piece), on.q, on.k, on.v, binary_scale, start));
  auto plain = prepare(test::scheduled_paged_attention<false>()(std::move(other).partition(piece), on.q, on.k, on.v,
                                                                binary_scale, start));
  return prepared_row(std::move(on.all), std::move(checked), std::move(plain));
}

// ---- Rows of memory ------------------------------------------------------------------------------------------------
std::unique_ptr<DeviceRow> add_f32(const row_place& place) {
  const Shape shape = {place.extent(index_t{1} << 28, 5000)};
  RowBuffers buffers(place.device);
  auto x = buffers.make<f32>("x", shape).share();
  auto y = buffers.make<f32>("y", shape).share();
  auto z = buffers.make<f32>("z", shape);
  const auto best = on_h200::add<f32>();
  return prepared_row(std::move(buffers), prepare(best.kernel(std::move(z).partition({best.columns}), x, y)));
}

std::unique_ptr<DeviceRow> softmax_f16(const row_place& place) {
  const index_t columns = place.extent(4096, 64);
  const Shape shape = {place.extent(65536, 16), columns};
  RowBuffers buffers(place.device);
  auto x = buffers.make<f16>("x", shape).share();
  auto z = buffers.make<f16>("z", shape);
  const auto best = on_h200::softmax_twice<f16>(columns);
  return prepared_row(std::move(buffers), prepare(best.kernel(std::move(z).partition({best.rows, columns}), x)));
}

std::unique_ptr<DeviceRow> rms_norm_bf16(const row_place& place) {
  const index_t columns = place.extent(4096, 64);
  const Shape shape = {place.extent(65536, 16), columns};
  RowBuffers buffers(place.device);
  auto x = buffers.make<bf16>("x", shape).share();
  auto weight = buffers.make<bf16>("weight", {columns}).share();
  auto z = buffers.make<bf16>("z", shape);
  const auto best = on_h200::rms_norm<bf16>(columns);
  return prepared_row(std::move(buffers),
                      prepare(best.kernel(std::move(z).partition({best.rows, columns}), x, weight, 1e-6f)));
}

constexpr row_maker rows[] = {
    {"gemm_f16_4096", gemm<f16, 4096>},
    {"gemm_bf16_8192", gemm<bf16, 8192>},
    {"attention_f16_d128_16384_full", attention_full},
    {"attention_f16_d128_16384_causal", attention_causal},
    {"attention_f16_d128_16384_full_checked", attention_full_checked},
    {"add_f32_2^28", add_f32},
    {"softmax_f16_4096", softmax_f16},
    {"rms_norm_bf16_4096", rms_norm_bf16},
    {"gemv_bf16_19456x2560", gemv<19456, 2560>},
    {"gemv_bf16_2560x9728", gemv<2560, 9728>},
    {"gemv_bf16_6144x2560", gemv<6144, 2560>},
    {"gemv_bf16_2560x4096", gemv<2560, 4096>},
};

}  // namespace

std::span<const row_maker> kernel_rows() { return rows; }

}  // namespace tilewright::bench
