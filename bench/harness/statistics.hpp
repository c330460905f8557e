// SPDX-License-Identifier: Apache-2.0
// Order statistics of repeated timings: medians, because other programs disturb single repeats.
#pragma once

#include <vector>

namespace tilewright::bench {

// The value below which `part` (0 to 1) of the samples lie, interpolated between neighbours; NaN for no samples.
double quantile(std::vector<double> samples, double part);
double median(std::vector<double> samples);

// One entry per pair: repeat i of ours, and repeat i of the peer, taken directly after one another.
struct paired_times {
  std::vector<double> ours;  // seconds
  std::vector<double> peer;  // seconds; empty without a peer
};

// Median of peer / ours over the pairs: above 1 means that we are faster. Both of a pair saw the same disturbance, so
// this is steadier than the ratio of two medians.
double paired_ratio(const paired_times& times);

}  // namespace tilewright::bench
