// SPDX-License-Identifier: Apache-2.0
// Graph: launches recorded once and replayed together, in the order of the program, any number of times. All was
// checked when it was recorded; a replay checks nothing, allocates nothing, and costs a GPU one submission.
#pragma once

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
TILEWRIGHT_API void destroy_hidden(graph_recorder* spent) noexcept;
TILEWRIGHT_API void destroy_hidden(graph_state* spent) noexcept;

// Misuse in a rehearsal. When a program runs, usage_errors say more.
[[noreturn]] TILEWRIGHT_API void refuse_capture_inside_a_capture();
[[noreturn]] TILEWRIGHT_API void refuse_node_that_the_graph_lacks();
[[noreturn]] TILEWRIGHT_API void refuse_other_launches_than_the_nodes_have();

constexpr void rehearse_no_capture(const rehearsed_device& device) {
  if (is_in_capture(device)) refuse_capture_inside_a_capture();
}

// Owns the recorder of one capture. Launches of this thread go there within a `scope`.
class TILEWRIGHT_API recording {
 public:
  constexpr explicit recording(const Device& device) : is_there_(true) {
    if (in_rehearsal()) {
      rehearsed_ = &device.rehearsed();
    } else {
      recorder_ = owned<graph_recorder>(make(device.engine()));
    }
  }
  constexpr recording(recording&& other) noexcept
      : recorder_(std::move(other.recorder_)),
        rehearsed_(other.rehearsed_),
        nodes_(other.nodes_),
        is_there_(std::exchange(other.is_there_, false)) {}
  constexpr recording& operator=(recording&& other) noexcept {
    recorder_ = std::move(other.recorder_);
    rehearsed_ = other.rehearsed_;
    nodes_ = other.nodes_;
    is_there_ = std::exchange(other.is_there_, false);
    return *this;
  }
  constexpr ~recording() = default;

  // Throws usage_error when it was given away.
  constexpr void require(const char* owner) const {
    if (!is_there_) refuse_use_after_give(owner);
  }
  constexpr int nodes() const { return in_rehearsal() ? nodes_ : recorded_nodes(); }
  constexpr const rehearsed_device& rehearsed() const { return *rehearsed_; }
  constexpr void rehearse_nodes(int more) { nodes_ += more; }
  graph_recorder& recorder() const { return *recorder_; }
  void add(const graph_state& child) const;

  class TILEWRIGHT_API scope {
   public:
    constexpr scope(recording& into, const char* what) : into_(into) {
      if (in_rehearsal()) {
        begin_rehearsed();
      } else {
        begin(what);
      }
    }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    constexpr ~scope() {  // takes back what was recorded, unless keep() was called
      if (in_rehearsal()) {
        end_rehearsed();
      } else {
        end();
      }
    }
    constexpr void keep() { keeps_ = true; }

   private:
    constexpr void begin_rehearsed() {
      rehearse_no_capture(into_.rehearsed());
      rehearsed_thread* const thread = into_.rehearsed().thread;
      if (thread != nullptr) *thread = {&into_.rehearsed(), 0};
    }
    constexpr void end_rehearsed() {
      rehearsed_thread* const thread = into_.rehearsed().thread;
      if (thread == nullptr) return;
      into_.rehearse_nodes(thread->recorded);
      thread->captured = nullptr;
    }
    void begin(const char* what);
    void end() noexcept;

    recording& into_;
    std::size_t before_ = 0;
    bool keeps_ = false;
  };

 private:
  static graph_recorder* make(device_engine& device);
  int recorded_nodes() const;

  owned<graph_recorder> recorder_;
  const rehearsed_device* rehearsed_ = nullptr;
  int nodes_ = 0;  // of a rehearsal
  bool is_there_;
};

