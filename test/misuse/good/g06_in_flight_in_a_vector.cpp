// A vector of tensors, a vector of work in flight, two streams
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  std::vector<Tensor<f32>> tensors;
  for (int i = 0; i < 4; ++i) tensors.push_back(ones(d));
  std::vector<InFlight<std::tuple<Tensor<f32>>>> flying;
  const Stream streams[] = {d.new_stream(), d.new_stream()};
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    flying.push_back(increment(std::move(tensors[i]).partition({16})).start_on(streams[i % 2]));
  }
  tensors.clear();
  bool is_right = true;
  for (auto& f : flying) {
    auto [t] = std::move(f).wait();
    is_right = is_right && all_are(t, 2.0f);
  }
  return is_right;
}
