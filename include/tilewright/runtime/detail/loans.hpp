// SPDX-License-Identifier: Apache-2.0
// What a Tensor knows of being lent.
#pragma once

#include <utility>

#include "tilewright/runtime/detail/overlap.hpp"
#include "tilewright/runtime/detail/storage.hpp"
#include "tilewright/runtime/misuse.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright::detail {

inline void report_tensor_destroyed_while_lent() noexcept {
  report_misuse("a Tensor was destroyed while it is lent; run the borrowing launch first");
}

// Marks a tensor as lent while it exists.
class loan {
 public:
  constexpr loan() = default;  // of nothing
  [[gnu::always_inline]] constexpr explicit loan(ownership* memory) : memory_(memory) {
    ++memory_->loans;
    memory_->is_lent = true;
    touch(memory_);
  }
  // Says again that the tensor is lent: the optimiser follows the last store, if little comes after it.
  [[gnu::always_inline]] constexpr loan(loan&& other) noexcept : memory_(other.memory_) {
    other.memory_ = nullptr;
    if (memory_ != nullptr) memory_->is_lent = true;
  }
  loan& operator=(loan&&) = delete;
  [[gnu::always_inline]] constexpr ~loan() {
    if (memory_ == nullptr) return;
    memory_->is_lent = --memory_->loans != 0;
    if (memory_->is_orphan && !memory_->is_lent) release(memory_);
  }
  constexpr ownership* memory() const { return memory_; }

 private:
  ownership* memory_ = nullptr;
};

// Who a tensor, or a part of it, is lent to. All of one memory are linked, so that a launch can be compared with loans
// that live on: those with names, and those of launches that have not run.
struct loan_record {
  layout part;
  bool is_part = false;  // else all of the memory, whatever its shape
  bool is_writer = false;
  bool counts = true;  // not for the launch that it is of, nor when that has run
  loan_record *next = nullptr, *before = nullptr;

  constexpr void link(ownership* memory) {
    next = memory->records;
    before = nullptr;
    if (next != nullptr) next->before = this;
    memory->records = this;
  }
  constexpr void unlink(ownership* memory) const {
    if (next != nullptr) next->before = before;
    (before != nullptr ? before->next : memory->records) = next;
  }
  constexpr layout seen(const ownership* memory) const { return is_part ? part : dense_layout(memory->shape); }
};

// A tensor, or the part of it that `part` sees, lent to a reader or to a writer. The loan comes last, see there.
class lent_view {
 public:
  [[gnu::always_inline]] constexpr lent_view(ownership* memory, bool is_writer)
      : record_{.part = {}, .is_writer = is_writer}, loan_(memory) {
    link();
  }
  [[gnu::always_inline]] constexpr lent_view(loan&& lent, const layout& part, bool is_writer)
      : record_{.part = part, .is_part = true, .is_writer = is_writer}, loan_(std::move(lent)) {
    link();
  }
  [[gnu::always_inline]] constexpr lent_view(lent_view&& other) : record_(other.record()), loan_(other.unlinked()) {
    link();
  }
  lent_view& operator=(lent_view&&) = delete;
  [[gnu::always_inline]] constexpr ~lent_view() {
    if (loan_.memory() != nullptr) record().unlink(loan_.memory());
    if (in_rehearsal()) delete rehearsed_;
  }

  constexpr ownership* memory() const { return loan_.memory(); }
  constexpr layout seen() const { return record().seen(loan_.memory()); }
  constexpr void set_counts(bool counts) { record().counts = counts; }
  // With loans that count. Throws usage_error.
  constexpr void require_no_conflict() const {
    for (const loan_record* other = memory()->records; other != nullptr; other = other->next) {
      if (!other->counts || !(record().is_writer || other->is_writer)) continue;
      const layout here = seen(), there = other->seen(memory());
      if (overlap(region_of(here), region_of(there))) refuse_launch_while_lent_to_others();
    }
  }

 private:
  // In place; g++ 12 cannot link objects in place while it compiles.
  constexpr loan_record& record() { return in_rehearsal() ? *rehearsed_ : record_; }
  constexpr const loan_record& record() const { return in_rehearsal() ? *rehearsed_ : record_; }
  [[gnu::always_inline]] constexpr void link() {
    if (in_rehearsal()) rehearsed_ = new loan_record(record_);
    record().link(loan_.memory());
  }
  constexpr loan&& unlinked() {
    if (loan_.memory() == nullptr) refuse_use_after_give("loan");
    record().unlink(loan_.memory());
    return std::move(loan_);
  }

  loan_record record_;
  loan_record* rehearsed_ = nullptr;
  loan loan_;
};

constexpr void require_not_lent_to_writer(const ownership& memory) {
  for (const loan_record* record = memory.records; record != nullptr; record = record->next) {
    if (record->is_writer && record->counts) refuse_read_while_lent_to_a_writer();
  }
}

}  // namespace tilewright::detail

TILEWRIGHT_END_OWNERS
