// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/highlights.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "amp_core/levels/level.h"
#include "analysis/ops/op_figures.h"
#include "analysis/ops/targets.h"
#include "analysis/ranks/report_rows.h"
#include "precision/kernel_names/classify.h"
#include "precision/rules/verdict.h"
#include "reports/queries/impacts.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/records/in_quadrature.h"

namespace ampprof::analysis {
namespace {

// Returns two standard errors of the difference between the mean last losses of two runs.
double noise_between(const queries::RunRow& a, const queries::RunRow& b) {
  return 2 * in_quadrature(a.last_loss_noise.value_or(0), b.last_loss_noise.value_or(0));
}

bool falls(const queries::RunRow& run) {
  return run.loss_fall && run.loss_fall_noise && *run.loss_fall > 2 * *run.loss_fall_noise;
}

FinalLosses::Compared against(const queries::RunRow& baseline, const queries::RunRow& run) {
  using Outcome = FinalLosses::Compared::Outcome;
  const double difference = *run.last_loss_mean - *baseline.last_loss_mean;
  if (std::abs(difference) <= noise_between(run, baseline)) return {&run, Outcome::Same};
  if (difference < 0) return {&run, Outcome::Lower};
  return {&run, run.loss_fall && !falls(run) && falls(baseline) ? Outcome::DoesNotFall : Outcome::Higher};
}

bool could_run_on_tensor_cores(const rules::TensorCoreVerdict& verdict) {
  return verdict.dtype_ok && verdict.rule_today != rules::RuleToday::NotEligible;
}

bool ran_without_tensor_cores(const rules::TensorCoreVerdict& verdict) {
  return verdict.executed == kernel_names::Executed::NotUsed ||
         verdict.executed == kernel_names::Executed::Fp16NotTensorCore;
}

void count_obstacle(JudgedOps& judged, const rules::TensorCoreVerdict& verdict) {
  auto known = std::ranges::find(judged.obstacles, verdict.why, &JudgedOps::Obstacle::brief);
  if (known == judged.obstacles.end()) {
    const auto finding = std::ranges::find(verdict.findings, verdict.why, &rules::Finding::brief);
    known = judged.obstacles.insert(known, JudgedOps::Obstacle{verdict.why, finding->reason, 0});
  }
  ++known->ops;
}

}  // namespace

std::optional<queries::RunRow> run_of_interest(const std::vector<queries::RunRow>& runs) {
  for (const amp::Level& level : amp::levels()) {
    if (level.is_fp32()) continue;
    const auto found = std::ranges::find(runs, level.name, &queries::RunRow::level);
    if (found != runs.end()) return *found;
  }
  return runs.empty() ? std::nullopt : std::optional(runs.back());
}

FinalLosses compare_final_losses(const std::vector<queries::RunRow>& runs) {
  FinalLosses losses;
  const auto baseline = std::ranges::find_if(
      runs, [](const queries::RunRow& run) { return amp::is_fp32_level(run.level) && run.final_loss; });
  if (baseline != runs.end()) losses.baseline = &*baseline;
  const bool can_compare =
      losses.baseline != nullptr && !losses.baseline->ends_nonfinite && losses.baseline->last_loss_mean;
  for (const queries::RunRow& run : runs) {
    if (run.ends_nonfinite) {
      losses.compared.push_back({&run, FinalLosses::Compared::Outcome::NotFinite});
    } else if (can_compare && run.last_loss_mean && !amp::is_fp32_level(run.level)) {
      losses.compared.push_back(against(*losses.baseline, run));
    }
  }
  return losses;
}

std::vector<queries::OpRow> worst_ops(const ReportRows& rows, std::int64_t run, Phase phase, std::size_t limit) {
  std::vector<queries::OpRow> ops;
  std::copy_if(rows.ops.begin(), rows.ops.end(), std::back_inserter(ops), [&](const queries::OpRow& op) {
    return op.run == run && op.phase == phase && op.local && op.local->relative_l2() != 0;
  });
  std::stable_sort(ops.begin(), ops.end(), has_larger_error);
  ops.resize(std::min(ops.size(), limit));
  return ops;
}

std::optional<LargestImpacts> largest_impacts(const ReportRows& rows, std::int64_t run, std::size_t limit) {
  LargestImpacts found;
  double squares = 0.0;
  for (const queries::ImpactRow& impact : rows.impacts) {
    if (impact.run != run || !impact.impact) continue;
    found.change_of_loss[impact.loss_id] += *impact.impact;
    const double square = std::pow(impact.size().value_or(0.0), 2);
    squares += square;
    found.largest.push_back({&impact, square});
  }
  if (squares == 0.0) return std::nullopt;
  std::ranges::stable_sort(found.largest, std::greater(),
                           [](const LargestImpacts::Share& each) { return each.impact->size(); });
  found.largest.resize(std::min(found.largest.size(), limit));
  for (LargestImpacts::Share& each : found.largest) each.share /= squares;
  return found;
}

bool has_inherited_error(const ReportRows& rows, std::int64_t run) {
  return std::ranges::any_of(rows.ops, [&](const queries::OpRow& op) { return op.run == run && op.inherited; });
}

JudgedOps judged_ops(const ReportRows& rows, const Targets& targets, std::int64_t run) {
  JudgedOps judged;
  for (const queries::OpRow& op : rows.ops) {
    if (op.run != run) continue;
    if (const auto verdict = targets.verdict(op)) {
      ++judged.ops;
      judged.eligible += verdict->rule_today == rules::RuleToday::NotEligible ? 0 : 1;
      judged.gpu = verdict->target_gpu;
      if (cannot_use_tensor_cores(*verdict)) count_obstacle(judged, *verdict);
    }
  }
  return judged;
}

std::vector<queries::OpRow> tensor_core_misses(const ReportRows& rows, const Targets& targets, std::int64_t run) {
  std::vector<queries::OpRow> cannot;
  std::vector<queries::OpRow> misses;
  for (const queries::OpRow& op : rows.ops) {
    if (op.run != run) continue;
    const auto verdict = targets.verdict(op);
    if (!verdict) continue;
    if (cannot_use_tensor_cores(*verdict)) {
      cannot.push_back(op);
    } else if (misses_tensor_cores(*verdict)) {
      misses.push_back(op);
    }
  }
  const auto time_of = [](const queries::OpRow& op) { return op.gpu_us.value_or(op.cpu_us); };
  std::ranges::stable_sort(cannot, std::greater(), time_of);
  std::ranges::stable_sort(misses, std::greater(), time_of);
  cannot.insert(cannot.end(), misses.begin(), misses.end());
  return cannot;
}

std::vector<const queries::OpRow*> avoidably_without_tensor_cores(const ReportRows& rows, const Targets& targets,
                                                                  std::int64_t run) {
  std::vector<const queries::OpRow*> without;
  for (const queries::OpRow& op : rows.ops) {
    if (op.run != run || !op.gpu_us) continue;
    const auto verdict = targets.verdict(op);
    if (verdict && could_run_on_tensor_cores(*verdict) && ran_without_tensor_cores(*verdict)) without.push_back(&op);
  }
  std::ranges::stable_sort(without, std::greater(), [](const queries::OpRow* op) { return *op->gpu_us; });
  return without;
}

std::optional<double> large_idle_share(const queries::RunRow& run) {
  constexpr double kMostlyIdle = 0.5;
  constexpr double kMostOfEstimate = 1.5;
  if (!run.gpu_ms_per_step || !run.ms_per_step) return std::nullopt;
  const double own_ms = run.overhead_ms_per_step.value_or(0);
  const auto idle = [&](double step_ms) { return step_ms > 0 ? 1.0 - *run.gpu_ms_per_step / step_ms : 0.0; };
  if (idle(*run.ms_per_step - kMostOfEstimate * own_ms) < kMostlyIdle) return std::nullopt;
  return idle(*run.ms_per_step - own_ms);
}

std::optional<ClocksApart> clocks_apart(const std::vector<queries::RunRow>& runs) {
  constexpr double kAlike = 1.05;
  struct Seen {
    const queries::RunRow* run;
    GpuClocks clocks;
  };
  std::vector<Seen> seen;
  for (const queries::RunRow& run : runs) {
    if (const auto clocks = RunSettings(run.settings_json).gpu_clocks()) seen.push_back({&run, *clocks});
  }
  const auto [slow, fast] = std::ranges::minmax_element(seen, {}, [](const Seen& each) { return each.clocks.sm_mhz; });
  if (slow == fast || static_cast<double>(fast->clocks.sm_mhz) < kAlike * static_cast<double>(slow->clocks.sm_mhz)) {
    return std::nullopt;
  }
  return ClocksApart{slow->run, fast->run, slow->clocks, fast->clocks};
}

bool includes_emulated_times(const std::vector<queries::RunRow>& runs) {
  return std::ranges::any_of(runs, [](const queries::RunRow& run) {
    return run.ms_per_step && RunSettings(run.settings_json).is_on("fp16_emulated");
  });
}

}  // namespace ampprof::analysis
