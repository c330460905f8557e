// SPDX-License-Identifier: Apache-2.0
// A queue in one array that grows when it is full and then stays: where entries come and go all the time, nothing is
// allocated once it is warm. For small values without owners.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace tilewright::detail {

template <class T>
class ring {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  const T& front() const { return items_[first_]; }
  void pop_front() {
    first_ = (first_ + 1) % items_.size();
    --count_;
  }
  // Throws bad_alloc; the ring is then as before.
  void push_back(const T& item) {
    if (count_ == items_.size()) grow();
    items_[(first_ + count_) % items_.size()] = item;
    ++count_;
  }

 private:
  void grow() {
    std::vector<T> larger(items_.empty() ? 16 : 2 * items_.size());
    for (std::size_t i = 0; i < count_; ++i) larger[i] = items_[(first_ + i) % items_.size()];
    items_.swap(larger);
    first_ = 0;
  }

  std::vector<T> items_;
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace tilewright::detail
