// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/runs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <unordered_set>

#include "reports/queries/events.h"
#include "reports/queries/in_parallel.h"
#include "reports/queries/lookups.h"
#include "reports/queries/losses.h"
#include "reports/queries/segments.h"
#include "reports/records/compiled_region.h"
#include "reports/records/saturating_add.h"
#include "reports/store/optimizer_table.h"
#include "reports/store/tables.h"
#include "reports/store/totals.h"

namespace ampprof::queries {

namespace {

constexpr const char* kGpuTimes =
    "SELECT sum(p.activity_ns) FROM call_chunk p JOIN segment s ON s.run = p.run AND s.id = p.segment "
    "WHERE p.run = ? AND p.activity_count > 0 AND s.step > 0 AND s.recorded GROUP BY s.step";

const std::string kSites =
    "SELECT id, phase, instr(op, '" + std::string(kCompiledRegion) + "') = 1 FROM call_site WHERE run = ?";

constexpr const char* kVariants = "SELECT call_site, signature, dtype_out, calls FROM op_variant WHERE run = ?";

constexpr const char* kEventCount =
    "SELECT coalesce(sum(by_scaler), 0), coalesce(sum(steps), 0) FROM nonfinite_event WHERE run = ?";

constexpr const char* kLastScale = "SELECT scale_after FROM scale_update WHERE run = ? ORDER BY rowid DESC LIMIT 1";

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2.0;
}

/// Returns a robust standard error, since disturbed steps take several times as long. For normally distributed values,
/// the standard deviation is 1.4826 median absolute deviations, and the standard error of the median of n values is
/// sqrt(pi / 2 / n) standard deviations.
std::optional<double> standard_error_of_median(std::vector<double> values) {
  if (values.size() < 2) return std::nullopt;
  const double center = *median(values);
  for (double& value : values) value = std::abs(value - center);
  const double scale = 1.4826 * std::sqrt(std::numbers::pi / 2.0 / static_cast<double>(values.size()));
  return scale * *median(std::move(values));
}

constexpr double kWarm = 1.5;  // a step that takes at most this many times the median is not part of the warm-up

// Computes in double: in a damaged file the difference of two times may not fit into an integer.
double milliseconds(std::int64_t from_ns, std::int64_t to_ns) {
  return (static_cast<double>(to_ns) - static_cast<double>(from_ns)) / 1e6;
}

void add_steps(const Report& report, RunRow& row) {
  std::vector<double> times;
  std::vector<double> overhead_times;
  for (const WholeStep& step : whole_steps(report, row.run)) {
    ++row.steps;
    row.recorded_steps += step.recorded ? 1 : 0;
    row.skipped_steps += step.skipped ? 1 : 0;
    if (!step.recorded || step.end_ns <= step.start_ns) continue;  // not recorded, or still in progress
    times.push_back(milliseconds(step.start_ns, step.end_ns) - milliseconds(0, step.paused_ns));
    overhead_times.push_back(milliseconds(0, step.overhead_ns));
  }
  row.ms_per_step = median(times);
  row.warm_up_steps =
      std::ranges::find_if(times, [&](double ms) { return ms <= kWarm * *row.ms_per_step; }) - times.begin();
  row.ms_per_step_noise = standard_error_of_median(std::move(times));
  row.overhead_ms_per_step = median(std::move(overhead_times));
}

void add_gpu_time(const Report& report, RunRow& row) {
  const auto read = [](store::Statement& step) { return milliseconds(0, step.integer()); };
  row.gpu_ms_per_step = median(store::rows_of(report, kGpuTimes, read, row.run));
}

void add_counts(const Report& report, RunRow& row) {
  const store::RunCounts counts = store::count_calls(report, row.run);
  row.op_calls = counts.calls;
  row.casts = counts.casts;
  row.nonfinite_ops = counts.nonfinite_sites;
  store::Statement events(report, kEventCount, row.run);
  events.next();
  row.overflow_events = events.integer();
  row.nonfinite_events = events.integer();
}

/// Returns the reduced type that most calls output; on a tie, the first.
DType most_frequent_reduced(const std::map<DType, std::int64_t>& calls) {
  DType most = DType::Unknown;
  for (const auto& [type, count] : calls) {
    if (is_reduced_precision(type) && (most == DType::Unknown || count > calls.at(most))) most = type;
  }
  return most;
}

// Reads each table once: a join would look up every call site for each of a thousand ranks.
void add_types_and_shapes(const Report& report, RunRow& row) {
  std::unordered_set<std::int64_t> forward;
  std::unordered_set<std::int64_t> inference;
  bool trains = false;
  store::Statement sites(report, kSites, row.run);
  while (sites.next()) {
    const std::int64_t id = sites.integer();
    const auto phase = static_cast<Phase>(sites.integer());
    if (phase == Phase::Forward) forward.insert(id);
    if (phase == Phase::Inference) inference.insert(id);
    trains = trains || phase == Phase::Backward || phase == Phase::Optimizer;
    if (sites.flag()) row.has_compiled_regions = true;
  }
  row.is_inference = !inference.empty() && !trains;
  const auto& counted = row.is_inference ? inference : forward;
  std::map<DType, std::int64_t> calls_of_type;
  store::Statement variants(report, kVariants, row.run);
  while (variants.next()) {
    const bool counts = counted.contains(variants.integer());
    const bool has_other_shapes = variants.integer() == kOtherShapes;
    const DType type = dtype_from_number(variants.integer());
    const std::int64_t calls = variants.integer();
    if (has_other_shapes) saturating_add(row.other_shapes, calls);
    if (counts) saturating_add(calls_of_type[type], calls);
  }
  row.reduced_type = most_frequent_reduced(calls_of_type);
}

void add_losses(const Report& report, RunRow& row) {
  const LossSummary summary = summarize(step_losses(report, row.run));
  row.initial_loss = summary.initial;
  row.final_loss = summary.final;
  row.first_loss_mean = summary.first.mean;
  row.last_loss_mean = summary.last.mean;
  row.last_loss_noise = summary.last.noise;
  row.last_losses_nonfinite = summary.last.nonfinite;
  row.nonfinite_losses = summary.nonfinite;
  row.ends_nonfinite = summary.ends_nonfinite;
  row.loss_fall = summary.fall;
  row.loss_fall_noise = summary.fall_noise;
  double sum = 0.0;
  const std::vector<LossChange> changes = loss_changes(report, row.run);
  for (const LossChange& step : changes) sum += step.change;
  if (!changes.empty()) row.loss_change = sum / static_cast<double>(changes.size());
}

void add_last_scale(const Report& report, RunRow& row) {
  store::Statement scale(report, kLastScale, row.run);
  if (scale.next()) row.loss_scale_final = scale.real();
}

void add_figures(const Report& report, RunRow& row) {
  add_steps(report, row);
  row.optimizers = store::records_of(report, store::kOptimizerTotal, row.run, "ORDER BY id");
  add_gpu_time(report, row);
  add_counts(report, row);
  add_types_and_shapes(report, row);
  add_losses(report, row);
  add_last_scale(report, row);
}

RunRow read_run(store::Statement& runs) {
  RunRow row;
  row.run = runs.integer();
  const RunStart start = store::take(runs, store::kRunStart);
  row.level = start.level;
  row.program = start.program;
  row.flags = start.flags;
  row.folder = start.folder;
  row.reference = start.reference;
  row.target_gpu = start.target_gpu;
  row.what_if = start.what_if;
  row.assume_scale = start.assume_scale;
  row.ampprof_version = start.ampprof_version;
  row.ampprof_commit = start.ampprof_commit;
  row.repeat = start.repeat;
  const RunAttach attach = store::take(runs, store::kRunAttach);
  row.device = attach.device;
  row.torch_version = attach.torch_version;
  row.cuda_version = attach.cuda_version;
  row.settings_json = attach.settings_json;
  row.rank = attach.rank;
  row.world_size = attach.world_size;
  row.local_rank = attach.local_rank;
  row.host = attach.host;
  const bool has_detached = !runs.at_null();
  const RunDetach detach = store::take(runs, store::kRunDetach);
  if (has_detached) row.peak_bytes = detach.peak_bytes;
  if (detach.gpu_busy_ns) {
    const auto busy = static_cast<double>(*detach.gpu_busy_ns);
    const std::int64_t of_program_ns = detach.wall_ns - detach.overhead_gpu_ns;
    if (of_program_ns > 0) row.gpu_busy_share = busy / static_cast<double>(of_program_ns);
    row.overhead_gpu_ms = static_cast<double>(detach.overhead_gpu_ns) / 1e6;
  }
  if (const auto code = runs.optional_integer()) row.exit_code = static_cast<int>(*code);
  row.ended_ns = runs.optional_integer();
  row.complete = has_detached && row.exit_code == 0;
  return row;
}

}  // namespace

std::vector<RunRow> runs(const Report& report) {
  const store::Snapshot snapshot(report);
  static const std::string kRuns = "SELECT id, " + store::columns_of(store::kRunStart) + ", " +
                                   store::columns_of(store::kRunAttach) + ", " + store::columns_of(store::kRunDetach) +
                                   ", exit_code, ended_ns FROM run ORDER BY id";
  std::vector<RunRow> rows = store::rows_of(report, kRuns, read_run);
  // Uses other threads only if all runs have ended: the connections of other threads would see a later state of the
  // report.
  const bool have_ended = std::ranges::all_of(rows, [](const RunRow& row) { return row.peak_bytes.has_value(); });
  const auto another = [&] { return have_ended ? report.another() : nullptr; };
  in_parallel(rows.size(), report, another, [&](const Report& own, std::size_t i) { add_figures(own, rows[i]); });
  return rows;
}

}  // namespace ampprof::queries
