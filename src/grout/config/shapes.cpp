// SPDX-License-Identifier: Apache-2.0
// The Qwen3 models' own configurations (their config.json).
#include "grout/shapes.hpp"

namespace grout {
namespace {

// What differs between them.
struct Sizes {
  index_t width, layers, heads, hidden;
};

constexpr KnownShape qwen3(std::string_view name, const Sizes& sizes, bool is_tied) {
  return {name,
          {.architecture = Architecture::qwen3,
           .vocabulary = 151936,
           .context = 40960,
           .width = sizes.width,
           .layers = sizes.layers,
           .heads = sizes.heads,
           .key_heads = 8,
           .head_size = 128,
           .hidden = sizes.hidden,
           .rotary_base = 1e6,
           .norm_epsilon = 1e-6F},
          is_tied};
}

constexpr KnownShape tiny{"tiny",
                          {.architecture = Architecture::qwen3,
                           .vocabulary = 320,
                           .context = 1024,
                           .width = 64,
                           .layers = 2,
                           .heads = 4,
                           .key_heads = 2,
                           .head_size = 32,
                           .hidden = 128,
                           .rotary_base = 1e6,
                           .norm_epsilon = 1e-6F},
                          true};

constexpr KnownShape shapes[] = {tiny,
                                 qwen3("qwen3-0.6b", {1024, 28, 16, 3072}, true),
                                 qwen3("qwen3-1.7b", {2048, 28, 16, 6144}, true),
                                 qwen3("qwen3-4b", {2560, 36, 32, 9728}, true),
                                 qwen3("qwen3-8b", {4096, 36, 32, 12288}, false),
                                 qwen3("qwen3-14b", {5120, 40, 40, 17408}, false),
                                 qwen3("qwen3-32b", {5120, 64, 64, 25600}, false)};

}  // namespace

std::span<const KnownShape> known_shapes() { return shapes; }

std::optional<KnownShape> find_shape(std::string_view name) {
  for (const KnownShape& shape : shapes) {
    if (shape.name == name) return shape;
  }
  return std::nullopt;
}

}  // namespace grout
