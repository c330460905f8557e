// SPDX-License-Identifier: Apache-2.0
#include "device/driver_peer.hpp"

#include "runtime/cuda/cuda_engine.hpp"
#include "runtime/cuda/cuda_stream.hpp"

namespace tilewright::bench {
namespace {

cuda::cuda_engine* engine_of(const Device& device) { return dynamic_cast<cuda::cuda_engine*>(&device.engine()); }

cuda::stream_handle stream_of(const Device& device) {
  return static_cast<cuda::cuda_stream&>(device.stream().queue()).handle();
}

template <class Call>
void require(const cuda::driver_table& driver, const Call& call, cuda::result code) {
  if (code != cuda::result::success) cuda::refuse(driver, call.name, code);
}

void bare_launch(const cuda::driver_table& driver, const detail::compiled_launch& launch, cuda::stream_handle stream) {
  auto* function = static_cast<cuda::function_handle>(launch.gpu.function);
  void** parameters = const_cast<void**>(launch.gpu.parameters.data());
  require(driver, driver.launch,
          driver.launch.function(function, launch.gpu.grid, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
}

// Calls go past gpu_context, as those of a program that only knows the driver would.
class KernelByDriver final : public DriverPeer {
 public:
  KernelByDriver(const Device& device, cuda::cuda_engine& engine, const detail::compiled_launch& launch)
      : context_(engine.context()), driver_(context_.driver()), stream_(stream_of(device)), launch_(launch) {}
  ~KernelByDriver() override {
    if (graph_ != nullptr) (void)context_.try_call(driver_.graph_exec_destroy, graph_);
  }

  void launch(int times) override {
    for (int i = 0; i < times; ++i) bare_launch(driver_, launch_, stream_);
  }

  void build_graph(int nodes, bool has_programmatic_edges) override {
    cuda::graph_handle made = nullptr;
    cuda::call(driver_, driver_.graph_create, &made, 0u);
    cuda::graph_node_handle last = nullptr;
    for (int i = 0; i < nodes; ++i) last = add_node(made, last, has_programmatic_edges);
    cuda::call(driver_, driver_.graph_instantiate, &graph_, made, 0ull);
    cuda::call(driver_, driver_.graph_destroy, made);
    cuda::call(driver_, driver_.graph_upload, graph_, stream_);
  }
  void launch_graph() override {
    require(driver_, driver_.graph_launch, driver_.graph_launch.function(graph_, stream_));
  }
  void wait() override { require(driver_, driver_.stream_synchronize, driver_.stream_synchronize.function(stream_)); }

 private:
  cuda::graph_node_handle add_node(cuda::graph_handle graph, cuda::graph_node_handle before, bool is_programmatic) {
    cuda::graph_node_params what{
        .type = cuda::graph_node_type::kernel, .reserved_first = {}, .reserved = {}, .reserved_last = 0};
    what.kernel = {.function = static_cast<cuda::function_handle>(launch_.gpu.function),
                   .grid_x = launch_.gpu.grid,
                   .grid_y = 1,
                   .grid_z = 1,
                   .block_x = 1,
                   .block_y = 1,
                   .block_z = 1,
                   .shared_memory_bytes = 0,
                   .parameters = const_cast<void**>(launch_.gpu.parameters.data()),
                   .extra = nullptr,
                   .kernel = nullptr,
                   .context = nullptr};
    const cuda::graph_edge early{cuda::graph_edge::port_programmatic, 0, cuda::graph_edge::type_programmatic, {}};
    cuda::graph_node_handle node = nullptr;
    cuda::call(driver_, driver_.graph_add, &node, graph, &before, is_programmatic ? &early : nullptr,
               std::size_t{before != nullptr}, &what);
    return node;
  }

  cuda::gpu_context& context_;
  const cuda::driver_table& driver_;
  cuda::stream_handle stream_;
  const detail::compiled_launch& launch_;
  cuda::graph_exec_handle graph_ = nullptr;
};

class StreamsByDriver final : public DriverStreams {
 public:
  StreamsByDriver(cuda::gpu_context& context, int count) : context_(context), driver_(context.driver()) {
    for (int i = 0; i < count; ++i) {
      cuda::stream_handle made = nullptr;
      context_.call(driver_.stream_create, &made, cuda::stream_non_blocking);
      streams_.push_back(made);
    }
  }
  ~StreamsByDriver() override {
    for (const cuda::stream_handle each : streams_) (void)context_.try_call(driver_.stream_destroy, each);
  }
  void launch(const detail::compiled_launch& launch, std::size_t stream) override {
    bare_launch(driver_, launch, streams_[stream]);
  }
  void wait() override {
    for (const cuda::stream_handle each : streams_) {
      require(driver_, driver_.stream_synchronize, driver_.stream_synchronize.function(each));
    }
  }

 private:
  cuda::gpu_context& context_;
  const cuda::driver_table& driver_;
  std::vector<cuda::stream_handle> streams_;
};

}  // namespace

void* driver_stream(const Device& device) { return engine_of(device) == nullptr ? nullptr : stream_of(device); }

std::unique_ptr<DriverPeer> driver_peer(const Device& device, const detail::compiled_launch& launch) {
  cuda::cuda_engine* engine = engine_of(device);
  if (engine == nullptr) return nullptr;
  return std::make_unique<KernelByDriver>(device, *engine, launch);
}

std::unique_ptr<DriverStreams> driver_streams(const Device& device, int count) {
  cuda::cuda_engine* engine = engine_of(device);
  if (engine == nullptr) return nullptr;
  return std::make_unique<StreamsByDriver>(engine->context(), count);
}

}  // namespace tilewright::bench
