// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/ops/targets.h"
#include "reports/compare/compare_runs.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"

namespace ampprof::analysis {

/// One side of a comparison: runs of one report, and the GPU for which Tensor Core rules judge their ops.
struct SideOf {
  std::string report;  ///< name of the report file
  compare::Repeats repeats;
  Targets targets;
};

/// The recorded data of a run that a comparison needs.
struct RunRecords {
  std::vector<queries::OpRow> ops;
  std::vector<queries::EventRow> events;
};

/// Makes one side from the runs `chosen` among `all` runs of a report. `target_gpu` is the GPU for Tensor Core rules;
/// "" means each run's own GPU.
SideOf side_of(const std::string& report, const std::vector<queries::RunRow>& all,
               const std::vector<queries::RunRow>& chosen, const std::string& target_gpu,
               const std::function<const RunRecords&(std::int64_t run)>& records_of);

/// Two sides and their differences.
struct SideBySide {
  const SideOf& a;
  const SideOf& b;
  const compare::Difference& difference;
  double alpha;  ///< significance level of the rank tests
};

/// A comparison that owns its data. Its differences point to rows of its own sides, so the object cannot be moved.
class OwnedComparison {
 public:
  OwnedComparison(SideOf a, SideOf b, compare::Options options);
  OwnedComparison(const OwnedComparison&) = delete;

  SideBySide side_by_side() const { return {a_, b_, difference_, alpha_}; }

 private:
  SideOf a_;
  SideOf b_;
  double alpha_;
  compare::Difference difference_;
};

}  // namespace ampprof::analysis
