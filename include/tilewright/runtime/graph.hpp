// SPDX-License-Identifier: Apache-2.0
// Graph: launches recorded once and replayed together, in the order of the program, any number of times. All was
// checked when it was recorded; a replay checks nothing, allocates nothing, and costs a GPU one submission.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tilewright/runtime/launch.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

namespace detail {

class graph_recorder;
class graph_state;

// Owns the recorder of one capture. Launches of this thread go there within a `scope`.
class TILEWRIGHT_API recording {
 public:
  explicit recording(device_engine& device);
  recording(recording&&) noexcept;
  recording& operator=(recording&&) noexcept;
  ~recording();

  int nodes() const;
  graph_recorder& recorder() const {
    if (!recorder_) refuse_use_after_give("GraphBuilder");
    return *recorder_;
  }
  void add(const graph_state& child) const;

  class TILEWRIGHT_API scope {
   public:
    scope(const recording& into, const char* what);
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope();  // takes back what was recorded, unless keep() was called
    void keep() { keeps_ = true; }

   private:
    graph_recorder& recorder_;
    std::size_t before_;
    bool keeps_ = false;
  };

 private:
  owned<graph_recorder> recorder_;
};

template <class F>
recording record(device_engine& device, const char* what, F&& callable) {
  static_assert(std::is_void_v<std::invoke_result_t<F>>,
                "the function given to capture() or update() returns nothing: it runs its launches (sync(), start(), "
                "enqueue()), and what they give back goes to variables outside");
  recording made(device);
  recording::scope scope(made, what);
  std::forward<F>(callable)();
  scope.keep();
  return made;
}

}  // namespace detail

// What one kernel of a graph costs; see Graph::profile().
struct KernelTime {
  std::string kernel;
  int launches = 0;         // of one replay
  double microseconds = 0;  // of one of them, on average
};

// Keeps the memory of its launches alive, whatever becomes of the handles. A tensor that it uses stays its owner's: who
// reads it or launches with it waits for the replays before, and a replay waits for such uses. One thread at a time;
// the tensors may be on others. May be destroyed while a replay is in flight.
class TILEWRIGHT_API TILEWRIGHT_OWNER Graph {
 public:
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;
  ~Graph();

  Device device() const;
  int nodes() const;  // launches

  // Enqueues a replay on the calling thread's stream, behind what is there. One may be enqueued while the one before
  // is in flight; it runs after it, on whichever stream. A failure reaches Stream::synchronize(), and whoever reads
  // what the graph writes. Inside a capture nothing runs: the new graph gets this one's launches as they are now, and
  // keeps them whatever becomes of this one.
  void enqueue();
  void enqueue_on(const Stream& stream);
  // Enqueues a replay and waits until it is done. Throws what failed in any replay that nobody waited for.
  void sync();

  // Records again. Where the kernels are the same, one by one, the nodes that differ (in tensors, numbers, grid, Dims)
  // are changed in place, else all are replaced. For later replays only; one in flight is not touched. Gives the
  // number of nodes that changed. When the callable throws, the graph stays as it was.
  template <class F>
  int update(TILEWRIGHT_CALLED F&& callable) {
    return replace(detail::record(engine(), "update()", std::forward<F>(callable)));
  }
  // The same for some nodes, by their numbers: the callable runs their launches alone, in that order. usage_error, and
  // the graph as it was, unless these are as many launches of the same kernels; update() of all takes any.
  template <class F>
  int update(std::span<const int> nodes, TILEWRIGHT_CALLED F&& callable) {
    return replace(nodes, detail::record(engine(), "update()", std::forward<F>(callable)));
  }
  // Another number for a Scalar parameter of one node, for later replays. Nodes and parameters count from 0, in the
  // order of recording and of the kernel, without Block.
  template <class T>
  requires Element<T>
  void set(int node, int parameter, T value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    set_bits(node, parameter, dtype_of<T>, bits);
  }

  // Times each kernel apart: its launches of one replay, in their order, run again and again without the others. The
  // costliest comes first. What the graph writes means nothing afterwards, for launches saw no results of others.
  std::vector<KernelTime> profile(int replays = 20);

  // For the runtime itself.
  explicit Graph(detail::recording&& recorded);

 private:
  friend class GraphBuilder;

  detail::graph_state& checked() const;
  detail::device_engine& engine() const;
  int replace(detail::recording&& recorded);
  int replace(std::span<const int> nodes, detail::recording&& recorded);
  void set_bits(int node, int parameter, dtype type, std::uint64_t bits);

  detail::owned<detail::graph_state> state_;
};

// Records every launch for `device` that the callable runs, starts or enqueues on this thread, instead of running it.
// Arguments come back at once, not computed. The host can neither read nor fill tensors of the device meanwhile, and
// launches of other devices and captures inside are refused: usage_error. When the callable throws, nothing has
// happened.
template <class F>
[[nodiscard]] Graph capture(const Device& device, TILEWRIGHT_CALLED F&& callable) {
  return Graph(detail::record(device.engine(), "capture()", std::forward<F>(callable)));
}

// How many launches the capture or update that this thread is in has recorded: the number of the next node. 0 outside.
TILEWRIGHT_API int recorded_launches();

// The same step by step.
class TILEWRIGHT_API TILEWRIGHT_OWNER GraphBuilder {
 public:
  explicit GraphBuilder(const Device& device) : recorded_(device.engine()) {}

  // Records the op, or each launch of a chain, and gives the arguments back, not computed. Throws usage_error; what
  // was added before stays.
  template <class R>
  R add(Op<R>&& op) {
    const detail::owned<detail::op_node<R>> node = std::move(op).release();
    detail::recording::scope scope(recorded_, "GraphBuilder::add()");
    detail::enqueued_range range;
    node->enqueue(detail::thread_stream(node->device()), range);
    scope.keep();
    return node->take();
  }
  template <class R>
  R add(Op<R, true>&& op) = delete;  // map() works on results, and nothing has run yet
  template <class... A>
  auto add(LentOp<A...>&& op) {
    detail::recording::scope scope(recorded_, "GraphBuilder::add()");
    auto given = std::move(op).sync();
    scope.keep();
    return given;
  }

  // The launches of another graph as they are now; gives the number of the first one here. Later changes of `child` do
  // not reach this graph.
  int add(const Graph& child);

  int nodes() const { return recorded_.nodes(); }
  [[nodiscard]] Graph build() && {
    detail::recording taken = std::move(recorded_);
    return Graph(std::move(taken));
  }
  Graph build() & = delete;

 private:
  detail::recording recorded_;
};

}  // namespace tilewright

TILEWRIGHT_END_OWNERS
