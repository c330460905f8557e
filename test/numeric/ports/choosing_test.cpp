// SPDX-License-Identifier: Apache-2.0
#include "ports/choosing.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"
#include "ports/cross_entropy.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

class Choosing : public KernelTest {};
TILEWRIGHT_ON_EACH_BACK_END(Choosing);

TEST_P(Choosing, SortsRowsAndSaysWhereElementsStood) {
  const auto x = random_matrix<i32>(5, 16);
  auto made = ports::sort_rows<i32, 16>(poisoned<i32>({5, 16}).partition({2, 16}),
                                        poisoned<i32>({5, 16}).partition({2, 16}), upload(x))
                  .sync();
  const auto values = std::get<0>(made).to_host(), places = std::get<1>(made).to_host();
  for (index_t row = 0; row < 5; ++row) {
    std::vector<i32> line(x.values.begin() + row * 16, x.values.begin() + row * 16 + 16);
    for (index_t n = 0; n < 16; ++n) {
      const auto at = static_cast<std::size_t>(row * 16 + n);
      EXPECT_EQ(line[static_cast<std::size_t>(places[at])], values[at]) << at;
    }
    std::sort(line.begin(), line.end());
    EXPECT_TRUE(std::equal(line.begin(), line.end(), values.begin() + row * 16)) << row;
  }
}

// |error| <= 16 eps of a weight
TEST_P(Choosing, WeighsTheGreatestExperts) {
  for (const index_t experts : {4, 11, 16}) {
    auto logits = random_matrix<f16>(7, experts);
    if (experts == 11) logits.at(3, 10) = logits.at(3, 2) = f16(1.0f);  // a tie: the first one comes first
    auto made = ports::choose_experts<f16, 16, 4>(poisoned<f32>({7, 4}).partition({2, 4}),
                                                  poisoned<i32>({7, 4}).partition({2, 4}), upload(logits))
                    .sync();
    std::vector<i32> chosen;
    expectation weights;
    for (index_t row = 0; row < 7; ++row) {
      std::vector<i32> order;
      for (index_t e = 0; e < experts; ++e) order.push_back(static_cast<i32>(e));
      const auto logit = [&](i32 e) { return to_f64(logits.at(row, e)); };
      std::sort(order.begin(), order.end(),
                [&](i32 a, i32 b) { return logit(a) > logit(b) || (!(logit(a) < logit(b)) && a < b); });
      double sum = 0.0;
      for (std::size_t n = 0; n < 4; ++n) sum += std::exp(logit(order[n]));
      for (std::size_t n = 0; n < 4; ++n) {
        chosen.push_back(order[n]);
        weights.add(std::exp(logit(order[n])) / sum, 16 * f32_epsilon);
      }
    }
    EXPECT_EQ(std::get<1>(made).to_host(), chosen);
    expect_within(std::get<0>(made).to_host(), weights);
  }
}

TEST_P(Choosing, RefusesFewerExpertsThanAreChosen) {
  EXPECT_THROW(
      (ports::choose_experts<f16, 16, 4>(poisoned<f32>({1, 4}).partition({1, 4}),
                                         poisoned<i32>({1, 4}).partition({1, 4}), upload(random_matrix<f16>(1, 3)))
           .sync()),
      usage_error);
}

class CrossEntropy : public KernelTest {};
TILEWRIGHT_ON_EACH_BACK_END(CrossEntropy);

// |error| <= eps (classes + 8 + spread) of the log of the sum and |chosen logit|; of the gradient that times e^0.
TEST_P(CrossEntropy, GivesLossAndGradientOfAnyWidth) {
  for (const auto& [rows, classes] : {std::pair<index_t, index_t>{1, 1}, {3, 7}, {5, 100}}) {
    auto x = random_matrix<f32>(rows, classes);
    for (f32& value : x.values) value *= 20.0f;
    std::vector<i32> targets;
    for (index_t i = 0; i < rows; ++i) targets.push_back(i == 2 ? -100 : static_cast<i32>(i * 37 % classes));
    auto made = ports::cross_entropy<f32>
                    .with(kernels::BN = 32)(poisoned<f32>({rows}).partition({2}), poisoned<f32>({rows}).partition({2}),
                                            upload(x), upload(targets))
                    .sync();
    const auto log_sums = std::get<1>(made).to_host();
    const auto dx = output(ports::cross_entropy_backward<f32>(poisoned<f32>({rows, classes}).partition({2, 32}),
                                                              upload(x), upload(log_sums), upload(targets), 0.5f));
    expectation loss, log_sum, gradient;
    for (index_t i = 0; i < rows; ++i) {
      const i32 target = targets[static_cast<std::size_t>(i)];
      double sum = 0.0;
      for (index_t j = 0; j < classes; ++j) sum += std::exp(to_f64(x.at(i, j)));
      const double lost = f32_epsilon * (static_cast<double>(classes) + 8 + 40 + 40);
      log_sum.add(std::log(sum), lost);
      loss.add(target < 0 ? 0.0 : std::log(sum) - to_f64(x.at(i, target)), lost);
      for (index_t j = 0; j < classes; ++j) {
        const double share = std::exp(to_f64(x.at(i, j))) / sum;
        gradient.add(target < 0 ? 0.0 : 0.5 * (share - (j == target ? 1.0 : 0.0)), lost);
      }
    }
    expect_within(std::get<0>(made).to_host(), loss);
    expect_within(log_sums, log_sum);
    expect_within(dx, gradient);
  }
}

}  // namespace
}  // namespace tilewright::test
