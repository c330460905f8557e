// SPDX-License-Identifier: Apache-2.0
// The few macros of the project: symbol visibility, and what lets compilers see misuse of tensors and ops.
#pragma once

#define TILEWRIGHT_VERSION_MAJOR 0
#define TILEWRIGHT_VERSION_MINOR 1
#define TILEWRIGHT_VERSION_PATCH 0

// Marks what the shared library exports; the default visibility of our builds is hidden.
#define TILEWRIGHT_API __attribute__((visibility("default")))

// ---- Ownership checks while C++ compiles ---------------------------------------------------------------------------
// A type whose values must not be dropped; one whose variables must be mentioned too. (Macros because clang-format 14
// takes a class head with an attribute that has a text for something else.)
#define TILEWRIGHT_MUST_USE(text) [[nodiscard(text)]]
#if defined(__clang__)
#define TILEWRIGHT_MUST_RUN(text) [[nodiscard(text), gnu::warn_unused, clang::annotate("tilewright::must_run")]]
// For twcheck alone: a type that is spent by &&, but cannot be consumable, as clang loses its state in calls that take
// it by name; a type that holds loans; a parameter whose loans the object of the call keeps; a parameter that the
// function calls, once, before it returns; a member function that needs its object to be the only owner.
#define TILEWRIGHT_OWNER [[clang::annotate("tilewright::owner")]]
#define TILEWRIGHT_HOLDS_LOANS [[clang::annotate("tilewright::loan")]]
#define TILEWRIGHT_HELD [[clang::annotate("tilewright::held")]]
#define TILEWRIGHT_CALLED [[clang::annotate("tilewright::called")]]
#define TILEWRIGHT_SOLE_OWNER [[clang::annotate("tilewright::sole_owner")]]
#else
#define TILEWRIGHT_MUST_RUN(text) [[nodiscard(text), gnu::warn_unused]]
#define TILEWRIGHT_OWNER
#define TILEWRIGHT_HOLDS_LOANS
#define TILEWRIGHT_HELD
#define TILEWRIGHT_CALLED
#define TILEWRIGHT_SOLE_OWNER
#endif

// Annotations of owners, for clang -Wconsumed: a type whose objects can be spent; functions that need one which is not
// spent; functions that spend it (without &&: it owes nothing afterwards); functions that renew it; a destructor that
// wants it spent.
#if defined(__clang__)
#define TILEWRIGHT_CAN_BE_SPENT [[clang::consumable(unconsumed)]]
#define TILEWRIGHT_UNSPENT __attribute__((callable_when("unconsumed", "unknown")))
#define TILEWRIGHT_SPENDS __attribute__((set_typestate(consumed)))
#define TILEWRIGHT_RENEWS __attribute__((set_typestate(unconsumed)))
#define TILEWRIGHT_WANTS_SPENT __attribute__((callable_when("consumed", "unknown")))
// A parameter that is unspent when the function is called, and again when it returns.
#define TILEWRIGHT_KEEPS __attribute__((param_typestate(unconsumed), return_typestate(unconsumed)))
#define TILEWRIGHT_LIFETIME_BOUND [[clang::lifetimebound]]
#define TILEWRIGHT_VIEW [[gsl::Pointer]]  // a type that points into its arguments
// Around the bodies of owners, which handle spent objects on purpose. Their callers are checked all the same.
#define TILEWRIGHT_BEGIN_OWNERS                                                       \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wconsumed\"") \
      _Pragma("clang diagnostic ignored \"-Wdangling\"")
#define TILEWRIGHT_END_OWNERS _Pragma("clang diagnostic pop")
#else
#define TILEWRIGHT_CAN_BE_SPENT
#define TILEWRIGHT_UNSPENT
#define TILEWRIGHT_SPENDS
#define TILEWRIGHT_RENEWS
#define TILEWRIGHT_WANTS_SPENT
#define TILEWRIGHT_KEEPS
#define TILEWRIGHT_LIFETIME_BOUND
#define TILEWRIGHT_VIEW
#define TILEWRIGHT_BEGIN_OWNERS
#define TILEWRIGHT_END_OWNERS
#endif

// Annotations of loans, for clang -Wthread-safety-analysis, whose capabilities behave as borrows do.
#if defined(__clang__) && __clang_major__ >= 21
#define TILEWRIGHT_LOAN(...) __attribute__((__VA_ARGS__))
#define TILEWRIGHT_LOAN_TYPE [[clang::scoped_lockable]]
#define TILEWRIGHT_LOAN_KIND(name) [[clang::capability(name)]]
#define TILEWRIGHT_LOAN_KIND_OF_MANY(name) [[clang::capability(name)]] [[clang::reentrant_capability]]
#else
#define TILEWRIGHT_LOAN(...)
#define TILEWRIGHT_LOAN_TYPE
#define TILEWRIGHT_LOAN_KIND(name)
#define TILEWRIGHT_LOAN_KIND_OF_MANY(name)
#endif

// Where the optimiser can prove that `condition` holds at a call, the call is an error with the text of `refusal`, a
// function declared by TILEWRIGHT_REFUSAL. Off without optimisation, and with TILEWRIGHT_NO_OWNERSHIP_CHECKS.
#if defined(__OPTIMIZE__) && !defined(TILEWRIGHT_NO_OWNERSHIP_CHECKS)
#define TILEWRIGHT_REFUSAL(refusal, text) __attribute__((error(text))) void refusal()
#define TILEWRIGHT_REFUSE_IF(condition, refusal)                     \
  do {                                                               \
    if (__builtin_constant_p(condition) && (condition)) (refusal)(); \
  } while (false)
#else
#define TILEWRIGHT_REFUSAL(refusal, text) void refusal()
#define TILEWRIGHT_REFUSE_IF(condition, refusal) static_cast<void>(0)
#endif
