// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/compiled_regions.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ampprof::profiler {

void CompiledRegions::add_call(std::int64_t ns) {
  ++calls_;
  inside_ns_ += ns;
}

void CompiledRegions::end_segment(std::int64_t ns) {
  const Part part{std::exchange(inside_ns_, 0), ns};
  if (calls_ == 0) return;
  if (segments_.size() < kKept) {
    segments_.push_back(part);
  } else {
    segments_[next_++ % kKept] = part;
  }
}

double CompiledRegions::share() const {
  if (segments_.empty()) return 0.0;
  std::vector<Part> sorted = segments_;
  const auto median = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, median, {}, &Part::whole_ns);
  const double longest = 1.5 * static_cast<double>(median->whole_ns);
  double inside = 0.0;
  double whole = 0.0;
  for (const Part& part : segments_) {
    if (static_cast<double>(part.whole_ns) > longest) continue;
    inside += static_cast<double>(part.inside_ns);
    whole += static_cast<double>(part.whole_ns);
  }
  return whole > 0.0 ? inside / whole : 0.0;
}

std::optional<Missing> CompiledRegions::missing() const {
  if (calls_ == 0) return std::nullopt;
  return Missing{.what = "ops inside torch.compile",
                 .count = calls_,
                 .cause = "compiled regions take " + std::to_string(std::lround(100 * share())) +
                          "% of the steps' time, and each is one op call",
                 .remedy = "ampprof run --eager=both adds a run without torch.compile, in which every op is visible"};
}

}  // namespace ampprof::profiler
