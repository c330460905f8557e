// SPDX-License-Identifier: Apache-2.0
// The sections that `tilewright explain` prints.
#pragma once

#include <string>

#include "tilewright/compiler/bounds_report.hpp"
#include "tilewright/compiler/program.hpp"
#include "traffic.hpp"

// "persistent, swizzle 8, latency(2) 4"; "left to the compiler" where nothing is said.
std::string schedule_text(const tilewright::schedule& given);

// A line for each obligation; reason and fix of what is left to the kernel, with details also of the launch's.
std::string bounds_text(const tilewright::compiler::program& source, const tilewright::compiler::bounds_report& report,
                        bool has_details);

// A line for each place that reads or writes tensors: which axes of its tile are masked, why, and what takes that away.
std::string masks_text(const tilewright::compiler::program& source);

std::string traffic_text(const tilewright::compiler::program& source, const traffic_estimate& estimate);
