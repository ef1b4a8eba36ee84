// SPDX-License-Identifier: Apache-2.0
#include "views/events/event_text.h"

#include <fmt/format.h>

#include "analysis/ops/op_figures.h"
#include "reports/queries/events.h"
#include "reports/records/event.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"

namespace ampprof::views {
namespace {

constexpr double kLargestFloat = 3.4e38;

std::string behind(const char* words, const std::string& name) {
  return name.empty() ? "" : words + text::printable(name);
}

}  // namespace

std::string cause_text(const queries::EventRow& event) {
  if (event.cause != NonfiniteCause::TooLarge) return std::string(name_of(event.cause));
  if (!event.value) return "too large for its type";
  const bool is_half = *event.value > analysis::kLargestHalf && *event.value < kLargestFloat;
  return fmt::format("exceeds {} ({})", is_half ? "65504" : "its type", text::number(*event.value));
}

std::string fp32_text(const queries::EventRow& event) {
  const std::string own = !event.fp32_holds ? std::string(text::kAbsent) : *event.fp32_holds ? "yes" : "no";
  if (!event.shadow_holds || event.shadow_holds == event.fp32_holds) return own;
  return own + (*event.shadow_holds ? "; yes on exact inputs" : "; no on exact inputs");
}

std::string outcome_text(const queries::EventRow& event) {
  const std::string by = behind(" by ", event.outcome_op);
  switch (event.outcome) {
    case NonfiniteOutcome::Nothing:
      return "no effect seen";
    case NonfiniteOutcome::Masked:
      return "masked" + by;
    case NonfiniteOutcome::Clamped:
      return "clamped" + by;
    case NonfiniteOutcome::Result:
      return "in the result of inference";
    case NonfiniteOutcome::Loss:
      return "in a loss";
    case NonfiniteOutcome::Gradient:
      return event.reached.empty() ? "in a gradient" : "in the gradient" + behind(" of ", event.reached);
    case NonfiniteOutcome::Buffer:
      return "in a buffer" + behind(": ", event.reached) + (by.empty() ? "" : " of" + by.substr(3));
    case NonfiniteOutcome::Weight:
      return "in a weight" + behind(": ", event.reached);
    case NonfiniteOutcome::Skipped:
      return "update skipped";
  }
  return "no effect seen";
}

std::string origin_text(const queries::EventRow& event) {
  if (event.first_op.empty()) return "unknown";
  std::string origin = text::printable(event.first_op);
  if (!event.first_op_source.empty()) origin += " at " + text::printable(text::short_source(event.first_op_source));
  return origin;
}

}  // namespace ampprof::views
