// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/runs/run_settings.h"
#include "reports/records/phase.h"

namespace ampprof::queries {
struct ImpactRow;
struct OpRow;
struct RunRow;
}  // namespace ampprof::queries

/// Values that stand out in a report. views/diagnosis/answer turns them into sentences. Pointers in the results refer
/// to the rows that a function was given.
namespace ampprof::analysis {

class Targets;
struct ReportRows;

/// Returns the run that the lists of the summary are about: the first at O1, else at O2, else at O3, else the last. A
/// lower level changes less, and O0 changes nothing. Empty for a report without runs.
std::optional<queries::RunRow> run_of_interest(const std::vector<queries::RunRow>& runs);

/// Compares each run's losses of the last steps with those of O0.
struct FinalLosses {
  struct Compared {
    /// Same: the means differ by at most two standard errors of their difference. DoesNotFall: the loss is higher and
    /// does not fall by more than its noise, although the baseline's falls.
    enum class Outcome { NotFinite, Same, Higher, Lower, DoesNotFall };
    const queries::RunRow* run;
    Outcome outcome;
  };
  const queries::RunRow* baseline = nullptr;  ///< the first run at O0 with a loss; null if there is none
  std::vector<Compared> compared;  ///< runs whose last losses are NaN or inf, and runs of other levels than O0,
                                   ///< compared with the baseline
};
FinalLosses compare_final_losses(const std::vector<queries::RunRow>& runs);

/// Returns the ops of a run and phase whose local error is known and not 0, largest first.
std::vector<queries::OpRow> worst_ops(const ReportRows& rows, std::int64_t run, Phase phase, std::size_t limit);

/// The ops that change the losses of a run most.
struct LargestImpacts {
  struct Share {
    const queries::ImpactRow* impact;
    double share;  ///< share of the sum of squared impact sizes, by which `ampprof advise` ranks
  };
  std::map<std::int32_t, double> change_of_loss;  ///< predicted mean change per step, by loss id
  std::vector<Share> largest;
};
/// Returns the predicted changes of a run's losses, and its `limit` largest impacts. Empty if all impacts are 0.
std::optional<LargestImpacts> largest_impacts(const ReportRows& rows, std::int64_t run, std::size_t limit);

/// Tells whether inherited error was measured for any op of a run.
bool has_inherited_error(const ReportRows& rows, std::int64_t run);

/// Counts the matmuls and convolutions of a run that Tensor Core rules judge, and names the GPU.
struct JudgedOps {
  std::int64_t ops = 0;
  std::int64_t eligible = 0;  ///< ops that Tensor Cores can run at all, judged by the kind of op and its type
  std::string gpu;

  /// A reason why ops cannot use Tensor Cores.
  struct Obstacle {
    std::string brief;   ///< "no BF16 on T4"
    std::string reason;  ///< sentences for the user
    std::int64_t ops = 0;
  };
  std::vector<Obstacle> obstacles = {};  ///< in the order of their first ops
};
JudgedOps judged_ops(const ReportRows& rows, const Targets& targets, std::int64_t run);

/// Returns the ops of a run that cannot use Tensor Cores, then those whose sizes or layouts miss a rule. Orders each
/// part by time, longest first.
std::vector<queries::OpRow> tensor_core_misses(const ReportRows& rows, const Targets& targets, std::int64_t run);

/// Returns the ops of a run in a Tensor Core type that ran without Tensor Cores, the longest first.
std::vector<const queries::OpRow*> avoidably_without_tensor_cores(const ReportRows& rows, const Targets& targets,
                                                                  std::int64_t run);

/// Returns the share of a median step, without ampprof's own time, in which the GPU is idle. Empty if the share is
/// below half or unknown. Since ampprof's time is an estimate, the share must also be at least half after subtracting
/// 1.5 times that time.
std::optional<double> large_idle_share(const queries::RunRow& run);

/// Two runs whose GPU clocks differ by more than 5 %, so that their times are not comparable.
struct ClocksApart {
  const queries::RunRow* slow;
  const queries::RunRow* fast;
  GpuClocks slow_clocks;
  GpuClocks fast_clocks;
};
std::optional<ClocksApart> clocks_apart(const std::vector<queries::RunRow>& runs);

/// Tells whether the times of any of these runs include FP16 emulation on a CPU.
bool includes_emulated_times(const std::vector<queries::RunRow>& runs);

}  // namespace ampprof::analysis
