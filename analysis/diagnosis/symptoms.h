// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/diagnosis/event_groups.h"
#include "analysis/diagnosis/finding.h"

namespace ampprof::queries {
struct DecisionRow;
struct DriftRow;
struct EventRow;
struct GradientErrorRow;
struct LossRow;
struct MissingRow;
struct OpRow;
struct RunRow;
struct ScaleRow;
struct StaleCastRow;
struct UpdateRow;
}  // namespace ampprof::queries

namespace ampprof::analysis {

struct ReportRows;

inline constexpr double kUselessError = 0.1;  ///< least relative error at which a value is useless
inline constexpr double kLogAlone = 0.1;  ///< weight of the cost of a fault that affects only logged values

/// The rows of one run, as rules read them. Refers to the ReportRows that it was made from. No pointer is null.
struct Symptoms {
  const ReportRows& rows;  ///< rows of all runs, to compare ranks
  const queries::RunRow& run;
  std::vector<const queries::OpRow*> ops;
  std::vector<const queries::EventRow*> events;
  std::vector<const queries::ScaleRow*> scales;
  std::vector<const queries::LossRow*> losses;
  std::vector<const queries::StaleCastRow*> stale_casts;
  std::vector<const queries::DriftRow*> drifts;
  std::vector<const queries::DecisionRow*> decisions;
  std::vector<const queries::GradientErrorRow*> gradients;
  std::vector<const queries::UpdateRow*> updates;
  std::vector<EventGroup> groups;  ///< groups of `events`

  Symptoms(const ReportRows& rows, const queries::RunRow& run);

  /// Returns the op at the call site with this name; null if there is none.
  const queries::OpRow* op_at(std::string_view call_site) const;
  /// Returns the row of missing data with this name in the run; null if there is none.
  const queries::MissingRow* noted(std::string_view what) const;
  /// Returns the loss size to compare changes with: the larger of |mean loss of the first steps| and |mean loss of the
  /// last steps|; 0 if unknown.
  double loss_size() const;
  /// Returns the denominator of shares: the number of steps, or of inference calls; at least 1.
  double steps() const;
};

/// Returns the call site of a row.
template <class Row>
Culprit culprit_of(const Row& row) {
  return {row.call_site, row.source, row.op, row.module};
}

/// Returns " at FILE:LINE", without the directory; "" if the line is unknown.
std::string at_line(std::string_view source);

/// Returns " in MODULE"; "" outside of modules.
std::string in_module(std::string_view module);

/// Tells whether an op only casts its input.
bool is_cast(std::string_view op);

}  // namespace ampprof::analysis
