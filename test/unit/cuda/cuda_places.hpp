// SPDX-License-Identifier: Apache-2.0
// Where the tests of the CUDA runtime run: always on the fake driver, and on the first GPU of a machine that has one.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <memory>
#include <ostream>
#include <thread>

#include "runtime/cuda/cuda_engine.hpp"
#include "support/fake_cuda_device.hpp"
#include "support/test_device.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace tilewright::test {

// A thread keeps its stream of a device until it ends; a device of the fake driver ends with its test. So the test
// runs on a thread that ends first.
template <class Body>
void on_own_thread(Body body) {
  std::exception_ptr failure;
  std::thread([&] {
    try {
      body();
    } catch (...) {
      failure = std::current_exception();
    }
  }).join();
  if (failure) std::rethrow_exception(failure);
}

// A device on a fake driver of its own. At its end nothing may be left, and no rule broken.
class fake_place {
 public:
  explicit fake_place(int devices = 1) : driver(devices), engine(std::make_unique<fake_cuda_engine>(driver)) {}
  fake_place(const fake_place&) = delete;
  fake_place& operator=(const fake_place&) = delete;
  ~fake_place() {
    engine.reset();
    EXPECT_EQ(driver.faults(), std::vector<std::string>{});
    EXPECT_EQ(driver.leaks(), std::vector<std::string>{});
  }

  Device device() { return Device(*engine); }

  fake_driver driver;
  std::unique_ptr<fake_cuda_engine> engine;
};

enum class place { fake, delayed_fake, driver };
inline void PrintTo(place printed, std::ostream* out) {
  *out << (printed == place::fake ? "fake" : printed == place::delayed_fake ? "delayed_fake" : "driver");
}

class OnCuda : public testing::TestWithParam<place> {
 protected:
  void SetUp() override {
    const test_back_end where = GetParam() == place::driver ? test_back_end::gpu : test_back_end::interp;
    if (const char* why = why_missing(where)) GTEST_SKIP() << why;
  }

  // Runs body(device).
  template <class Body>
  void on_device(Body body) {
    if (GetParam() == place::driver) return on_own_thread([&] { body(test_device(test_back_end::gpu)); });
    fake_place here;
    here.driver.set_delayed(GetParam() == place::delayed_fake);
    on_own_thread([&] { body(here.device()); });
  }
};

}  // namespace tilewright::test
