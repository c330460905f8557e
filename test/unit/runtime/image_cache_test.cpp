// SPDX-License-Identifier: Apache-2.0
// One compile per key, for threads and processes that come at the same time, and whatever the disk holds.
#include "runtime/image_cache.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>

#include "support/module_builder.hpp"
#include "tilewright/base/error.hpp"
#include "unit/runtime/child_process.hpp"
#include "unit/runtime/probe_image.hpp"
#include "unit/runtime/temporary_folder.hpp"

namespace tilewright::runtime {
namespace {

namespace fs = std::filesystem;
using compiler::target;
using test::probe_image;

// z = constant, over pieces of B elements.
class constant_kernel {
 public:
  explicit constant_kernel(double constant, int line = 1) {
    m_.at(line);
    const auto b = m_.symbol("B");
    const auto z = m_.out(dtype::f32, {b});
    m_.store(z, m_.constant(dtype::f32, {b}, constant));
    view_ = m_.view();
  }
  const ast::module_view& module() const { return view_; }

 private:
  test::module_builder m_;
  ast::module_view view_;
};

compiler::specialization special_of(index_t b) {
  compiler::specialization made;
  made.dims = {b};
  made.facts.resize(1);
  return made;
}

// A compiler whose objects are "OBJ" and the value of B; it counts what it is asked for.
struct counting_compiler {
  std::atomic<int> fronts{0}, emits{0}, loads{0};
  std::atomic<bool> fails{false}, refuses_loads{false};

  static std::vector<std::byte> object_of(index_t b) {
    const std::string text = "OBJ" + std::to_string(b);
    std::vector<std::byte> made(text.size());
    std::memcpy(made.data(), text.data(), text.size());
    return made;
  }
  static std::shared_ptr<const compiler::image> image_of(std::vector<std::byte> object) {
    return std::make_shared<probe_image>([](std::int64_t, std::byte*) {}, 0, std::move(object));
  }
  static index_t b_of(const compiler::program& source) { return source.parameters.at(0).piece.at(0); }

  kernel_compiler functions() {
    return {[this](const ast::module_view& module, const compiler::specialization& special) {
              ++fronts;
              return compiler::front(module, special);
            },
            [this](const compiler::program& source, target where) {
              if (fails) throw compile_error({.what = "no", .where = {}, .expected = {}, .got = {}, .fix = {}});
              ++emits;
              return image_of(where == target::interp ? std::vector<std::byte>() : object_of(b_of(source)));
            },
            [this](const compiler::program& source, target, std::span<const std::byte> object) {
              const std::vector<std::byte> copy(object.begin(), object.end());
              if (refuses_loads || copy != object_of(b_of(source))) {
                throw runtime_error({.what = "unusable", .where = {}, .expected = {}, .got = {}, .fix = {}});
              }
              ++loads;
              return image_of(copy);
            }};
  }
};

class ImageCache : public testing::Test {
 protected:
  test::temporary_folder temporary;
  constant_kernel ones{1.0};
  counting_compiler compiler_;
  disk_settings disk{.folder = temporary.path() / "images", .problem = {}};
  image_cache cache{disk, compiler_.functions()};

