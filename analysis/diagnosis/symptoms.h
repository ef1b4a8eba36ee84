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

inline constexpr double kWrong = 0.1;     ///< relative error of a value that is not worth its name
inline constexpr double kLogAlone = 0.1;  ///< weight of what a log alone shows

/// The rows of one run, which rules look at. Refers to the ReportRows. Nothing is null.
struct Symptoms {
  const ReportRows& rows;  ///< of all runs, for what ranks differ in
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
  std::vector<EventGroup> groups;  ///< of `events`

  Symptoms(const ReportRows& rows, const queries::RunRow& run);

  /// Returns the op with this name of a call site; null where there is none.
  const queries::OpRow* op_at(std::string_view call_site) const;
  /// Returns what the recorder noted of the run as missing under this name; null where it noted nothing.
  const queries::MissingRow* noted(std::string_view what) const;
  /// Returns the size of the loss that changes are compared with: the largest |mean| of its ends; 0 where unknown.
  double loss_size() const;
  /// Returns the steps, or calls of inference, that shares are of; at least 1.
  double steps() const;
};

/// Returns the place of a row that has a call site.
template <class Row>
Culprit culprit_of(const Row& row) {
  return {row.call_site, row.source, row.op, row.module};
}

/// Returns " at FILE:LINE", without the path; "" where the line is unknown.
std::string at_line(std::string_view source);

/// Returns " in MODULE"; "" outside of modules.
std::string in_module(std::string_view module);

/// Tells whether an op casts its input and does nothing else.
bool is_cast(std::string_view op);

}  // namespace ampprof::analysis
