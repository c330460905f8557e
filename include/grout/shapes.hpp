// SPDX-License-Identifier: Apache-2.0
// Shapes of published models by name, for measurements with random weights.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "grout/config.hpp"

namespace grout {

struct KnownShape {
  std::string_view name;  // "qwen3-4b"
  ModelConfig config;
  bool is_tied;
};

// "tiny" is no published model: small enough for the interpreter.
TILEWRIGHT_API std::span<const KnownShape> known_shapes();
TILEWRIGHT_API std::optional<KnownShape> find_shape(std::string_view name);

}  // namespace grout
