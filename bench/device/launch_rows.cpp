// SPDX-License-Identifier: Apache-2.0
// What a launch costs: one block adds 128 numbers in place, so that each launch depends on the one before. Side 0 is
// ours, side 1 the same machine code through the driver's interface; both time themselves.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "device/device_row.hpp"
#include "device/driver_peer.hpp"
#include "harness/paired.hpp"
#include "runtime/image_cache.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::bench {
namespace {

constexpr index_t lanes = 128;
constexpr int chain_length = 1000;
inline constexpr Dim B{"B"};

constexpr auto step = kernel<"step">([](InOut<f32, B> z, In<f32, dyn> x) { z.store(z.load() + load_like(x, z)); });

// The kernel compiled for a device and bound to buffers, as launch() would do it.
template <class Reference>
detail::compiled_launch compile_step(const Device& device, const Reference& kernel, const Tensor<f32>& z,
                                     const Shared<f32>& x) {
  std::vector<compiler::argument> values = {detail::describe(z).value, detail::describe(x).value};
  values[0].piece[0] = lanes;
  compiler::bound_arguments bound = compiler::bind_arguments(*kernel.module, values, {}, {});
  bound.special.schedule = kernel.schedule;
  const runtime::compiled_kernel& compiled = device.engine().compile(*kernel.module, bound.special);
  detail::compiled_launch launch;
  launch.image = compiled.image;
  launch.parameters.resize(compiler::parameter_block_words(compiled.program.parameters));
  compiler::write_parameter_block(compiled.program.parameters, values, launch.parameters.data());
  std::fill(std::begin(launch.grid), std::end(launch.grid), 1);
  launch.blocks = 1;
  device.engine().prepare(launch);
  return launch;
}

// Both sides add 1 to numbers of their own, which count their launches.
template <class Kernel>
class StepRow : public DeviceRow {
 public:
  explicit StepRow(const Device& device, const Kernel& kernel)
      : DeviceRow({}),
        device_(device),
        x_(device.full<f32>({lanes}, 1.0f).share()),
        peer_z_(device.zeros<f32>({lanes})),
        peer_launch_(compile_step(device, kernel.reference(), peer_z_, x_)),
        peer_(driver_peer(device, peer_launch_)) {}

  double host_seconds(int side, int times) final {
    if (side == 1 && peer_ == nullptr) return DeviceRow::host_seconds(side, times);
    return side == 0 ? ours(times) : peers(times);
  }

  // Reads both sums; the count of launches must be in every lane.
  void check() final {
    device_.synchronize();
    require_all("ours", our_address(), our_launches_);
    require_all("the driver's", detail::access::memory(peer_z_)->address, peer_launches_);
  }

 protected:
  virtual double ours(int times) = 0;
  virtual double peers(int times) = 0;
  virtual const std::byte* our_address() const = 0;

  const Device device_;
  const Shared<f32> x_;
  Tensor<f32> peer_z_;
  const detail::compiled_launch peer_launch_;
  const std::unique_ptr<DriverPeer> peer_;
  std::int64_t our_launches_ = 0, peer_launches_ = 0;

 private:
  void require_all(const char* side, const std::byte* address, std::int64_t launches) const {
    std::vector<f32> got(lanes);
    device_.engine().copy_to_host(got.data(), address, got.size() * sizeof(f32));
    for (const f32 each : got) {
      if (each == static_cast<f32>(launches)) continue;
      throw runtime_error({.what = "launches were lost or done twice",
                           .where = std::string("device benchmark, sum of ") + side,
                           .expected = std::to_string(launches),
                           .got = std::to_string(each),
                           .fix = "a kernel must see what the one before has stored"});
    }
  }
};

// One prepared launch, enqueued again and again.
template <class Kernel>
class PreparedStep : public StepRow<Kernel> {
 public:
  PreparedStep(const Device& device, const Kernel& kernel, bool waits)
      : StepRow<Kernel>(device, kernel), waits_(waits), launch_(make(device, kernel)) {}

 private:
  using prepared = decltype(prepare(
      std::declval<Kernel>()(std::declval<Tensor<f32>>().partition({lanes}), std::declval<const Shared<f32>&>())));

  prepared make(const Device& device, const Kernel& kernel) {
    Tensor<f32> z = device.zeros<f32>({lanes});
    address_ = detail::access::memory(z)->address;
    return prepare(kernel(std::move(z).partition({lanes}), this->x_));
  }
  double timed_run(int times, const std::function<void()>& enqueue, const std::function<void()>& wait) {
    const double enqueued = seconds_of(enqueue);
    const double waited = seconds_of(wait);
    return (waits_ ? enqueued + waited : enqueued) / times;
  }
  // A chain is 1000 launches and the wait for them; else only what the host spends on enqueueing counts.
  int launches(int times) const { return waits_ ? times * chain_length : times; }

  double ours(int times) override {
    const int count = launches(times);
    this->our_launches_ += count;
    return timed_run(
        times,
        [&] {
          for (int i = 0; i < count; ++i) launch_.enqueue();
        },
        [&] { this->device_.stream().synchronize(); });
  }
  double peers(int times) override {
    const int count = launches(times);
    this->peer_launches_ += count;
    return timed_run(
        times, [&] { this->peer_->launch(count); }, [&] { this->peer_->wait(); });
  }
  const std::byte* our_address() const override { return address_; }

  const bool waits_;
  const std::byte* address_ = nullptr;
  prepared launch_;
};

// 1000 launches in one graph.
template <class Kernel>
class StepGraph : public StepRow<Kernel> {
 public:
  StepGraph(const Device& device, const Kernel& kernel, bool is_programmatic)
      : StepRow<Kernel>(device, kernel), z_(device.zeros<f32>({lanes})), graph_(make(device, kernel)) {
    if (this->peer_ != nullptr) this->peer_->build_graph(chain_length, is_programmatic);
  }

 private:
  Graph make(const Device& device, const Kernel& kernel) {
    GraphBuilder builder(device);
    for (int i = 0; i < chain_length; ++i) builder.add(kernel(z_.partition({lanes}), this->x_));
    return std::move(builder).build();
  }
  double ours(int times) override {
    this->our_launches_ += std::int64_t{times} * chain_length;
    return timed([&] { graph_.sync(); }, times)();
  }
  double peers(int times) override {
    this->peer_launches_ += std::int64_t{times} * chain_length;
    const auto run = [&] {
      this->peer_->launch_graph();
      this->peer_->wait();
    };
    return timed(run, times)();
  }
  const std::byte* our_address() const override { return detail::access::memory(z_)->address; }

  Tensor<f32> z_;
  Graph graph_;
};

template <class Kernel>
std::unique_ptr<DeviceRow> stream_row(const row_place& place, const Kernel& kernel, bool waits) {
  return std::make_unique<PreparedStep<Kernel>>(place.device, kernel, waits);
}
template <class Kernel>
std::unique_ptr<DeviceRow> graph_row(const row_place& place, const Kernel& kernel, bool is_programmatic) {
  return std::make_unique<StepGraph<Kernel>>(place.device, kernel, is_programmatic);
}

constexpr row_maker rows[] = {
    {"launch_prepared", [](const row_place& place) { return stream_row(place, step, false); }},
    {"chain_1000_stream", [](const row_place& place) { return stream_row(place, step, true); }},
    {"chain_1000_graph", [](const row_place& place) { return graph_row(place, step, false); }},
    {"chain_1000_graph_programmatic",
     [](const row_place& place) { return graph_row(place, step.with(programmatic), true); }},
};

}  // namespace

std::span<const row_maker> launch_rows() { return rows; }

}  // namespace tilewright::bench
