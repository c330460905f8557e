// SPDX-License-Identifier: Apache-2.0
// What an image is made for: a back end of the host, or one architecture of NVIDIA GPUs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tilewright/base/config.hpp"

namespace tilewright::compiler {

enum class target : std::uint8_t { interp, cpu, sm_80, sm_86, sm_89, sm_90, sm_100, sm_120 };

inline constexpr target all_targets[] = {target::interp, target::cpu,   target::sm_80,  target::sm_86,
                                         target::sm_89,  target::sm_90, target::sm_100, target::sm_120};

constexpr bool is_gpu(target where) { return where >= target::sm_80; }

// "cpu", "sm_90".
TILEWRIGHT_API const char* name_of(target where);
TILEWRIGHT_API std::optional<target> target_named(std::string_view name);

}  // namespace tilewright::compiler
