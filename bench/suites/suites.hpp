// SPDX-License-Identifier: Apache-2.0
// The families of rows; each is one file and one name after --suite.
#pragma once

#include "harness/runner.hpp"
#include "harness/threads.hpp"
#include "peers/roofs.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace tilewright::bench {

struct bench_context {
  Device device;
  Runner& runner;
  PinnedThreads& threads;
  Roofs& roofs;
};

void run_roof_suite(bench_context& context);
void run_elementwise_suite(bench_context& context);
void run_rows_suite(bench_context& context);
void run_gemm_suite(bench_context& context);
void run_attention_suite(bench_context& context);
void run_launch_suite(bench_context& context);
void run_await_suite(bench_context& context);
void run_compile_suite(bench_context& context);
void run_model_suite(bench_context& context);

struct suite {
  const char* name;
  void (*run)(bench_context& context);
  const char* what;
};
inline constexpr suite suites[] = {
    {"roof", run_roof_suite, "the limits of this machine"},
    {"elementwise", run_elementwise_suite, "add, saxpy against plain C++ loops"},
    {"rows", run_rows_suite, "softmax, rms_norm against a copy loop"},
    {"gemm", run_gemm_suite, "products of matrices against OpenBLAS"},
    {"attention", run_attention_suite, "causal attention"},
    {"launch", run_launch_suite, "what a launch costs"},
    {"await", run_await_suite, "what awaiting it in a coroutine costs"},
    {"compile", run_compile_suite, "what a new kernel costs"},
    {"model", run_model_suite, "SmolLM2-135M against llama.cpp"},
};

}  // namespace tilewright::bench