  std::size_t entries_on_disk() const {
    std::size_t found = 0;
    if (!fs::exists(disk.folder)) return 0;
    for (const auto& file : fs::directory_iterator(disk.folder)) found += file.path().extension() == ".image" ? 1 : 0;
    return found;
  }
};

// ---- In memory -----------------------------------------------------------------------------------------------------
TEST_F(ImageCache, CompilesAKernelOnce) {
  const compiled_kernel& first = cache.get(ones.module(), special_of(8), target::cpu);
  const compiled_kernel& second = cache.get(ones.module(), special_of(8), target::cpu);
  EXPECT_EQ(&first, &second);
  EXPECT_EQ(compiler_.fronts.load(), 1);
  EXPECT_EQ(compiler_.emits.load(), 1);
  EXPECT_EQ(first.program.parameters.size(), 1u);
  EXPECT_EQ(cache.statistics().emitted, 1);
}

TEST_F(ImageCache, KeepsWhatDiffersApart) {
  const constant_kernel twos(2.0);
  const auto* a = cache.get(ones.module(), special_of(8), target::cpu).image.get();
  const auto* b = cache.get(ones.module(), special_of(16), target::cpu).image.get();
  const auto* c = cache.get(twos.module(), special_of(8), target::cpu).image.get();
  const auto* d = cache.get(ones.module(), special_of(8), target::interp).image.get();
  EXPECT_EQ((std::set<const compiler::image*>{a, b, c, d}).size(), 4u);
  EXPECT_EQ(compiler_.emits.load(), 4);
}

TEST_F(ImageCache, SharesAnImageBetweenKernelsOfTheSameCodeButKeepsTheirLines) {
  const constant_kernel again(1.0, 77);
  const compiled_kernel& first = cache.get(ones.module(), special_of(8), target::cpu);
  const compiled_kernel& second = cache.get(again.module(), special_of(8), target::cpu);
  EXPECT_EQ(first.image, second.image);
  EXPECT_EQ(first.program.module, &ones.module());
  EXPECT_EQ(second.program.module, &again.module());
  EXPECT_EQ(compiler_.emits.load(), 1);
  EXPECT_EQ(&cache.get(ones.module(), special_of(8), target::cpu), &first);
}

TEST_F(ImageCache, HoldsMoreKernelsThanItHasBuckets) {
  image_cache in_memory({}, compiler_.functions());
  std::vector<const compiled_kernel*> made;
  for (index_t b = 1; b <= 2048; ++b) made.push_back(&in_memory.get(ones.module(), special_of(b), target::interp));
  for (index_t b = 1; b <= 2048; ++b) {
    ASSERT_EQ(&in_memory.get(ones.module(), special_of(b), target::interp), made[static_cast<std::size_t>(b - 1)]);
  }
  EXPECT_EQ(compiler_.emits.load(), 2048);
}

TEST_F(ImageCache, CompilesOnceForManyThreads) {
  constexpr int threads = 16, kernels = 8;
  std::vector<std::thread> running;
  std::array<std::array<const compiled_kernel*, kernels>, threads> got{};
  for (std::size_t t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      for (std::size_t k = 0; k < kernels; ++k) {
        const std::size_t which = (k + t) % kernels;  // they meet at different kernels
        got[t][which] = &cache.get(ones.module(), special_of(static_cast<index_t>(which) + 1), target::cpu);
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(compiler_.emits.load(), kernels);
  EXPECT_EQ(compiler_.fronts.load(), kernels);
  for (const auto& of_thread : got) EXPECT_EQ(of_thread, got[0]);
}

TEST_F(ImageCache, KeepsNothingOfAFailedCompile) {
  compiler_.fails = true;
  EXPECT_THROW(cache.get(ones.module(), special_of(8), target::cpu), compile_error);
  EXPECT_THROW(cache.get(ones.module(), special_of(8), target::cpu), compile_error);
  compiler_.fails = false;
  EXPECT_NE(cache.get(ones.module(), special_of(8), target::cpu).image, nullptr);
}

TEST_F(ImageCache, LetsWaitingThreadsTryThemselvesWhenTheFirstFails) {
  compiler_.fails = true;
  std::atomic<int> refused{0};
  std::vector<std::thread> running;
  for (int t = 0; t < 8; ++t) {
    running.emplace_back([&] {
      try {
        cache.get(ones.module(), special_of(8), target::cpu);
      } catch (const compile_error&) {
        ++refused;
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(refused.load(), 8);
}

// ---- On disk -------------------------------------------------------------------------------------------------------
TEST_F(ImageCache, LoadsWhatAnotherProcessStored) {
  cache.get(ones.module(), special_of(8), target::cpu);
  image_cache later(disk, compiler_.functions());
  EXPECT_EQ(later.get(ones.module(), special_of(8), target::cpu).image->object(), counting_compiler::object_of(8));
  EXPECT_EQ(compiler_.emits.load(), 1);
  EXPECT_EQ(later.statistics().loaded, 1);
  EXPECT_EQ(later.statistics().emitted, 0);
}

TEST_F(ImageCache, StoresNoInterpretedImages) {
  cache.get(ones.module(), special_of(8), target::interp);
  EXPECT_EQ(entries_on_disk(), 0u);
}

TEST_F(ImageCache, CompilesAgainWhatWasDamagedAndReplacesIt) {
  cache.get(ones.module(), special_of(8), target::cpu);
  ASSERT_EQ(entries_on_disk(), 1u);
  for (const auto& file : fs::directory_iterator(disk.folder)) {
    if (file.path().extension() == ".image") fs::resize_file(file.path(), fs::file_size(file.path()) / 2);
  }
  image_cache second(disk, compiler_.functions()), third(disk, compiler_.functions());
  second.get(ones.module(), special_of(8), target::cpu);
  EXPECT_EQ(compiler_.emits.load(), 2);
  EXPECT_NE(second.disk().last_problem(), "");
  third.get(ones.module(), special_of(8), target::cpu);
  EXPECT_EQ(compiler_.emits.load(), 2) << "the entry was replaced";
}

TEST_F(ImageCache, CompilesAgainWhatTheBackEndCannotUse) {
  cache.get(ones.module(), special_of(8), target::cpu);
  image_cache second(disk, compiler_.functions());
  compiler_.refuses_loads = true;
  EXPECT_NE(second.get(ones.module(), special_of(8), target::cpu).image, nullptr);
  EXPECT_EQ(compiler_.emits.load(), 2);
  EXPECT_NE(second.disk().last_problem().find("unusable"), std::string::npos);
}

TEST_F(ImageCache, WorksWithoutADisk) {
  image_cache in_memory({.folder = {}, .problem = "there is none"}, compiler_.functions());
  in_memory.get(ones.module(), special_of(8), target::cpu);
  in_memory.get(ones.module(), special_of(8), target::cpu);
  EXPECT_EQ(compiler_.emits.load(), 1);
  EXPECT_EQ(in_memory.disk().last_problem(), "there is none");
}

TEST_F(ImageCache, CompilesOnceForManyProcesses) {
  constexpr int processes = 8, kernels = 4, rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    fs::remove_all(disk.folder);
    test::shared_value<std::atomic<int>> emitted;
    std::vector<pid_t> children;
    for (int p = 0; p < processes; ++p) {
      children.push_back(test::start_child([&, p] {
        counting_compiler own;
        image_cache of_child(disk, own.functions());
        for (int k = 0; k < kernels; ++k) {
          const index_t b = (k + p) % kernels + 1;
          const auto image = of_child.get(ones.module(), special_of(b), target::cpu).image;
          if (image->object() != counting_compiler::object_of(b)) return 1;
        }
        emitted->fetch_add(own.emits);
        return of_child.disk().last_problem().empty() ? 0 : 2;
      }));
    }
    for (const pid_t child : children) EXPECT_EQ(test::wait_for(child), 0);
    EXPECT_EQ(emitted->load(), kernels);
  }
}

}  // namespace
}  // namespace tilewright::runtime
