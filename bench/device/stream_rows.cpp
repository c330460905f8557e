// SPDX-License-Identifier: Apache-2.0
// Products of several sizes on many streams, started as ops. Side 1 of `mixed_gemms_16_streams` is the same machine
// code through the driver's interface; side 1 of `async_gemms_N_streams` is our own, each product waited for.
#include <algorithm>
#include <array>
#include <cstring>

#include "device/device_row.hpp"
#include "device/driver_peer.hpp"
#include "harness/paired.hpp"
#include "runtime/graph_recorder.hpp"
#include "tilewright/kernels/schedules.hpp"

namespace tilewright::bench {
namespace {

namespace on_h200 = kernels::on_h200;

constexpr int products = 96;  // of one run
constexpr std::array<index_t, 4> edges = {512, 1024, 1536, 2048};

class StreamRow : public DeviceRow {
 public:
  StreamRow(const row_place& place, int streams) : DeviceRow({}), device_(place.device) {
    for (int i = 0; i < streams; ++i) streams_.push_back(device_.new_stream());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const index_t n = place.extent(edges[i], 32 + 16 * static_cast<index_t>(i));
      x_.push_back(device_.randn<f16>({n, n}, 2 * i + 1).share());
      y_.push_back(device_.randn<f16>({n, n}, 2 * i + 2).share());
    }
    for (int i = 0; i < products; ++i) outputs_.push_back(output(i));
    run_async();  // compiles: a device that is not there runs nothing
  }

  double host_seconds(int side, int times) final {
    double seconds = 0.0;
    for (int i = 0; i < times; ++i) seconds += seconds_of([&] { side == 0 ? run_async() : run_peer(); });
    return seconds / times;
  }

 protected:
  virtual void run_peer() = 0;

  static std::size_t size_of(int product) { return static_cast<std::size_t>(product) % edges.size(); }
  const Stream& stream_of(int product) const { return streams_[static_cast<std::size_t>(product) % streams_.size()]; }
  Tensor<f16> output(int product) const { return device_.zeros<f16>(x_[size_of(product)].shape()); }
  Op<std::tuple<Tensor<f16>, Shared<f16>, Shared<f16>>> product(int i, Tensor<f16> z) const {
    const Shared<f16>&x = x_[size_of(i)], &y = y_[size_of(i)];
    const index_t n = x.shape()[0];
    const auto run = [&](const auto& best) {
      return best.kernel(std::move(z).partition({std::min(best.rows, n), std::min(best.columns, n)}), x, y);
    };
    return run(on_h200::gemm<f16>(n, n));
  }
  void run_async() {
    std::vector<InFlight<std::tuple<Tensor<f16>, Shared<f16>, Shared<f16>>>> flights;
    flights.reserve(products);
    for (int i = 0; i < products; ++i) {
      flights.push_back(product(i, std::move(outputs_[static_cast<std::size_t>(i)])).start_on(stream_of(i)));
    }
    for (std::size_t i = 0; i < flights.size(); ++i) outputs_[i] = std::get<0>(std::move(flights[i]).wait());
  }

  const Device device_;
  std::vector<Stream> streams_;
  std::vector<Shared<f16>> x_, y_;
  std::vector<Tensor<f16>> outputs_;
};

// ---- Beside the driver's interface ---------------------------------------------------------------------------------
class MixedProducts final : public StreamRow {
 public:
  MixedProducts(const row_place& place, int streams) : StreamRow(place, streams), recorder_(device_.engine()) {
    for (int i = 0; i < products; ++i) peer_outputs_.push_back(output(i));
    record();
    peer_ = driver_streams(device_, streams);
  }

  void check() override {
    if (!peer_ran_) return;
    device_.synchronize();
    for (std::size_t i = 0; i < outputs_.size(); i += 7) {
      if (same_bits(outputs_[i].to_host(), peer_outputs_[i].to_host())) continue;
      throw runtime_error({.what = "the same product has other results through the driver",
                           .where = "device benchmark, product " + std::to_string(i),
                           .expected = "the same bits",
                           .got = "others",
                           .fix = "streams must not get in each other's way"});
    }
  }

 private:
  // The launches as they would run, which also keep their tensors alive.
  void record() {
    detail::graph_recorder::start(recorder_, "a benchmark");
    for (int i = 0; i < products; ++i) {
      Tensor<f16>& z = peer_outputs_[static_cast<std::size_t>(i)];
      z = std::get<0>(product(i, std::move(z)).sync());
    }
    detail::graph_recorder::end();
  }
  void run_peer() override {
    if (peer_ == nullptr) return (void)DeviceRow::host_seconds(1, 1);
    const detail::graph_nodes& nodes = recorder_.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) peer_->launch(nodes[i]->recorded().launch, i % streams_.size());
    peer_->wait();
    peer_ran_ = true;
  }
  static bool same_bits(const std::vector<f16>& a, const std::vector<f16>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(f16)) == 0;
  }

  std::vector<Tensor<f16>> peer_outputs_;
  detail::graph_recorder recorder_;
  std::unique_ptr<DriverStreams> peer_;
  bool peer_ran_ = false;
};

// ---- Beside ourselves, one product at a time -----------------------------------------------------------------------
class AsyncProducts final : public StreamRow {
 public:
  using StreamRow::StreamRow;

 private:
  void run_peer() override {
    for (int i = 0; i < products; ++i) {
      Tensor<f16>& z = outputs_[static_cast<std::size_t>(i)];
      z = std::get<0>(product(i, std::move(z)).sync_on(stream_of(i)));
    }
  }
};

template <class Row, int Streams>
std::unique_ptr<DeviceRow> on_streams(const row_place& place) {
  return std::make_unique<Row>(place, Streams);
}

constexpr row_maker rows[] = {
    {"mixed_gemms_16_streams", on_streams<MixedProducts, 16>},
    {"async_gemms_1_stream", on_streams<AsyncProducts, 1>},
    {"async_gemms_2_streams", on_streams<AsyncProducts, 2>},
    {"async_gemms_4_streams", on_streams<AsyncProducts, 4>},
    {"async_gemms_8_streams", on_streams<AsyncProducts, 8>},
    {"async_gemms_16_streams", on_streams<AsyncProducts, 16>},
};

}  // namespace

std::span<const row_maker> stream_rows() { return rows; }

}  // namespace tilewright::bench
