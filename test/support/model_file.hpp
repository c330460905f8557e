// SPDX-License-Identifier: Apache-2.0
// Where tests look for the real model, which is not part of the source tree.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace test_support {

inline constexpr const char* no_model =
    "the model is not here: run tools/fetch_model, or set TILEWRIGHT_MODEL to SmolLM2-135M-Instruct.Q4_1.gguf";

// $TILEWRIGHT_MODEL, else models/ of the source tree; an empty path if there is none.
inline std::filesystem::path find_model() {
  if (const char* named = std::getenv("TILEWRIGHT_MODEL"); named != nullptr && *named != '\0') return named;
  const auto fetched = std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf";
  return std::filesystem::exists(fetched) ? fetched : std::filesystem::path();
}

}  // namespace test_support
