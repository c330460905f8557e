// SPDX-License-Identifier: Apache-2.0
// Memory between two pages that may not be touched: an access that leaves it ends the test with a signal.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace tilewright::test {

enum class lies { after_guard, before_guard };  // which end of the memory is the exact one

class guarded_memory {
 public:
  explicit guarded_memory(std::size_t bytes, lies where = lies::before_guard) : size_(bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inside = (bytes + page - 1) / page * page;
    mapped_ = inside + 2 * page;
    void* start = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) std::abort();
    start_ = static_cast<std::byte*>(start);
    if (inside != 0 && mprotect(start_ + page, inside, PROT_READ | PROT_WRITE) != 0) std::abort();
    data_ = start_ + page + (where == lies::before_guard ? inside - bytes : 0);
  }
  ~guarded_memory() { munmap(start_, mapped_); }
  guarded_memory(const guarded_memory&) = delete;
  guarded_memory& operator=(const guarded_memory&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  void fill(std::uint8_t pattern) const { std::memset(data_, pattern, size_); }

 private:
  std::size_t size_, mapped_ = 0;
  std::byte *start_ = nullptr, *data_ = nullptr;
};

}  // namespace tilewright::test
