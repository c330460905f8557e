// SPDX-License-Identifier: Apache-2.0
// A model decodes on the fake GPU, which is as late as it may be: each step is a graph that is changed for the next
// token while this one's is in flight, as grout does it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "grout/model.hpp"
#include "support/tiny_llama.hpp"
#include "unit/cuda/cuda_places.hpp"

namespace tilewright::test {
namespace {

struct decoded {
  std::vector<std::int32_t> ids;
  std::vector<float> logits;
};

// Eight tokens, then `steps` more, of which the host looks at the last alone.
decoded decode(const grout::Gguf& file, const Device& device, int steps) {
  const grout::Model model = grout::Model::load(file, device);
  grout::Sequence sequence(model, 48);
  const std::vector<std::int32_t> prompt = {13, 110, 207, 40, 137, 234, 67, 164};
  sequence.append(prompt);
  decoded result;
  for (int i = 0; i < steps; ++i) {
    sequence.append_next();
    if (i % 8 == 7) result.ids.push_back(sequence.next());
  }
  result.logits = sequence.logits();
  return result;
}

TEST(ModelStep, IsOneGraphThatIsChangedInFlight) {
  const std::string bytes = test_support::TinyLlama().gguf();
  const grout::Gguf file = grout::Gguf::parse(bytes, "test.gguf");
  constexpr int steps = 32;
  const decoded expected = decode(file, interp_device(), steps);
  const float most = *std::max_element(expected.logits.begin(), expected.logits.end());

  fake_place here;
  here.driver.set_delayed(true);
  here.engine->form.programmatic = true;
  on_own_thread([&] {
    const decoded got = decode(file, here.device(), steps);
    EXPECT_EQ(got.ids, expected.ids);
    ASSERT_EQ(got.logits.size(), expected.logits.size());
    // Both sum in f32, maybe in another order.
    for (std::size_t i = 0; i < got.logits.size(); ++i) ASSERT_NEAR(got.logits[i], expected.logits[i], 2e-5f * most);
  });
  const std::vector<std::string> told = here.driver.journal();
  const auto lines_with = [&](const char* text) {
    return std::count_if(told.begin(), told.end(), [&](const auto& line) { return line.starts_with(text); });
  };
  EXPECT_EQ(lines_with("graph of "), steps);
  const auto nodes = lines_with("node ");
  EXPECT_GE(nodes, 10);
  EXPECT_LE(lines_with("set node "), nodes * steps / 3) << "most of a step stays as it is";
  for (std::ptrdiff_t i = 1; i < nodes; ++i) {
    const std::string begins = "node " + std::to_string(i) + ":", ends = " early after " + std::to_string(i - 1);
    const auto is_it = [&](const auto& line) { return line.starts_with(begins) && line.ends_with(ends); };
    EXPECT_TRUE(std::any_of(told.begin(), told.end(), is_it))
        << "launch " << i << " waits for more than the one before";
  }
}

}  // namespace
}  // namespace tilewright::test
