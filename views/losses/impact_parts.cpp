// SPDX-License-Identifier: Apache-2.0
#include "views/losses/impact_parts.h"

#include <algorithm>

#include "reports/text/numbers.h"

namespace ampprof::views {

std::vector<RoundedPart> rounded_parts(const ImpactSquares& squares) {
  const double sum = squares.sum().value_or(0.0);
  if (!(sum > 0.0)) return {};
  return {{"activation", squares.activation.value_or(0.0) / sum},
          {"weight", squares.weight.value_or(0.0) / sum},
          {"output", squares.output.value_or(0.0) / sum}};
}

std::string text_of(const RoundedPart& part) { return part.name + ' ' + text::percent(part.share); }

std::string largest_part(const std::vector<RoundedPart>& parts) {
  if (parts.empty()) return std::string(text::kAbsent);
  return text_of(*std::ranges::max_element(parts, {}, &RoundedPart::share));
}

std::string_view name_of(ImpactSource source) {
  switch (source) {
    case ImpactSource::OpCall:
      return "op";
    case ImpactSource::Parameter:
      return "parameter";
    case ImpactSource::Input:
    case ImpactSource::BeforeGradients:
      return "input";
    case ImpactSource::Decision:
      return "decision";
  }
  return {};
}

std::string_view name_of(GradientImpactSource source) {
  return source == GradientImpactSource::OpCall ? "backward op" : "gradients";
}

}  // namespace ampprof::views
