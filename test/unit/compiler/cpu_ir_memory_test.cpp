// SPDX-License-Identifier: Apache-2.0
// Lanes and memory of the IR builder. Masked accesses run at the end of a page that has none after it.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <numeric>

#include "support/cpu_code.hpp"

namespace tilewright::test {
namespace {

using builder = ir::module_builder;
using ir::scalar_type;
using ir::value;

// Memory that ends where a page starts which may not be touched.
class guarded_page {
 public:
  guarded_page() : size_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    void* mapped = mmap(nullptr, 2 * size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    first_ = static_cast<std::byte*>(mapped);
    if (mprotect(first_ + size_, size_, PROT_NONE) != 0) throw std::bad_alloc();
  }
  ~guarded_page() { munmap(first_, 2 * size_); }
  guarded_page(const guarded_page&) = delete;
  guarded_page& operator=(const guarded_page&) = delete;

  // The last `count` elements; all of the page is filled anew.
  template <class T>
  T* last(int count) {
    std::memset(first_, 0x5a, size_);
    T* const start = reinterpret_cast<T*>(first_ + size_) - count;
    for (int i = 0; i < count; ++i) start[i] = static_cast<T>(i + 1);
    return start;
  }

 private:
  std::size_t size_;
  std::byte* first_ = nullptr;
};

// The first `count` lanes, a number that only a run knows, or that the compiler knows.
value first_lanes(builder& code, int lanes, int known) {
  if (known >= 0) return code.lane_mask(lanes, known);
  const value numbers = code.lane_numbers({scalar_type::i64, lanes});
  return code.compare_integers(ir::compare::less, numbers, code.broadcast(code.first(), lanes));
}

template <class T>
class CpuIrMemory : public testing::Test {
 protected:
  // make(code, mask, offsets) for each number of lanes; then check(code, lanes, set lanes).
  template <class Make, class Check>
  void for_masks(const Make& make, const Check& check) {
    for (const int lanes : lane_counts) {
      const cpu_code at_run([&](builder& code) { make(code, lanes, first_lanes(code, lanes, -1)); });
      for (int set = 0; set <= lanes; ++set) {
        check(at_run, lanes, set);
        if (set > 1 && set + 1 < lanes) continue;
        check(cpu_code([&](builder& code) { make(code, lanes, first_lanes(code, lanes, set)); }), lanes, set);
      }
    }
  }
  guarded_page page_;
};
using element_types = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(CpuIrMemory, element_types);

TYPED_TEST(CpuIrMemory, MaskedLoad) {
  using T = TypeParam;
  this->for_masks(
      [](builder& code, int lanes, value mask) {
        store_buffer(code, 1, code.masked_load({scalar_of<T>(), lanes}, buffer(code, 0), mask, sizeof(T)));
      },
      [&](const cpu_code& code, int lanes, int set) {
        std::array<T, 16> result;
        result.fill(T{99});
        code.run({this->page_.template last<T>(set), result.data()}, set);
        for (int l = 0; l < lanes; ++l) {
          EXPECT_EQ(result[static_cast<std::size_t>(l)], l < set ? T(l + 1) : T{0}) << l << " of " << set;
        }
      });
}

TYPED_TEST(CpuIrMemory, MaskedStore) {
  using T = TypeParam;
  this->for_masks(
      [](builder& code, int lanes, value mask) {
        code.masked_store(load_buffer<T>(code, 1, lanes), buffer(code, 0), mask, sizeof(T));
      },
      [&](const cpu_code& code, int, int set) {
        std::array<T, 16> numbers;
        std::iota(numbers.begin(), numbers.end(), T{50});
        const T* stored = this->page_.template last<T>(set);
        const std::array<std::byte, 8> before = {};
        code.run({stored, numbers.data()}, set);
        EXPECT_TRUE(std::equal(stored, stored + set, numbers.begin())) << set << " lanes";
        std::array<std::byte, 8> filled;
        filled.fill(std::byte{0x5a});
        EXPECT_EQ(std::memcmp(reinterpret_cast<const std::byte*>(stored) - 8, filled.data(), before.size()), 0);
      });
}

// Lanes go backwards, two elements at a time; lanes that are not set point far away.
template <class T>
std::array<std::int64_t, 16> spread_offsets(int set) {
  std::array<std::int64_t, 16> offsets;
  for (int l = 0; l < 16; ++l) {
    offsets[static_cast<std::size_t>(l)] =
        l < set ? (2 * (set - 1 - l)) * static_cast<std::int64_t>(sizeof(T)) : std::int64_t{1} << (30 + l);
  }
  return offsets;
}

TYPED_TEST(CpuIrMemory, Gather) {
  using T = TypeParam;
  this->for_masks(
      [](builder& code, int lanes, value mask) {
        const value offsets = code.load({scalar_type::i64, lanes}, buffer(code, 2), 8);
        store_buffer(code, 1, code.gather({scalar_of<T>(), lanes}, buffer(code, 0), offsets, mask));
      },
      [&](const cpu_code& code, int lanes, int set) {
        std::array<T, 16> result;
        result.fill(T{99});
        code.run({this->page_.template last<T>(2 * set), result.data(), spread_offsets<T>(set).data()}, set);
        for (int l = 0; l < lanes; ++l) {
          EXPECT_EQ(result[static_cast<std::size_t>(l)], l < set ? T(2 * (set - 1 - l) + 1) : T{0}) << l;
        }
      });
}

TYPED_TEST(CpuIrMemory, Scatter) {
  using T = TypeParam;
  this->for_masks(
      [](builder& code, int lanes, value mask) {
        const value offsets = code.load({scalar_type::i64, lanes}, buffer(code, 2), 8);
        code.scatter(load_buffer<T>(code, 1, lanes), buffer(code, 0), offsets, mask);
      },
      [&](const cpu_code& code, int, int set) {
        std::array<T, 16> numbers;
        std::iota(numbers.begin(), numbers.end(), T{50});
        const T* stored = this->page_.template last<T>(2 * set);
        code.run({stored, numbers.data(), spread_offsets<T>(set).data()}, set);
        for (int n = 0; n < 2 * set; ++n) {
          EXPECT_EQ(stored[n], n % 2 == 0 ? T(50 + set - 1 - n / 2) : T(n + 1)) << n << " of " << set;
        }
      });
}

TEST(CpuIr, GathersAllLanesBySmallOffsets) {
  for (const int lanes : lane_counts) {
    const cpu_code code([&](builder& into) {
      const value offsets = into.load({scalar_type::i32, lanes}, buffer(into, 2), 4);
      const value found = into.gather({scalar_type::f32, lanes}, buffer(into, 0), offsets, {}, ir::memory::input);
      into.scatter(found, buffer(into, 1), offsets, {});
    });
    std::array<float, 31> from, to = {};
    std::iota(from.begin(), from.end(), -15.0F);
    std::array<std::int32_t, 16> offsets;
    for (int l = 0; l < 16; ++l) offsets[static_cast<std::size_t>(l)] = 4 * (l % 2 == 0 ? l : -l);
    code.run({from.data() + 15, to.data() + 15, offsets.data()});
    for (int n = 0; n < 31; ++n) {
      const int at = n - 15;
      const bool is_hit = at >= 0 ? at % 2 == 0 && at < lanes : at % 2 != 0 && -at < lanes;
      EXPECT_EQ(to[static_cast<std::size_t>(n)], is_hit ? static_cast<float>(at) : 0.0F) << at << ", " << lanes;
    }
  }
}

TEST(CpuIr, CopiesAndStoresAroundTheCache) {
  const cpu_code code([&](builder& into) {
    into.prefetch(into.bit_cast(into.integer(index_type, 8), pointer_type));  // an address of nothing is no fault
    into.copy_bytes(buffer(into, 1), buffer(into, 0), 203, 1);
    into.store(into.load({scalar_type::i32, 16}, buffer(into, 0), 1), buffer(into, 2), 64, true);
    into.store_fence();
  });
  std::array<std::byte, 256> from, copied = {};
  alignas(64) std::array<std::byte, 64> streamed = {};
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i);
  code.run({from.data(), copied.data(), streamed.data()});
  EXPECT_TRUE(std::equal(copied.begin(), copied.begin() + 203, from.begin()));
  EXPECT_EQ(copied[203], std::byte{0});
  EXPECT_TRUE(std::equal(streamed.begin(), streamed.end(), from.begin()));
}

// ---- Constants and lanes -------------------------------------------------------------------------------------------
template <class T>
std::vector<T> lanes_of(const std::function<value(builder&)>& make, int lanes) {
  const cpu_code code([&](builder& into) { store_buffer(into, 0, make(into)); });
  std::vector<T> result(static_cast<std::size_t>(lanes));
  code.run({result.data()});
  return result;
}

TEST(CpuIr, Constants) {
  using bytes = std::vector<std::int8_t>;
  EXPECT_EQ(lanes_of<std::int8_t>(
                [](builder& code) {
                  return code.integer({scalar_type::i8, 3}, 300);
                },
                3),
            (bytes{44, 44, 44}));
  EXPECT_EQ(lanes_of<float>(
                [](builder& code) {
                  return code.floating({scalar_type::f32, 3}, 0.1);
                },
                3),
            (std::vector<float>{0.1F, 0.1F, 0.1F}));
  EXPECT_EQ(lanes_of<std::int8_t>(
                [](builder& code) {
                  return code.lane_numbers({scalar_type::i8, 4});
                },
                4),
            (bytes{0, 1, 2, 3}));
  EXPECT_EQ(lanes_of<std::int8_t>([](builder& code) { return code.lane_mask(4, 3); }, 4), (bytes{1, 1, 1, 0}));
  const std::array<std::int64_t, 3> numbers = {-1, 256, 5};
  EXPECT_EQ(lanes_of<std::int8_t>(
                [&](builder& code) {
                  return code.constant_lanes({scalar_type::i8, 3}, numbers);
                },
                3),
            (bytes{-1, 0, 5}));
}

TEST(CpuIr, TellsConstantsFromOthers) {
  builder code("run");
  std::int64_t number = 0;
  EXPECT_TRUE(code.constant_value(code.integer({scalar_type::i32, 4}, -7), number));
  EXPECT_EQ(number, -7);
  EXPECT_TRUE(code.constant_value(code.add(code.integer(index_type, 2), code.integer(index_type, 3)), number));
  EXPECT_EQ(number, 5);
  EXPECT_FALSE(code.constant_value(code.first(), number));
  EXPECT_FALSE(code.constant_value(code.lane_numbers({scalar_type::i32, 4}), number));
  EXPECT_FALSE(code.constant_value(code.floating({scalar_type::f32, 1}, 1), number));
  for (const scalar_type scalar :
       {scalar_type::i1, scalar_type::i8, scalar_type::i16, scalar_type::i32, scalar_type::i64, scalar_type::f16,
        scalar_type::f32, scalar_type::f64, scalar_type::pointer}) {
    for (const int lanes : lane_counts) {
      EXPECT_EQ(code.type_of(code.undefined({scalar, lanes})), (ir::type{scalar, lanes}));
    }
  }
}

TEST(CpuIr, MovesLanes) {
  for (const int lanes : lane_counts) {
    const cpu_code code([&](builder& into) {
      const value v = load_buffer<float>(into, 0, lanes);
      std::vector<int> backwards, doubled;
      for (int l = 0; l < lanes; ++l) backwards.push_back(lanes - 1 - l);
      for (int l = 0; l < 2 * lanes; ++l) doubled.push_back(l);
      store_buffer(into, 1, into.shuffle(v, {}, backwards));
      store_buffer(into, 2, into.shuffle(v, into.float_negate(v), doubled));
      const value last = into.lane(v, lanes - 1);
      store_buffer(into, 3, into.with_lane(into.broadcast(last, lanes), into.floating({scalar_type::f32, 1}, 9), 0));
      const value pair = into.shuffle(last, into.lane(v, 0), std::array{0, 1});
      store_buffer(into, 4, into.shuffle(pair, {}, std::array{1}));
    });
    std::array<float, 16> from;
    std::iota(from.begin(), from.end(), 1.0F);
    std::array<std::array<float, 32>, 4> results = {};
    code.run({from.data(), results[0].data(), results[1].data(), results[2].data(), results[3].data()});
    for (int l = 0; l < lanes; ++l) {
      const auto n = static_cast<std::size_t>(l);
      EXPECT_EQ(results[0][n], static_cast<float>(lanes - l));
      EXPECT_EQ(results[1][n], static_cast<float>(l + 1));
      EXPECT_EQ(results[1][n + static_cast<std::size_t>(lanes)], static_cast<float>(-l - 1));
      EXPECT_EQ(results[2][n], l == 0 ? 9.0F : static_cast<float>(lanes));
    }
    EXPECT_EQ(results[3][0], 1.0F);
  }
}

TEST(CpuIr, AsksAllLanes) {
  for (const int lanes : lane_counts) {
    const cpu_code code([&](builder& into) {
      const value mask = load_buffer<bool>(into, 0, lanes);
      store_buffer(into, 1, into.any_lane(mask));
      store_buffer(into, 2, into.all_lanes(mask));
    });
    for (int set = 0; set <= lanes; ++set) {
      std::array<bool, 16> mask = {};
      for (int l = 0; l < set; ++l) mask[static_cast<std::size_t>((l + 2) % lanes)] = true;
      bool any = set == 0, all = set != lanes;
      code.run({mask.data(), &any, &all});
      EXPECT_EQ(any, set > 0) << set << " of " << lanes;
      EXPECT_EQ(all, set == lanes) << set << " of " << lanes;
    }
  }
}

}  // namespace
}  // namespace tilewright::test
