// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/records/gradient_impact.h"
#include "reports/records/loss_impact.h"

namespace ampprof::views {

/// An operand or output that is rounded, with its share of E^2 (E: expected loss impact).
struct RoundedPart {
  std::string name;
  double share = 0.0;

  bool operator==(const RoundedPart&) const = default;
};

/// Returns the parts activation, weight and output; an empty list if E is unknown or 0.
std::vector<RoundedPart> rounded_parts(const ImpactSquares& squares);

/// Returns a part as text: "weight 81%".
std::string text_of(const RoundedPart& part);

/// Returns the text of the largest part, which is the part to fix first; text::kAbsent if there are no parts.
std::string largest_part(const std::vector<RoundedPart>& parts);

/// Return the word for the source of an impact in JSON and tables: "parameter", "backward op".
std::string_view name_of(ImpactSource source);
std::string_view name_of(GradientImpactSource source);

}  // namespace ampprof::views