template <class F>
constexpr recording record(const Device& device, const char* what, F&& callable) {
  static_assert(std::is_void_v<std::invoke_result_t<F>>,
                "the function given to capture() or update() returns nothing: it runs its launches (sync(), start(), "
                "enqueue()), and what they give back goes to variables outside");
  recording made(device);
  {
    recording::scope scope(made, what);
    std::forward<F>(callable)();
    scope.keep();
  }
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
  constexpr Graph(Graph&& other) noexcept
      : state_(std::move(other.state_)),
        rehearsed_(std::exchange(other.rehearsed_, nullptr)),
        rehearsed_nodes_(other.rehearsed_nodes_) {}
  constexpr Graph& operator=(Graph&& other) noexcept {
    state_ = std::move(other.state_);
    rehearsed_ = std::exchange(other.rehearsed_, nullptr);
    rehearsed_nodes_ = other.rehearsed_nodes_;
    return *this;
  }
  constexpr ~Graph() = default;

  constexpr Device device() const { return detail::in_rehearsal() ? Device(rehearsed()) : Device(engine()); }
  constexpr int nodes() const {  // launches
    if (!detail::in_rehearsal()) return recorded_nodes();
    (void)rehearsed();
    return rehearsed_nodes_;
  }

  // Enqueues a replay on the calling thread's stream, behind what is there. One may be enqueued while the one before
  // is in flight; it runs after it, on whichever stream. A failure reaches Stream::synchronize(), and whoever reads
  // what the graph writes. Inside a capture nothing runs: the new graph gets this one's launches as they are now, and
  // keeps them whatever becomes of this one.
  constexpr void enqueue() {
    if (detail::in_rehearsal()) return rehearse_replay();
    replay(nullptr);
  }
  constexpr void enqueue_on(const Stream& stream) {
    if (detail::in_rehearsal()) return rehearse_replay();
    replay(&stream);
  }
  // Enqueues a replay and waits until it is done. Throws what failed in any replay that nobody waited for.
  constexpr void sync() {
    if (detail::in_rehearsal()) return rehearse_replay();
    replay_and_wait();
  }

  // Records again. Where the kernels are the same, one by one, the nodes that differ (in tensors, numbers, grid, Dims)
  // are changed in place, else all are replaced. For later replays only; one in flight is not touched. Gives the
  // number of nodes that changed. When the callable throws, the graph stays as it was.
  template <class F>
  constexpr int update(TILEWRIGHT_CALLED F&& callable) {
    return replace(detail::record(device(), "update()", std::forward<F>(callable)));
  }
  // The same for some nodes, by their numbers: the callable runs their launches alone, in that order. usage_error, and
  // the graph as it was, unless these are as many launches of the same kernels; update() of all takes any.
  template <class F>
  constexpr int update(std::span<const int> nodes, TILEWRIGHT_CALLED F&& callable) {
    return replace(nodes, detail::record(device(), "update()", std::forward<F>(callable)));
  }
  // Another number for a Scalar parameter of one node, for later replays. Nodes and parameters count from 0, in the
  // order of recording and of the kernel, without Block.
  template <class T>
  requires Element<T>
  constexpr void set(int node, int parameter, T value) {
    if (detail::in_rehearsal()) return require_rehearsed_node(node);
    set_value(node, parameter, dtype_of<T>, &value, sizeof value);
  }

  // Times each kernel apart: its launches of one replay, in their order, run again and again without the others. The
  // costliest comes first. What the graph writes means nothing afterwards, for launches saw no results of others.
  constexpr std::vector<KernelTime> profile(int replays = 20) {
    if (!detail::in_rehearsal()) return measure(replays);
    detail::rehearse_no_capture(rehearsed());
    return {};
  }

  // For the runtime itself.
  constexpr explicit Graph(detail::recording&& recorded) {
    if (detail::in_rehearsal()) {
      rehearsed_ = &recorded.rehearsed();
      rehearsed_nodes_ = recorded.nodes();
    } else {
      state_ = detail::owned<detail::graph_state>(make(recorded));
    }
  }

 private:
  friend class GraphBuilder;

  static detail::graph_state* make(const detail::recording& recorded);
  detail::graph_state& checked() const;
  detail::device_engine& engine() const;
  int recorded_nodes() const;
  void replay(const Stream* chosen);
  void replay_and_wait();
  std::vector<KernelTime> measure(int replays);
  int replace_now(detail::recording&& recorded);
  int replace_now(std::span<const int> nodes, detail::recording&& recorded);
  void set_value(int node, int parameter, dtype type, const void* value, std::size_t size_bytes);

  constexpr const detail::rehearsed_device& rehearsed() const {
    if (rehearsed_ == nullptr) detail::refuse_second_run("Graph");
    return *rehearsed_;
  }
  constexpr void require_rehearsed_node(int node) const {
    if (rehearsed().thread == nullptr) return;
    if (node < 0 || node >= rehearsed_nodes_) detail::refuse_node_that_the_graph_lacks();
  }
  // Inside a capture its launches are recorded.
  constexpr void rehearse_replay() const { detail::rehearse_nodes(rehearsed(), rehearsed_nodes_); }
  constexpr int replace(detail::recording&& recorded) {
    if (!detail::in_rehearsal()) return replace_now(std::move(recorded));
    rehearsed_nodes_ = recorded.nodes();
    return rehearsed_nodes_;
  }
  constexpr int replace(std::span<const int> nodes, detail::recording&& recorded) {
    if (!detail::in_rehearsal()) return replace_now(nodes, std::move(recorded));
    if (rehearsed().thread != nullptr && recorded.nodes() != static_cast<int>(nodes.size())) {
      detail::refuse_other_launches_than_the_nodes_have();
    }
    for (const int node : nodes) require_rehearsed_node(node);
    return recorded.nodes();
  }

  detail::owned<detail::graph_state> state_;
  const detail::rehearsed_device* rehearsed_ = nullptr;  // in a rehearsal
  int rehearsed_nodes_ = 0;
};

