// SPDX-License-Identifier: Apache-2.0
// llama.cpp (through llama-cpp-python, in a Python environment of its own) as a peer for whole models.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "peers/line_process.hpp"

namespace tilewright::bench {

class Llama {
 public:
  // Null where it is not installed or does not start; `why` then says so.
  static std::unique_ptr<Llama> start(const std::filesystem::path& model, int threads, std::string& why);

  const std::string& name() const { return name_; }  // "llama-cpp-python 0.3.36"

  // One repeat from an empty cache, in seconds: `tokens` greedy single steps from token 1, or one prompt of `tokens`.
  double decode_seconds(int tokens) { return ask("decode", tokens); }
  double prefill_seconds(int tokens) { return ask("prefill", tokens); }

 private:
  explicit Llama(const std::vector<std::string>& command) : process_(command) {}
  double ask(const char* what, int tokens);

  LineProcess process_;
  std::string name_;
};

// Ids of the prompt that both sides read in prefill: the same formula stands in llama_peer.py.
constexpr int prompt_id(int position) { return 100 + position * 7919 % 39900; }
inline constexpr int first_id = 1;

}  // namespace tilewright::bench
