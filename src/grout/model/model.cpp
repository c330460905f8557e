// SPDX-License-Identifier: Apache-2.0
#include "grout/model.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <variant>

#include "grout/model/sequence_state.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/kernels/dense_product.hpp"

namespace grout {
namespace {

using tilewright::bf16;
using tilewright::Device;
using tilewright::Tensor;

// Tokens of the next pass over a prompt: whole tiles first, since tiles that overhang cost more than a further pass.
index_t rows_of_next_pass(index_t left) {
  constexpr index_t large = 64, small = 16;
  if (left >= large) return std::min(left, Sequence::rows_of_a_pass) / large * large;
  return left >= small ? left / small * small : left;
}

[[noreturn]] void refuse(std::string what, std::string expected, std::string got, std::string fix) {
  throw tilewright::usage_error({.what = std::move(what),
                                 .where = "Sequence",
                                 .expected = std::move(expected),
                                 .got = std::move(got),
                                 .fix = std::move(fix)});
}

}  // namespace

Model Model::load(const Gguf& file, const Device& device, const UploadProgress& progress) {
  const ModelConfig config = read_config(file);
  return Model(config, load_weights(file, config, device, progress), device);
}

Model Model::random(const ModelConfig& config, bool is_tied, const Device& device) {
  constexpr index_t unit = tilewright::kernels::gate_rows;
  if (config.layers < 1 || config.hidden % unit != 0 || config.heads % config.key_heads != 0) {
    throw tilewright::usage_error({.what = "a model of these sizes cannot be made",
                                   .where = "Model::random",
                                   .expected = "layers, heads that key heads divide, and a hidden width that is a "
                                               "multiple of " +
                                               std::to_string(unit),
                                   .got = std::to_string(config.layers) + " layers, " + std::to_string(config.heads) +
                                          " and " + std::to_string(config.key_heads) + " heads, hidden width " +
                                          std::to_string(config.hidden),
                                   .fix = "choose other sizes"});
  }
  return Model(config, random_weights(config, is_tied, device), device);
}

struct Sequence::Parts {
  using State = std::variant<SequenceState<float>, SequenceState<bf16>>;

  Parts(const Model& model, index_t capacity) : state(make(model, capacity)), outcome(model.config(), model.device()) {}
  static State make(const Model& model, index_t capacity) {
    if (model.weights().is_dense()) return State(std::in_place_type<SequenceState<bf16>>, model, capacity);
    return State(std::in_place_type<SequenceState<float>>, model, capacity);
  }

  // Calls call(state, its element as a value).
  template <class Call>
  decltype(auto) with_state(const Call& call) {
    return std::visit([&]<class T>(SequenceState<T>& typed) -> decltype(auto) { return call(typed, T{}); }, state);
  }
  template <class Call>
  decltype(auto) with_cache(const Call& call) const {
    return std::visit([&](const auto& typed) -> decltype(auto) { return call(typed.cache); }, state);
  }
  index_t length() const {
    return with_cache([](const auto& cache) { return cache.length(); });
  }

  void append_pass(const Model& model, const std::vector<std::int64_t>& ids, bool is_last);
  void append_next(const Model& model);