// Records every launch for `device` that the callable runs, starts or enqueues on this thread, instead of running it.
// Arguments come back at once, not computed. The host can neither read nor fill tensors of the device meanwhile, and
// launches of other devices and captures inside are refused: usage_error. When the callable throws, nothing has
// happened.
template <class F>
[[nodiscard]] constexpr Graph capture(const Device& device, TILEWRIGHT_CALLED F&& callable) {
  return Graph(detail::record(device, "capture()", std::forward<F>(callable)));
}

// How many launches the capture or update that this thread is in has recorded: the number of the next node. 0 outside.
TILEWRIGHT_API int recorded_launches();

// The same step by step. usage_error for whoever uses it after build().
class TILEWRIGHT_API TILEWRIGHT_OWNER GraphBuilder {
 public:
  constexpr explicit GraphBuilder(const Device& device) : recorded_(device) {}

  // Records the op, or each launch of a chain, and gives the arguments back, not computed. Throws usage_error; what
  // was added before stays.
  template <class R>
  constexpr R add(Op<R>&& op) {
    const detail::owned<detail::op_node<R>> node = std::move(op).release();
    detail::recording::scope scope(checked(), "GraphBuilder::add()");
    if (detail::in_rehearsal()) {
      node->rehearse();
    } else {
      enqueue(*node);
    }
    scope.keep();
    if (detail::in_rehearsal()) return detail::rehearsed_result(*node);
    return node->take();
  }
  template <class R>
  R add(Op<R, true>&& op) = delete;  // map() works on results, and nothing has run yet
  template <class... A>
  constexpr auto add(LentOp<A...>&& op) {
    detail::recording::scope scope(checked(), "GraphBuilder::add()");
    auto given = std::move(op).sync();
    scope.keep();
    return given;
  }

  // The launches of another graph as they are now; gives the number of the first one here. Later changes of `child` do
  // not reach this graph.
  constexpr int add(const Graph& child) {
    detail::recording::scope scope(checked(), "GraphBuilder::add()");
    const int first = nodes();
    if (detail::in_rehearsal()) {
      child.rehearse_replay();
    } else {
      recorded_.add(child.checked());
    }
    scope.keep();
    return first;
  }

  constexpr int nodes() const {
    recorded_.require("GraphBuilder");
    return recorded_.nodes();
  }
  [[nodiscard]] constexpr Graph build() && { return Graph(detail::recording(std::move(checked()))); }
  Graph build() & = delete;

 private:
  constexpr detail::recording& checked() {
    recorded_.require("GraphBuilder");
    return recorded_;
  }
  static void enqueue(detail::op_work& work) {
    detail::enqueued_range range;
    work.enqueue(detail::thread_stream(work.device()), range);
  }

  detail::recording recorded_;
};

}  // namespace tilewright

TILEWRIGHT_END_OWNERS
