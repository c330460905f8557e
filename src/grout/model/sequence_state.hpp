// SPDX-License-Identifier: Apache-2.0
// A sequence in tensors, and the pass that takes it some tokens further. T as in activations.hpp.
#pragma once

#include <vector>

#include "grout/kv_cache.hpp"
#include "grout/model.hpp"
#include "grout/model/activations.hpp"
#include "grout/model/attention.hpp"

namespace grout {

template <class T>
struct SequenceState {
  SequenceState(const Model& model, index_t capacity);

  KvCache<T> cache;
  RotaryAngles angles;
  Activations<T> row;  // of one token
  AttentionParts parts;
};

// Runs the layers over `ids` (rows of `pass`), whose keys and values go to the cache from its length on; the logits
// after the last of them go to `outcome`, unless it is null. The cache's length stays.
template <class T>
void run_pass(const Model& model, SequenceState<T>& state, Activations<T>& pass,
              const tilewright::Tensor<std::int64_t>& ids, Outcome* outcome);

// The same for one token, in a capture; notes in `moving` the nodes that depend on the token's place.
template <class T>
void run_step(const Model& model, SequenceState<T>& state, const tilewright::Tensor<std::int64_t>& ids,
              Outcome& outcome, std::vector<int>& moving);
// Those launches alone.
template <class T>
void run_moving(const Model& model, SequenceState<T>& state);

}  // namespace grout
