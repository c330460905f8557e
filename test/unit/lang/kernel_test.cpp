// SPDX-License-Identifier: Apache-2.0
// Kernels as C++ objects: generic ones, values for Dims, names, and the lines of records.
#include <string>
#include <vector>

#include "support/captured_text.hpp"

namespace tilewright::test {
namespace {

constexpr Dim M{"M"}, N{"N"}, BK{"BK"};

// ---- Generic kernels
template <class T, int Times, bool Negated>
constexpr auto repeated_sum() {
  return kernel<"repeated_sum">([](InOut<T, N> z) {
    auto v = z.load();
    auto sum = v;
    for (int i = 1; i < Times; ++i) sum = sum + v;
    if constexpr (Negated) sum = -sum;
    z.store(sum);
  });
}

TEST(Kernels, AreGenericOverElementsAndIntegers) {
  EXPECT_EQ((records(repeated_sum<f16, 2, false>())),
            "%0 = load_piece parameter 0 : f16[N]\n"
            "%1 = copy %0 : f16[N]\n"
            "%2 = add %1, %0 : f16[N]\n"
            "assign %1, %2\n"
            "store %1 parameter 0\n");
  EXPECT_EQ((records(repeated_sum<i32, 1, true>())),
            "%0 = load_piece parameter 0 : i32[N]\n"
            "%1 = copy %0 : i32[N]\n"
            "%2 = negate %1 : i32[N]\n"
            "assign %1, %2\n"
            "store %1 parameter 0\n");
}

template <Dim Extent>
constexpr auto filled = kernel<"filled">([](Block b, Out<f32, Extent> z) { z.store(b.full<f32>(tile<Extent>, 1)); });

TEST(Kernels, AreGenericOverExtents) {
  EXPECT_EQ(records(filled<16>), "%0 = constant 1 : f32[16]\nstore %0 parameter 0\n");
  EXPECT_EQ(records(filled<M>), "%0 = constant 1 : f32[M]\nstore %0 parameter 0\n");
}

constexpr Dim again{"M"};

TEST(Kernels, DimsOfOneNameAreOneDim) {
  constexpr auto named_twice = kernel<"k">(
      [](Out<f32, M> z, In<f32, dyn> x, In<f32, dyn> y) { z.store(x.load(tile<again>, 0) + y.load(tile<"M">, 0)); });
  EXPECT_EQ(named_twice.module().symbol_count, 1);
}

// ---- Values for Dims
constexpr auto blocked = kernel<"blocked">([](Block b, Out<f32, M, N> z, In<f32, dyn, dyn> x) {
  auto xt = x.partition(tile<M, BK>);
  auto sum = b.zeros<f32>(tile<M, 1>);
  for (auto k : range(xt.tiles(1))) sum = sum + reduce_sum<1>(xt.load(b.pid(0), k, pad(0)));
  z.store(broadcast(sum, tile<M, N>));
});

// The value of a Dim among bindings, or 0.
constexpr index_t value(const dim_bindings& bindings, const Dim& dim) {
  for (int i = 0; i < bindings.count; ++i) {
    if (__builtin_strcmp(bindings.items[i].name, dim.name) == 0) return bindings.items[i].extent;
  }
  return 0;
}

static_assert(blocked.reference().with.count == 0 && blocked.reference().defaults.count == 0);

constexpr auto tuned = blocked.with(BK = 64, M = 8).defaults(N = 16);
static_assert(tuned.reference().with.count == 2 && tuned.reference().defaults.count == 1);
static_assert(value(tuned.reference().with, BK) == 64 && value(tuned.reference().with, M) == 8);
static_assert(value(tuned.reference().defaults, N) == 16);
static_assert(tuned.reference().module == blocked.reference().module, "values do not make another module");

// The last value given for a Dim wins, and the kernel that it was asked of keeps its own.
static_assert(value(tuned.with(BK = 32).reference().with, BK) == 32);
static_assert(value(tuned.with(BK = 32).reference().with, M) == 8);
static_assert(value(tuned.reference().with, BK) == 64);
static_assert(tuned.with(BK = 32).reference().with.count == 2);

// ---- Words about the schedule
constexpr schedule schedule_of(const auto& kernel) { return kernel.reference().schedule; }
static_assert(schedule_of(blocked) == schedule{});

constexpr auto scheduled =
    blocked.with(BK = 64, persistent, swizzle(8), reversed, num_ctas = 2, occupancy = 3, workers = 8, latency = 6,
                 latency(1) = 4, tma = false, tma(0) = true, split_epilogue(4));
constexpr schedule all_words = {.persistent = true,
                                .swizzle = 8,
                                .reversed = true,
                                .num_ctas = 2,
                                .occupancy = 3,
                                .workers = 8,
                                .epilogue_parts = 4,
                                .all = {.latency = 6, .tma = 0},
                                .of = {{.tma = 1}, {.latency = 4}}};
static_assert(schedule_of(scheduled) == all_words);
static_assert(value(scheduled.reference().with, BK) == 64);
static_assert(schedule_of(scheduled).access(0) == access_options{.latency = 6, .tma = 1});
static_assert(schedule_of(scheduled).access(1) == access_options{.latency = 4, .tma = 0});
static_assert(schedule_of(scheduled).access(max_scheduled_parameters) == access_options{.latency = 6, .tma = 0});

// Any order, the last one wins, and the kernel that it was asked of keeps its own.
static_assert(schedule_of(blocked.with(num_ctas = 2, BK = 8, fast_math)) ==
              schedule_of(blocked.with(fast_math, num_ctas = 4, num_ctas = 2)));
static_assert(schedule_of(scheduled.with(latency(1) = 9)).of[1].latency == 9);
static_assert(!schedule_of(scheduled.with(persistent = false)).persistent && schedule_of(scheduled).persistent);
static_assert(schedule_of(blocked.with(deterministic)).deterministic && !schedule_of(blocked).deterministic);
static_assert(schedule_of(blocked.with(programmatic)).programmatic && !schedule_of(blocked).programmatic);

TEST(Kernels, TakeValuesThatAreKnownAtRunTime) {
  volatile int asked = 48;
  const auto given = blocked.with(dim<BK>(asked), N = 4).defaults(dim<M>(asked + 1));
  EXPECT_EQ(value(given.reference().with, BK), 48);
  EXPECT_EQ(value(given.reference().with, N), 4);
  EXPECT_EQ(value(given.reference().defaults, M), 49);
}

// ---- What a launch matches its arguments with
template <class A, class B>
inline constexpr bool same = lang::same<A, B>;
constexpr auto signature =
    kernel<"signature">([](Block, Out<f32, M> z, In<i8, dyn, 4>, Scalar<f64>, InOut<u16, N, N> y) {
      auto v = y.load();
      y.store(v);
      z.store(broadcast(cast<f32>(reshape(reduce_max<0>(reduce_max<1>(v)), tile<1>)), tile<M>));
    });
static_assert(
    same<decltype(signature)::parameters,
         parameter_list<parameter<parameter_kind::out, f32, M>, parameter<parameter_kind::in, i8, dyn, 4>,
                        parameter<parameter_kind::scalar, f64>, parameter<parameter_kind::in_out, u16, N, N>>>);

// ---- Lines
constexpr int first_line = __LINE__ + 1;
constexpr auto lined = kernel<"lined">([](Block b, Out<f32, N> z, Scalar<f32> s) {
  auto v = b.full<f32>(tile<N>, s);
  v = exp(v);
  z.store(v + 1);
});

TEST(Kernels, RecordTheLineOfEachOperation) {
  const ast::module_view& module = lined.module();
  std::vector<int> lines;
  for (int i = 0; i < module.record_count; ++i) lines.push_back(ast::location_line(module.locations[i]) - first_line);
  // The scalar stands where the body begins: scalar, broadcast, exp, assign, constant, add, store.
  EXPECT_EQ(lines, (std::vector<int>{1, 1, 2, 2, 3, 3, 3}));
}

// A function made of others is one operation to its caller, whatever it calls itself; random_uniform calls two deep.
constexpr int line_of_functions = __LINE__ + 1;
constexpr auto with_functions = kernel<"with_functions">([](Out<f32, N> z, In<f32, dyn> x, Scalar<u32> seed) {
  auto v = load_like(x, z);
  auto w = silu(v + 1) + softplus(v);
  auto c = clamp(w, -1, w + 1);
  auto r = random_uniform(seed, bitcast<u32>(c));
  z.store(exp(r));
});

TEST(Kernels, RecordTheCallersLineInsideFunctionsMadeOfOthers) {
  const ast::module_view& module = with_functions.module();
  std::vector<int> lines;
  for (int i = 0; i < module.record_count; ++i) {
    const int line = ast::location_line(module.locations[i]) - line_of_functions;
    if (lines.empty() || lines.back() != line) lines.push_back(line);
  }
  EXPECT_EQ(lines, (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_GT(module.record_count, 100);
  EXPECT_TRUE(std::string(module.files).ends_with("kernel_test.cpp")) << module.files;
  EXPECT_EQ(module.files_size, static_cast<int>(std::string(module.files).size()) + 1) << "one file";
}

TEST(Kernels, RecordTheirFile) {
  const ast::module_view& module = lined.module();
  EXPECT_TRUE(std::string(module.files).ends_with("kernel_test.cpp")) << module.files;
  EXPECT_EQ(module.files_size, static_cast<int>(std::string(module.files).size()) + 1);
}

constexpr auto with_texts = kernel<"with_texts">([](Out<i32, 4> z, In<i32, dyn> x) {
  auto v = load_like(x, z);
  assert_(v >= 0, "counts from 0");
  assert_(v < 9);
  assert_(v != 3, "3 is no choice");
  assert_(v != 4, "counts from 0");
  z.store(v);
});

TEST(Kernels, HoldEachTextOnce) {
  const ast::module_view& module = with_texts.module();
  EXPECT_EQ(std::string(module.texts, static_cast<std::size_t>(module.texts_size)), std::string("counts from 0\0"
                                                                                                "3 is no choice",
                                                                                                28) +
                                                                                        '\0');
  const std::string text = ast::to_text(module);
  for (const char* line : {"text 0\n", "assertion %6\n", "text 1\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << text;
  }
  EXPECT_EQ(lined.module().texts_size, 0);
}

constexpr int line_of_print = __LINE__ + 2;
constexpr auto prints = kernel<"prints">([](Block b, Out<i32, 4> z, Scalar<f64> s) {
  b.print("{} of {{{}}}", b.pid(0), s);
  z.store(b.zeros<i32>(tile<4>));
  b.print("end");
});

TEST(Kernels, RecordWhatTheyPrintInOrder) {
  const ast::module_view& module = prints.module();
  EXPECT_EQ(std::string(module.texts), "{} of {{{}}}");
  EXPECT_NE(ast::to_text(module).find("print %1, %0 text 0\n"), std::string::npos) << ast::to_text(module);
  EXPECT_NE(ast::to_text(module).find("print text 1\n"), std::string::npos) << ast::to_text(module);
  EXPECT_EQ(ast::location_line(module.locations[2]), line_of_print);
}

TEST(Kernels, KeepTheirNames) { EXPECT_STREQ(lined.module().name, "lined"); }

}  // namespace
}  // namespace tilewright::test
