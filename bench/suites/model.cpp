// SPDX-License-Identifier: Apache-2.0
// A whole language model against llama.cpp, both greedy and with the same weights file.
#include "grout/model.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "grout/gguf.hpp"
#include "peers/llama.hpp"
#include "suites/suites.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::bench {
namespace {

std::filesystem::path find_model() {
  if (const char* named = std::getenv("TILEWRIGHT_MODEL"); named != nullptr && *named != '\0') return named;
  return std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf";
}

// What one token needs at least: every weight once, two operations for each weight of the layers.
struct token_cost {
  double bytes = 0.0;
  double layer_operations = 0.0;
};
token_cost cost_of(const grout::Gguf& file) {
  token_cost cost;
  for (const auto& tensor : file.tensors()) {
    cost.bytes += static_cast<double>(tensor.data.size());
    const bool is_layer_matrix = tensor.name.starts_with("blk.") && tensor.rank > 1;
    if (is_layer_matrix) cost.layer_operations += 2.0 * static_cast<double>(tensor.rows() * tensor.row_elements());
  }
  return cost;
}

struct model_pair {
  const grout::Model& ours;
  Llama* peer;  // null: why_no_peer says why
  std::string why_no_peer;
};

comparison describe(const model_pair& models, std::string name, int tokens) {
  comparison what;
  what.name = std::move(name);
  what.shape = fmt::format("{} tokens", tokens);
  what.dtype = "q4_1";
  what.unit = tokens_per_second;
  what.work = tokens;
  what.peer_name = models.peer != nullptr ? models.peer->name() : "llama.cpp";
  what.why_no_peer = models.why_no_peer;
  what.bar = at_least(0.7);
  what.plan = {.repeats = 7, .settle_seconds = 0.01, .warm_before_each = false};
  return what;
}

// Single steps from an empty cache, each taking the token that the last one chose.
void measure_decode(bench_context& context, const model_pair& models, const token_cost& cost, int tokens) {
  comparison what = describe(models, "decode_smollm2_q4_1", tokens);
  what.ours = [&models, tokens] {
    grout::Sequence sequence(models.ours, tokens);
    return seconds_of([&] {
      sequence.append(std::vector<std::int32_t>{first_id});
      for (int i = 1; i < tokens; ++i) sequence.append_next();
      (void)sequence.next();
    });
  };
  if (models.peer != nullptr) what.peer = [&models, tokens] { return models.peer->decode_seconds(tokens); };
  what.roof = limit{context.roofs.read_bytes() / cost.bytes, "read every weight once a token"};
  context.runner.measure(std::move(what));
}

void measure_prefill(bench_context& context, const model_pair& models, const token_cost& cost, int tokens) {
  std::vector<std::int32_t> ids;
  for (int i = 0; i < tokens; ++i) ids.push_back(prompt_id(i));
  comparison what = describe(models, fmt::format("prefill{}_smollm2_q4_1", tokens), tokens);
  what.ours = [&models, &ids] {
    grout::Sequence sequence(models.ours, static_cast<index_t>(ids.size()));
    return seconds_of([&] {
      sequence.append(ids);
      (void)sequence.next();
    });
  };
  if (models.peer != nullptr) what.peer = [&models, tokens] { return models.peer->prefill_seconds(tokens); };
  what.roof = limit{context.roofs.multiply_adds() / cost.layer_operations, "f32 multiply-adds of the layers"};
  context.runner.measure(std::move(what));
}

}  // namespace

void run_model_suite(bench_context& context) {
  const std::filesystem::path path = find_model();
  if (!std::filesystem::exists(path)) {
    fmt::print("model suite skipped: {} is not here; tools/fetch_model gets it\n", path.string());
    return;
  }
  if (context.device == interp_device() || !compiler::has_cpu_target()) {
    fmt::print("model suite skipped: the interpreter takes minutes for a token\n");
    return;
  }
  const grout::Gguf file = grout::Gguf::open(path);
  const grout::Model model = grout::Model::load(file, context.device);
  model_pair models{model, nullptr, "not started in a smoke run"};
  std::unique_ptr<Llama> peer;
  if (!context.runner.is_smoke()) peer = Llama::start(path, context.threads.count(), models.why_no_peer);
  models.peer = peer.get();
  const token_cost cost = cost_of(file);
  measure_decode(context, models, cost, context.runner.is_smoke() ? 2 : 128);
  measure_prefill(context, models, cost, context.runner.is_smoke() ? 4 : 512);
}

}  // namespace tilewright::bench
