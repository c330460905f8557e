// SPDX-License-Identifier: Apache-2.0
// `--device` of the commands.
#pragma once

#include <string>

#include "tilewright/runtime/runtime.hpp"

namespace CLI {
class App;
}

// cpu, interp, cuda, cuda:N, or offline:TARGET, which compiles for a GPU that is not there and computes nothing.
void add_device_option(CLI::App& command, std::string& device);

// runtime_error when the device is absent.
tilewright::Device find_device(const std::string& name);
