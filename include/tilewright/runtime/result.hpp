// SPDX-License-Identifier: Apache-2.0
// Result: what try_sync() and try_wait() give in place of throwing. Only what is nobody's mistake is kept in it
// (runtime_error, device_fault); a usage_error, or an exception of a function given to an op, is thrown as ever.
#pragma once

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "tilewright/base/error.hpp"
#include "tilewright/runtime/detail/owned.hpp"
#include "tilewright/runtime/misuse.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

namespace detail {

// A runtime_error or device_fault that was caught.
struct device_failure {
  std::exception_ptr thrown;
  const error* seen = nullptr;  // inside it
};
// In a catch block. Rethrows what is neither of the two.
TILEWRIGHT_API device_failure caught_device_failure();
[[noreturn]] TILEWRIGHT_API void refuse_value_that_was_taken_before();
[[noreturn]] TILEWRIGHT_API void refuse_error_of_work_that_did_not_fail();
inline void report_result_dropped_unseen() noexcept {
  report_misuse("a Result was dropped unseen; ask it whether the work failed");
}

struct no_value {};

// Set by const functions too, and when it moves away. In a rehearsal on the heap: g++ 12 reads no mutable member there.
class seen_mark {
 public:
  constexpr seen_mark() {
    if (in_rehearsal()) rehearsed_ = owned<bool>(new bool(false));
  }
  constexpr seen_mark(seen_mark&& other) noexcept : rehearsed_(std::move(other.rehearsed_)), is_set_(other.is_set_) {
    other.is_set_ = true;
  }
  seen_mark& operator=(seen_mark&&) = delete;

  constexpr void set() const {
    if (in_rehearsal()) {
      if (rehearsed_) *rehearsed_ = true;
    } else {
      is_set_ = true;
    }
  }
  constexpr bool is_set() const { return in_rehearsal() ? !rehearsed_ || *rehearsed_ : is_set_; }

 private:
  owned<bool> rehearsed_;
  mutable bool is_set_ = false;
};

}  // namespace detail

// Either a value or a failure. It must be looked at: by `if (result)`, value(), error() or arguments(); else the misuse
// handler is called.
template <class R>
class TILEWRIGHT_CAN_BE_SPENT TILEWRIGHT_MUST_RUN("a Result tells whether the work failed: look at it") Result {
  using stored = std::conditional_t<std::is_void_v<R>, detail::no_value, R>;

 public:
  using output = R;

  constexpr Result(Result&& other) noexcept
      : value_(std::move(other.value_)),
        arguments_(std::move(other.arguments_)),
        failure_(std::move(other.failure_)),
        seen_(std::move(other.seen_)) {}
  Result& operator=(Result&&) = delete;
  constexpr ~Result() {  // not for -Wconsumed to judge: who is lent a Result may look at it
    if (!seen_.is_set()) detail::report_result_dropped_unseen();
  }

  // No failure.
  constexpr explicit operator bool() const noexcept TILEWRIGHT_SPENDS {
    seen_.set();
    return !failure_;
  }
  // Throws the failure, if it is one. Once.
  constexpr R value() && TILEWRIGHT_SPENDS {
    seen_.set();
    if (failure_) std::rethrow_exception(failure_->thrown);
    if (!value_) detail::refuse_value_that_was_taken_before();
    stored taken = std::move(*value_);
    value_.reset();
    if constexpr (!std::is_void_v<R>) return taken;
  }
  R value() & = delete;
  // The failure; as long as this object lives. Throws usage_error when there is none.
  constexpr const tilewright::error& error() const& TILEWRIGHT_SPENDS {
    seen_.set();
    if (!failure_) detail::refuse_error_of_work_that_did_not_fail();
    return *failure_->seen;
  }
  const tilewright::error& error() && = delete;
  // After a failure: what the op would have given. Its inputs are as they were; who reads an output of a launch that
  // failed gets the failure again, until a launch or the host writes all of it anew. Nothing when there is no such
  // thing any more: behind map(), for a Task, and where a chain of then() broke before its last op.
  constexpr std::optional<stored> arguments() && TILEWRIGHT_SPENDS {
    seen_.set();
    return std::exchange(arguments_, std::nullopt);
  }
  std::optional<stored> arguments() & = delete;

  // For the runtime itself.
  constexpr explicit Result(stored&& value) : value_(std::move(value)) {}
  Result(detail::device_failure failure, std::optional<stored>&& arguments)
      : arguments_(std::move(arguments)), failure_(new detail::device_failure(std::move(failure))) {}

 private:
  std::optional<stored> value_, arguments_;
  detail::owned<detail::device_failure> failure_;  // none: the work did not fail
  detail::seen_mark seen_;
};

namespace detail {

// run() gives nothing, take() the value, rescue() what is left after a failure.
template <class R, class Run, class Take, class Rescue>
Result<R> result_of(Run run, Take take, Rescue rescue) {
  device_failure failure;
  try {
    run();
    if constexpr (std::is_void_v<R>) {
      take();
      return Result<R>(no_value());
    } else {
      return Result<R>(take());
    }
  } catch (...) {
    failure = caught_device_failure();
  }
  return Result<R>(std::move(failure), rescue());
}

}  // namespace detail

}  // namespace tilewright

TILEWRIGHT_END_OWNERS
