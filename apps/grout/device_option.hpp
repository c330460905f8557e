// SPDX-License-Identifier: Apache-2.0
// `--device` of the commands, and `--pack` of those that are to run where no compiler is.
#pragma once

#include <functional>
#include <string>

#include "tilewright/runtime/runtime.hpp"

namespace CLI {
class App;
}

struct DeviceChoice {
  std::string name = "cpu";  // cpu, interp, cuda, cuda:N, or offline:TARGET: a GPU that is not there computes nothing
  std::string pack;          // of an offline device: the file that gets the images
};

// `choice` must live as long as `command`.
void add_device_options(CLI::App& command, DeviceChoice& choice);

// Calls work(the device). runtime_error when it is absent; what bake() throws.
void run_on(const DeviceChoice& choice, const std::function<void(const tilewright::Device&)>& work);
