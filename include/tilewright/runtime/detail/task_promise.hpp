// SPDX-License-Identifier: Apache-2.0
// The typed side of a Task's coroutine: its result, what it may await, and which parameters it may have.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tilewright/runtime/detail/task_frame.hpp"
#include "tilewright/runtime/op.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {
template <class R>
class Task;
}

namespace tilewright::detail {

template <class R>
class task_promise;

// A coroutine, destroyed with this.
template <class R>
class task_owner {
 public:
  task_owner() = default;
  explicit task_owner(task_promise<R>& promise) : promise_(&promise) {}
  task_owner(task_owner&& other) noexcept : promise_(std::exchange(other.promise_, nullptr)) {}
  task_owner& operator=(task_owner&& other) noexcept {
    std::swap(promise_, other.promise_);
    return *this;
  }
  ~task_owner() {
    if (promise_ != nullptr) promise_->handle.destroy();
  }
  explicit operator bool() const { return promise_ != nullptr; }
  task_promise<R>& promise() const { return *promise_; }
  task_promise<R>& release() { return *std::exchange(promise_, nullptr); }

 private:
  task_promise<R>* promise_ = nullptr;
};

class root_owner {
 public:
  explicit root_owner(task_root* root) : root_(root) {}
  root_owner(root_owner&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
  root_owner& operator=(root_owner&&) = delete;
  ~root_owner() {
    if (root_ != nullptr) detail::release(*root_);
  }
  task_root& operator*() const { return *root_; }

 private:
  task_root* root_;
};

// ---- Awaiting ------------------------------------------------------------------------------------------------------
template <class R>
class node_await {
 public:
  void await_suspend(std::coroutine_handle<>) noexcept { work_.suspend(); }
  R await_resume() {
    work_.finish();
    return node_->take();
  }

 protected:
  node_await(task_frame& waiting, owned<op_node<R>> node, enqueued_range&& flying)
      : node_(std::move(node)), work_(waiting, std::move(flying)) {}

  owned<op_node<R>> node_;
  work_await work_;
};

template <class R>
class op_await final : public node_await<R> {
 public:
  op_await(task_frame& waiting, owned<op_node<R>> node) : node_await<R>(waiting, std::move(node), {}) {}
  bool await_ready() { return this->work_.start(*this->node_); }
};

template <class R>
class flight_await final : public node_await<R> {
 public:
  flight_await(task_frame& waiting, std::pair<owned<op_node<R>>, enqueued_range>&& flying)
      : node_await<R>(waiting, std::move(flying.first), std::move(flying.second)) {}
  bool await_ready() { return this->work_.look(); }
};

template <class R>
class task_await {
 public:
  task_await(task_frame& waiting, task_owner<R>&& part) : part_(std::move(part)), join_{&waiting, 1} {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) noexcept { start_part(part_.promise(), *join_.waiting, join_); }
  R await_resume() { return part_.promise().take(); }

 private:
  task_owner<R> part_;
  task_join join_;
};

template <class... R>
struct TILEWRIGHT_MUST_USE("tasks do nothing until they are awaited") task_tuple {
  std::tuple<Task<R>...> tasks;
};
template <class R>
struct TILEWRIGHT_MUST_USE("tasks do nothing until they are awaited") task_list {
  std::vector<Task<R>> tasks;
};

template <class R>
auto taken_as_tuple(task_promise<R>& ended) {
  if constexpr (std::is_void_v<R>) {
    ended.take();
    return std::tuple<>();
  } else {
    return std::tuple<R>(ended.take());
  }
}

template <class... R>
class tuple_await {
 public:
  tuple_await(task_frame& waiting, task_tuple<R...>&& all)
      : parts_(std::apply([](auto&... task) { return std::tuple<task_owner<R>...>(std::move(task).release()...); },
                          all.tasks)),
        join_{&waiting, sizeof...(R)} {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) noexcept {
    const task_frame& whole = *join_.waiting;
    std::apply([&](auto&... part) { (start_part(part.promise(), whole, join_), ...); }, parts_);
  }
  auto await_resume() {
    return std::apply([](auto&... part) { return in_order({}, part.promise()...); }, parts_);
  }

 private:
  // Arguments of a function are evaluated in any order, the first failure is that of the first part.
  template <class Done>
  static auto in_order(Done done) {
    return done;
  }
  template <class... Done, class First, class... Rest>
  static auto in_order(std::tuple<Done...>&& done, task_promise<First>& first, task_promise<Rest>&... rest) {
    auto taken = taken_as_tuple(first);
    return in_order(std::tuple_cat(std::move(done), std::move(taken)), rest...);
  }

