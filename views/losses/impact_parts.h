// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/records/loss_impact.h"

namespace ampprof::views {

/// Names what was rounded, with its share of E^2.
struct RoundedPart {
  std::string name;
  double share = 0.0;

  bool operator==(const RoundedPart&) const = default;
};

/// Returns activation, weight and output; nothing where E is not known, or 0.
std::vector<RoundedPart> rounded_parts(const ImpactSquares& squares);

/// "weight 81%"
std::string text_of(const RoundedPart& part);

/// Returns the text of the largest part: what there is to fix. An absent value without parts.
std::string largest_part(const std::vector<RoundedPart>& parts);

}  // namespace ampprof::views
