// SPDX-License-Identifier: Apache-2.0
// `grout bench`: the speed of whole decode steps on random weights of a published shape.
#pragma once

#include <string>

#include "device_option.hpp"
#include "tilewright/base/dtype.hpp"

namespace CLI {
class App;
}

struct BenchArguments {
  std::string shape;
  DeviceChoice device;
  tilewright::index_t context = 512;
  tilewright::index_t tokens = 128;
  tilewright::index_t rounds = 3;
  tilewright::index_t layers = 0;  // 0: those of the shape
  double roof = 0;                 // GB/s; 0: by the device's name, if it is known
  bool json = false;
  bool profile = false;  // a table of kernels instead of a row
};

// Declares the command; `arguments` must live as long as `program`.
CLI::App* add_bench_command(CLI::App& program, BenchArguments& arguments);

// Throws what the engine throws.
void run_bench(const BenchArguments& arguments);