  std::tuple<task_owner<R>...> parts_;
  task_join join_;
};

template <class R>
class list_await {
 public:
  list_await(task_frame& waiting, task_list<R>&& all) : join_{&waiting, all.tasks.size()} {
    parts_.reserve(all.tasks.size());
    for (Task<R>& task : all.tasks) parts_.push_back(std::move(task).release());
  }
  bool await_ready() const noexcept { return parts_.empty(); }
  void await_suspend(std::coroutine_handle<>) noexcept {
    const task_frame& whole = *join_.waiting;
    for (const task_owner<R>& part : parts_) start_part(part.promise(), whole, join_);
  }
  auto await_resume() {
    if constexpr (std::is_void_v<R>) {
      for (const task_owner<R>& part : parts_) part.promise().take();
    } else {
      std::vector<R> values;
      values.reserve(parts_.size());
      for (const task_owner<R>& part : parts_) values.push_back(part.promise().take());
      return values;
    }
  }

 private:
  std::vector<task_owner<R>> parts_;
  task_join join_;
};

// ---- The promise ---------------------------------------------------------------------------------------------------
template <class R>
struct task_value : task_frame {
  void return_value(R value) { value_.emplace(std::move(value)); }
  R take() {
    if (failure) std::rethrow_exception(failure);
    return std::move(*value_);
  }

 private:
  std::optional<R> value_;
};
template <>
struct task_value<void> : task_frame {
  void return_void() noexcept {}
  void take() const {
    if (failure) std::rethrow_exception(failure);
  }
};

struct task_end {
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
    finish(ended.promise());
  }
  void await_resume() const noexcept {}
};

template <class R>
class task_promise final : public task_value<R> {
 public:
  Task<R> get_return_object() noexcept {
    this->handle = std::coroutine_handle<task_promise>::from_promise(*this);
    return Task<R>(task_owner<R>(*this));
  }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  task_end final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { this->failure = std::current_exception(); }

  template <class V, bool IsMapped>
  op_await<V> await_transform(Op<V, IsMapped>&& op) {
    return op_await<V>(*this, std::move(op).release());
  }
  template <class V>
  flight_await<V> await_transform(InFlight<V>&& flying) {
    return flight_await<V>(*this, std::move(flying).release());
  }
  template <class V>
  task_await<V> await_transform(Task<V>&& task) {
    return task_await<V>(*this, std::move(task).release());
  }
  template <class... V>
  tuple_await<V...> await_transform(task_tuple<V...>&& all) {
    return tuple_await<V...>(*this, std::move(all));
  }
  template <class V>
  list_await<V> await_transform(task_list<V>&& all) {
    return list_await<V>(*this, std::move(all));
  }
  template <class Other>
  std::suspend_never await_transform(Other&&) {
    static_assert(sizeof(Other) == 0,
                  "co_await in a Task takes an Op, an InFlight, a Task or when_all(), given up by std::move; a launch "
                  "that borrows its arguments only runs by sync()");
    return {};
  }
};

template <class R, class Run>
Result<R> result_of_task(Run run, task_promise<R>& promise) {
  return result_of<R>(
      run, [&] { return promise.take(); },
      [] { return std::optional<std::conditional_t<std::is_void_v<R>, no_value, R>>(); });
}

// ---- Parameters ----------------------------------------------------------------------------------------------------
template <class T>
inline constexpr bool is_view = false;
template <class T, std::size_t Extent>
inline constexpr bool is_view<std::span<T, Extent>> = true;
template <class Char, class Traits>
inline constexpr bool is_view<std::basic_string_view<Char, Traits>> = true;
template <class T>
inline constexpr bool is_loan = Loan<T>;
template <class T>
inline constexpr bool is_loan<TensorSlice<T>> = true;

template <class T>
struct task_parameter {
  static_assert(
      !std::is_reference_v<T>,
      "a Task's coroutine takes its parameters by value, as what a reference names could be gone when it goes "
      "on; for the same reason it is a free function, not a lambda or a member");
  static_assert(!std::is_pointer_v<T>,
                "a Task's coroutine takes no pointer, as what it names could be gone when the coroutine goes on: pass "
                "the value itself");
  static_assert(!is_view<std::remove_cv_t<T>>,
                "a Task's coroutine takes no view, as its elements could be gone when the coroutine goes on: pass the "
                "container itself");
  static_assert(!is_loan<std::remove_cvref_t<T>>,
                "a Task's coroutine takes no loan, which lives for one expression: give the tensor, or share it");
  static constexpr bool is_checked = true;
};

template <class R, class... Parameters>
struct checked_promise {
  static_assert(std::is_void_v<R> || (std::is_object_v<R> && !std::is_pointer_v<R> && !is_view<R>),
                "a Task gives a value; what a reference, pointer or view names could be gone");
  static_assert((task_parameter<Parameters>::is_checked && ... && true));
  using type = task_promise<R>;
};

}  // namespace tilewright::detail

TILEWRIGHT_END_OWNERS
