// SPDX-License-Identifier: Apache-2.0
// Whatever call of the driver fails in a scope, and however its function ends: the scope is left when all is done,
// nothing is lent any more, what was read is as it was, and of each output it is known what it holds.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "unit/cuda/cuda_places.hpp"
#include "unit/runtime/faulting_kernels.hpp"

namespace tilewright::test {
namespace {

struct interrupted {};
enum class ending { returns, throws, faults };
void PrintTo(ending printed, std::ostream* out) {
  *out << (printed == ending::returns ? "Returns" : printed == ending::throws ? "Throws" : "Faults");
}

// What a scope did, as its caller sees it.
struct scope_report {
  int started = 0;  // launches
  bool was_interrupted = false, has_fault = false, has_error = false;
};

// Tensors of a scope with five launches on two streams: the first two write parts of one tensor, the fourth is given
// what it writes, the fifth has a check.
class scope_of_five {
 public:
  explicit scope_of_five(const Device& device, ending how) : device_(device), how_(how) {
    picked_ = device.zeros<f32>({4});
  }

  scope_report run() {
    scope_report seen;
    try {
      scope([&](Scope& s) { launch(s, seen.started); });
    } catch (const interrupted&) {
      seen.was_interrupted = true;
    } catch (const device_fault&) {
      seen.has_fault = true;
    } catch (const runtime_error& error) {
      seen.has_error = true;
      EXPECT_FALSE(error.parts().fix.empty());
    }
    return seen;
  }

  bool is_done() const {
    const auto has_passed = [](const Stream& stream) {
      return stream.queue().has_passed(stream.queue().last_ticket());
    };
    return has_passed(device_.stream()) && has_passed(other_);
  }

  // Gives how many outputs are lost. The others hold what their launches computed, or what they held before.
  int check_outputs(int started) {
    EXPECT_EQ(x_.to_host(), std::vector<f32>(4, 5.0f)) << "what was read";
    const f32 head = started >= 1 ? 1.0f : 0.0f, tail = started >= 2 ? 6.0f : 0.0f;
    int lost = holds([&] { return z_.to_host(); }, {head, head, head, head, tail, tail, tail, tail});
    if (started >= 3) {
      lost += holds([&] { return std::vector<f32>(buffer_.span().begin(), buffer_.span().end()); },
                    std::vector<f32>(4, 5.0f));
    }
    if (given_) lost += holds([&] { return given_->to_host(); }, std::vector<f32>(4, 6.0f));
    lost += holds([&] { return picked_->to_host(); }, started >= 5 ? page_two : std::vector<f32>(4, 0.0f));
    return lost;
  }

  // Everything can be given away and written anew.
  void use_again() {
    auto [z, eight] = add_one(std::move(z_).partition({8}), device_.full<f32>({8}, 1.0f)).sync();
    EXPECT_EQ(z.to_host(), std::vector<f32>(8, 2.0f));
    auto [buffer, x] = copy(std::move(buffer_), std::move(x_)).sync();
    EXPECT_EQ(buffer.span()[3], 5.0f);
    auto [picked, pages, two] = pick_page(std::move(*picked_).partition({4}), pages_, page(device_, 2)).sync();
    EXPECT_EQ(picked.to_host(), page_two);
  }

 private:
  void launch(Scope& s, int& started) {
    auto [head, tail] = z_.split_at(0, 4);
    s.start(increment(head.partition({4})));
    started = 1;
    s.start_on(other_, add_one(tail.partition({4}), x_.borrow()));
    started = 2;
    s.start_on(other_, copy(buffer_.all(), x_.borrow()));
    started = 3;
    auto [given] = s.start(add_one(device_.empty<f32>({4}).partition({4}), x_.borrow()));
    given_ = std::move(given);
    started = 4;
    s.start(pick_page(picked_->partition({4}), pages_, page_));
    started = 5;
    if (how_ == ending::throws) throw interrupted();
  }

  template <class Read>
  int holds(Read read, const std::vector<f32>& expected) {
    try {
      EXPECT_EQ(read(), expected);
      return 0;
    } catch (const runtime_error&) {
    } catch (const device_fault&) {
      EXPECT_EQ(how_, ending::faults);
    }
    return 1;
  }