  State state;
  Outcome outcome;
  std::optional<tilewright::Graph> step;
  std::vector<int> moving_nodes;  // of `step`: those that depend on the token's place
  index_t length_of_step = -1;    // the cache's length that `step` was recorded for
};

void Sequence::Parts::append_pass(const Model& model, const std::vector<std::int64_t>& ids, bool is_last) {
  const auto rows = static_cast<index_t>(ids.size());
  const Tensor<std::int64_t> on_device = model.device().from_host(ids, {rows});
  Outcome* const result = is_last ? &outcome : nullptr;
  with_state([&]<class T>(SequenceState<T>& typed, T) {
    if (rows == 1) {
      run_pass(model, typed, typed.row, on_device, result);
    } else {
      Activations<T> pass(model.config(), rows, model.device());
      run_pass(model, typed, pass, on_device, result);
    }
    typed.cache.advance(rows);
  });
}

// The step of the next token is one graph. What changes from token to token (where keys and values go, how many keys
// there are) is written into it for the token after, while the device runs this one.
void Sequence::Parts::append_next(const Model& model) {
  with_state([&]<class T>(SequenceState<T>& typed, T) {
    typed.cache.require_room(1);
    const auto record = [&] {
      const index_t length = typed.cache.length();
      if (step && attends_alike(typed.row.query, length_of_step + 1, length + 1)) {
        step->update(moving_nodes, [&] { run_moving(model, typed); });
      } else {
        std::vector<int> moving;  // kept once the graph has these nodes
        const auto launches = [&] { run_step(model, typed, outcome.next, outcome, moving); };
        if (step) {
          step->update(launches);
        } else {
          step.emplace(tilewright::capture(model.device(), launches));
        }
        moving_nodes = std::move(moving);
      }
      length_of_step = length;
    };
    if (length_of_step != typed.cache.length()) record();
    step->enqueue();
    typed.cache.advance(1);
    if (typed.cache.length() < typed.cache.capacity()) record();
  });
}

Sequence::Sequence(const Model& model, index_t capacity)
    : model_(model), parts_(std::make_unique<Parts>(model, capacity)) {}
Sequence::Sequence(Sequence&&) noexcept = default;
Sequence::~Sequence() = default;

index_t Sequence::length() const noexcept { return parts_->length(); }
index_t Sequence::capacity() const noexcept {
  return parts_->with_cache([](const auto& cache) { return cache.capacity(); });
}

void Sequence::check(std::span<const std::int32_t> ids) const {
  if (ids.empty()) refuse("no tokens to append", "at least one id", "none", "pass a prompt that is not empty");
  parts_->with_cache([&](const auto& cache) { cache.require_room(static_cast<index_t>(ids.size())); });
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0 && ids[i] < model_.config().vocabulary) continue;
    refuse("a token id is outside the vocabulary", "0 to " + std::to_string(model_.config().vocabulary - 1),
           std::to_string(ids[i]) + " at index " + std::to_string(i), "use the tokenizer of this model's file");
  }
}

void Sequence::append(std::span<const std::int32_t> ids) {
  check(ids);
  while (!ids.empty()) {
    const index_t rows = rows_of_next_pass(static_cast<index_t>(ids.size()));
    const auto part = ids.first(static_cast<std::size_t>(rows));
    ids = ids.subspan(part.size());
    parts_->append_pass(model_, std::vector<std::int64_t>(part.begin(), part.end()), ids.empty());
  }
}

void Sequence::append_next() {
  if (length() == 0) refuse("no next token", "a sequence with tokens", "an empty one", "append a prompt first");
  parts_->append_next(model_);
}

std::vector<tilewright::KernelTime> Sequence::profile_step() {
  if (!parts_->step) refuse("no step to profile", "a sequence after append_next()", "none", "append a token first");
  return parts_->step->profile();
}

std::vector<float> Sequence::logits() const {
  if (length() == 0) refuse("no logits", "a sequence with tokens", "an empty one", "append a prompt first");
  return parts_->outcome.logits.to_host();
}

std::int32_t Sequence::next() const {
  if (length() == 0) refuse("no next token", "a sequence with tokens", "an empty one", "append a prompt first");
  const float greatest = parts_->outcome.greatest.to_host().front();
  if (std::isfinite(greatest)) return static_cast<std::int32_t>(parts_->outcome.next.to_host().front());
  throw tilewright::runtime_error({.what = "the model's logits are not finite",
                                   .where = "Sequence, after " + std::to_string(length()) + " tokens",
                                   .expected = "finite numbers",
                                   .got = std::to_string(greatest),
                                   .fix = "the weights are damaged or overflow; get the model file again"});
}

}  // namespace grout
