// SPDX-License-Identifier: Apache-2.0
#include "tilewright/runtime/scope.hpp"

#include <exception>
#include <string>
#include <vector>

#include "runtime/aliases.hpp"
#include "runtime/graph_recorder.hpp"
#include "runtime/planned_launch.hpp"
#include "runtime/scope_loans.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright {
namespace detail {

class scope_state {
 public:
  struct lent_part {
    const ast::module_view* module;
    std::size_t parameter;
    launch_argument given;
    bool is_written() const { return is_output(kind_of(module, parameter)); }
  };

  scope_state() : outer_(innermost_) { innermost_ = this; }
  scope_state(const scope_state&) = delete;
  scope_state& operator=(const scope_state&) = delete;
  ~scope_state() {
    (void)wait();
    innermost_ = outer_;
  }

  static scope_state* innermost() noexcept { return innermost_; }
  scope_state* outer() const noexcept { return outer_; }
  const std::vector<lent_part>& parts() const noexcept { return parts_; }
  bool is_of_this_thread() const noexcept {
    const scope_state* each = innermost_;
    while (each != nullptr && each != this) each = each->outer_;
    return each == this;
  }

  void add(launch_plan&& plan, stream_queue& stream, std::vector<lent_part> parts) {
    ranges_.reserve(ranges_.size() + 1);
    parts_.reserve(parts_.size() + parts.size());
    enqueued_range range;
    std::move(plan).enqueue(stream, range);
    ranges_.push_back(std::move(range));
    parts_.insert(parts_.end(), parts.begin(), parts.end());
  }

  // For all; gives the first failure. What is lent may be given back then.
  std::exception_ptr wait() noexcept {
    std::exception_ptr first;
    for (const enqueued_range& range : ranges_) {
      try {
        detail::wait(range);
      } catch (...) {
        if (!first) first = std::current_exception();
      }
    }
    ranges_.clear();
    parts_.clear();
    return first;
  }

 private:
  static thread_local scope_state* innermost_;

  scope_state* outer_;
  std::vector<enqueued_range> ranges_;
  std::vector<lent_part> parts_;
};

thread_local scope_state* scope_state::innermost_ = nullptr;

void destroy_hidden(scope_state* spent) noexcept { delete spent; }

namespace {

template <class Visit>
void each_lent_part(Visit visit) {
  for (const scope_state* each = scope_state::innermost(); each != nullptr; each = each->outer()) {
    for (const scope_state::lent_part& part : each->parts()) visit(part);
  }
}

[[noreturn]] void refuse(const scope_state::lent_part& part, std::string where, std::string got) {
  throw usage_error({.what = "a tensor is used while a scope has lent it",
                     .where = std::move(where),
                     .expected = "until the scope ends, no element shared with " + text_of(part.module) + ", " +
                                 describe(part.module, part.parameter, part.given),
                     .got = std::move(got),
                     .fix = "end the scope first, or use parts that share no element"});
}

[[noreturn]] void refuse_place(const char* what, const char* got, const char* fix) {
  throw usage_error({.what = what, .where = "Scope::start()", .expected = "its scope", .got = got, .fix = fix});
}

}  // namespace

void require_no_scope_loan(const ast::module_view* module, std::span<const launch_argument> arguments) {
  each_lent_part([&](const scope_state::lent_part& part) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const launch_argument& given = arguments[i];
      if (given.memory != part.given.memory) continue;
      if (!part.is_written() && !is_output(kind_of(module, i))) continue;
      if (overlap(region_of(given), region_of(part.given))) refuse(part, text_of(module), describe(module, i, given));
    }
  });
}

void require_no_scope_loan(const storage* memory, const char* what, bool is_written) {
  each_lent_part([&](const scope_state::lent_part& part) {
    if (part.given.memory != memory || (!is_written && !part.is_written())) return;
    refuse(
        part, what,
        std::string("the host ") + (is_written ? "writes" : "reads") + " a tensor of shape " + to_text(memory->shape));
  });
}

}  // namespace detail

detail::scope_state* Scope::make() { return new detail::scope_state; }

void Scope::wait() {
  if (const std::exception_ptr failure = state_->wait()) std::rethrow_exception(failure);
}

void Scope::enqueue(const detail::kernel_description& kernel, std::span<const detail::launch_argument> arguments,
                    std::span<const bool> is_lent, const Stream* chosen) {
  detail::require_outside_then("start()");
  if (!state_->is_of_this_thread()) {
    detail::refuse_place("a Scope was used on another thread", "another thread",
                         "open a scope on each thread that launches");
  }
  if (detail::graph_recorder::current() != nullptr) {
    detail::refuse_place("a launch of a Scope inside a capture", "a capture, in which nothing runs",
                         "capture the launch by sync()");
  }
  detail::launch_plan plan(kernel, arguments);
  std::vector<detail::scope_state::lent_part> parts;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (is_lent[i] && arguments[i].memory != nullptr) parts.push_back({kernel.module, i, arguments[i]});
  }
  detail::stream_queue& stream = chosen != nullptr ? chosen->queue() : detail::thread_stream(plan.device());
  state_->add(std::move(plan), stream, std::move(parts));
}

}  // namespace tilewright