  const Device device_;
  const ending how_;
  const Stream other_ = device_.new_stream();
  Tensor<f32> z_ = device_.zeros<f32>({8}), x_ = device_.full<f32>({4}, 5.0f);
  HostBuffer<f32> buffer_ = device_.host_buffer<f32>({4});
  const Shared<f32> pages_ = pages_of(device_);
  const Shared<i32> page_ = page(device_, how_ == ending::faults ? 9 : 2);
  std::optional<Tensor<f32>> picked_, given_;
};

void expect_told(const scope_report& seen, int lost, ending how) {
  if (seen.started < 5) {
    EXPECT_TRUE(seen.has_error) << "thrown by start()";
    return;
  }
  EXPECT_EQ(seen.was_interrupted, how == ending::throws) << "what the function throws comes before what failed";
  EXPECT_TRUE(how != ending::returns || seen.has_error == (lost > 0));
  EXPECT_TRUE(how != ending::faults || (lost > 0 && (seen.has_fault || seen.has_error)));
}

class FailingScope : public testing::TestWithParam<std::tuple<ending, bool, cuda::result>> {};
INSTANTIATE_TEST_SUITE_P(That, FailingScope,
                         testing::Combine(testing::Values(ending::returns, ending::throws, ending::faults),
                                          testing::Bool(),
                                          testing::Values(cuda::result::not_supported, cuda::result::out_of_memory)),
                         [](const auto& each) {
                           return testing::PrintToString(std::get<0>(each.param)) +
                                  (std::get<1>(each.param) ? "Delayed" : "AtOnce") +
                                  std::to_string(static_cast<int>(std::get<2>(each.param)));
                         });

TEST_P(FailingScope, IsLeftWithNothingLentAndNothingUnknown) {
  const auto [how, is_delayed, code] = GetParam();
  int refused = 0, lost_some = 0;
  bool is_last = false;
  for (std::int64_t n = 1; !is_last && !HasFailure(); ++n) {
    SCOPED_TRACE("call " + std::to_string(n));
    fake_place here;
    here.driver.set_delayed(is_delayed);
    on_own_thread([&] {
      scope_of_five one(here.device(), how);
      const std::int64_t before = here.driver.calls();
      here.driver.fail_call(n, code);
      const scope_report seen = one.run();
      is_last = here.driver.calls() - before < n;
      here.driver.fail_call(0, code);  // never
      EXPECT_TRUE(one.is_done());
      const int lost = one.check_outputs(seen.started);
      expect_told(seen, lost, how);
      refused += seen.started < 5 ? 1 : 0;
      lost_some += lost > 0 ? 1 : 0;
      one.use_again();
    });
    here.device().release_cached_memory();
    EXPECT_EQ(here.device().memory().in_use_bytes, 0u);
  }
  EXPECT_GT(refused, 0);
  EXPECT_GT(lost_some, 0);
}

TEST(StartOfAScope, ThatThrowsLendsNothing) {
  fake_place here;
  on_own_thread([&] {
    const Device device = here.device();
    auto z = device.zeros<f32>({4});
    scope([&](Scope& s) {
      here.driver.fail_next("cuModuleLoadData", cuda::result::not_supported);
      EXPECT_THROW(s.start(increment(z.partition({4}))), driver_error);
      EXPECT_EQ(z.to_host(), std::vector<f32>(4, 0.0f));
      s.start(increment(z.partition({4})));
    });
    EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
  });
}

TEST(ScopeOfALostContext, IsLeftAtOnce) {
  fake_place here;
  here.driver.set_delayed(true);
  on_own_thread([&] {
    const Device device = here.device();
    auto z = device.zeros<f32>({4});
    EXPECT_THROW(scope([&](Scope& s) {
                   s.start(increment(z.partition({4})));
                   here.driver.lose_context(cuda::result::illegal_address);
                 }),
                 driver_error);
    EXPECT_THROW((void)z.to_host(), driver_error);
    auto given = std::move(z);  // nothing is lent any more
  });
  EXPECT_EQ(here.device().memory().in_use_bytes, 0u);
  here.driver.lose_context(cuda::result::success);  // so that the driver takes back what it would take at exit
}

}  // namespace
}  // namespace tilewright::test
