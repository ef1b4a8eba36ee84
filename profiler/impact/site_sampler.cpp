// SPDX-License-Identifier: Apache-2.0
#include "profiler/impact/site_sampler.h"

#include <algorithm>

namespace ampprof::profiler {
namespace {

// The finalizer of SplitMix64: each bit of the result depends on each bit of both numbers.
double uniform(std::int64_t a, std::int64_t b) {
  std::uint64_t x = static_cast<std::uint64_t>(a) * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(b);
  for (const std::uint64_t factor : {0xBF58476D1CE4E5B9ull, 0x94D049BB133111EBull}) x = (x ^ (x >> 30)) * factor;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

}  // namespace

void SiteSampler::begin(std::int64_t segment) {
  if (asked_ > 0) {
    // Aims at three quarters of the budget, because the share of bytes that is drawn varies around the probability.
    probability_ = std::min(1.0, 0.75 * static_cast<double>(budget_) / static_cast<double>(asked_));
    if (asked_ <= budget_) probability_ = 1.0;
  }
  segment_ = segment;
  asked_ = chosen_ = 0;
}

bool SiteSampler::chooses(std::int64_t segment, std::int64_t call_site, std::int64_t bytes) {
  if (segment != segment_) begin(segment);
  asked_ += bytes;
  if (probability_ < 1.0 && uniform(segment, call_site) >= probability_) return false;
  if (chosen_ + bytes > budget_) {
    ++left_out_;
    return false;
  }
  chosen_ += bytes;
  return true;
}

}  // namespace ampprof::profiler
