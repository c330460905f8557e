// SPDX-License-Identifier: Apache-2.0
#include "harness/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::bench {

double quantile(std::vector<double> samples, double part) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(samples.begin(), samples.end());
  const double place = part * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, samples.size() - 1);
  return std::lerp(samples[below], samples[above], place - std::floor(place));
}

double median(std::vector<double> samples) { return quantile(std::move(samples), 0.5); }

double paired_ratio(const paired_times& times) {
  std::vector<double> ratios;
  const std::size_t pairs = std::min(times.ours.size(), times.peer.size());
  for (std::size_t i = 0; i < pairs; ++i) ratios.push_back(times.peer[i] / times.ours[i]);
  return median(std::move(ratios));
}

}  // namespace tilewright::bench
