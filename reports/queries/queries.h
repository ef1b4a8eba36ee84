// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/spans.h"
#include "reports/records/probe.h"
#include "reports/records/records.h"

/// What the views show, as plain rows: the command line and the GUI print these and nothing else.
namespace ampprof {

/// One run of the program. Field names are the JSON keys of `ampprof show runs`.
struct RunRow {
  std::int64_t run = 0;
  std::string level;  ///< "" where the program decided and no engine said
  std::string program;
  std::string device;
  std::string torch_version;
  std::string reference;
  std::string target_gpu;
  std::string what_if;                 ///< type that each op was judged in, "" for the run's own
  std::optional<double> assume_scale;  ///< loss scale that the backward was judged at
  std::int64_t steps = 0;
  std::int64_t recorded_steps = 0;
  std::int64_t skipped_steps = 0;
  std::optional<double> ms_per_step;        ///< median over recorded steps, ampprof's own time included
  std::int64_t warm_up_steps = 0;           ///< recorded steps before the first that took at most 1.5 times ms_per_step
  std::optional<double> ms_per_step_noise;  ///< standard error of ms_per_step; empty with a single step
  std::optional<double> overhead_ms_per_step;  ///< of that, ampprof's own
  std::optional<double> gpu_ms_per_step;  ///< median of kernels, memcpys and memsets, added up; empty: no GPU was seen
  std::optional<double> gpu_busy_share;     ///< of the run's time, in which some stream did something
  std::optional<double> overhead_gpu_ms;    ///< of the whole run, not in gpu_ms_per_step: ampprof's own; empty: no GPU
  std::optional<std::int64_t> peak_bytes;
  std::optional<double> initial_loss;      ///< mean over the first steps, at most 10; losses of one step are summed
  std::optional<double> final_loss;        ///< the same over the last steps
  std::optional<double> final_loss_noise;  ///< standard error of final_loss
  std::int64_t overflow_events = 0;
  std::int64_t nonfinite_ops = 0;  ///< call sites with a NaN or inf in an output
  std::optional<double> loss_scale_final;
  std::optional<int> exit_code;  ///< empty while it runs, or where the command line was killed
  bool complete = false;         ///< program and recorder both ended cleanly
  std::int64_t op_calls = 0;
  std::int64_t other_shapes = 0;  ///< calls whose shapes were not kept, since there were too many kinds
  std::int64_t casts = 0;         ///< that AMP inserted, those from its cache included
  std::string settings_json;
};

/// A kernel that ran, a memcpy or a memset, by name.
struct GpuActivityUse {
  std::string name;  ///< a kernel's mangled name, "memcpy host to device", "memset"
  GpuActivityKind kind = GpuActivityKind::Kernel;
  std::int64_t count = 0;
  double gpu_us = 0.0;     ///< added up
  std::int64_t bytes = 0;  ///< of memcpys and memsets
};

/// One call site of one run. Field names are the JSON keys of `ampprof show ops`.
struct OpRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t call_site_id = 0;
  std::int32_t position = 0;  ///< the segment's place in its step
  std::string call_site;      ///< "backward conv1/convolution_backward", "#2" behind it for the third call in the step
  Phase phase = Phase::Forward;
  std::string module;
  std::string op;
  std::int32_t ordinal = 0;  ///< of this op in this module and phase within a segment
  std::string source;
  std::int64_t calls = 0;
  std::string signature;  ///< of the most frequent shapes
  DType dtype_in = DType::Unknown;
  DType dtype_out = DType::Unknown;
  double cpu_us = 0.0;           ///< summed over calls
  std::optional<double> gpu_us;  ///< summed over kernels, memcpys and memsets; empty where the run saw no GPU
  std::vector<GpuActivityUse> activities;  ///< what it launched, the longest first
  std::int64_t cast_bytes = 0;
  std::optional<ErrorStats> local;                       ///< merged over calls
  std::optional<RangeStats> ranges;                      ///< merged over calls
  std::optional<double> scale;                           ///< the last loss scale in force
  std::optional<ErrorStats> inherited;                   ///< merged over calls
  std::optional<ExponentHistogram> exponents;            ///< of the reference; merged over calls
  std::optional<ExponentHistogram> inherited_exponents;  ///< of the shadow; merged over calls
  bool nonfinite_expected = false;                       ///< every NaN and inf in its outputs was expected
  std::optional<double> loss_impact;      ///< mean over steps, losses added up; of its own error and its inputs'
  std::optional<double> loss_impact_rms;  ///< root mean square over steps
};

/// Steps from the first to the last, both included.
struct StepSpan {
  std::int64_t first = 0;
  std::int64_t last = 0;

  bool operator==(const StepSpan&) const = default;
};

/// What one call site measured in one step.
struct SiteStepRow {
  std::int64_t step = 0;  ///< 0: before the first
  std::int64_t calls = 0;
  std::int64_t nonfinite_calls = 0;  ///< with a NaN or inf that was not expected
  std::optional<double> scale;       ///< the last loss scale in force
  std::optional<ErrorStats> local;   ///< merged over calls, as all that follows
  std::optional<ErrorStats> inherited;
  std::optional<RangeStats> ranges;
};

/// One error's effect on one loss. The rows of a run and loss add up to the predicted change of that loss.
struct ImpactRow {
  std::int64_t run = 0;
  std::string level;
  std::int32_t loss_id = 0;
  ImpactSource source = ImpactSource::OpCall;
  std::int64_t call_site_id = 0;     ///< 0 for a parameter
  std::int32_t position = 0;         ///< the segment's place in its step
  std::string name;                  ///< the call site; the parameter's name; for inputs the call site that took them
  std::string module;                ///< "" for a parameter
  std::string op;                    ///< "" for a parameter
  std::int64_t calls = 0;            ///< steps in which it could have been measured
  std::int64_t steps = 0;            ///< steps in which it was
  std::optional<double> impact;      ///< mean over those steps
  std::optional<double> impact_rms;  ///< root mean square over those steps
  std::optional<double> standard_error;  ///< of the mean, because not every step was sampled; 0 where every one was
  std::int64_t gaps = 0;                 ///< steps without a value
  ImpactGap gap = ImpactGap::None;       ///< why, of the first such step
};

/// The casts of one kind at one call site.
struct CastRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t call_site_id = 0;
  std::int32_t position = 0;
  std::string call_site;
  Phase phase = Phase::Forward;
  std::string module;
  std::string op;
  CastRecord total;  ///< over all steps; its segment and call_site are 0
};

/// What a GPU did under one name for one call site.
struct GpuActivityRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t call_site_id = 0;  ///< 0: launched outside of any op call, or by an unknown one
  std::int32_t position = 0;
  std::string call_site;  ///< "" for 0, as the rest
  std::optional<Phase> phase;
  std::string module;
  std::string op;
  GpuActivityUse use;
};

/// How long GPUs did nothing before activity of one place began: in no stream of the device, and what came next was
/// this place's. Before the first activity of a device there is no gap.
struct GapRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t call_site_id = 0;  ///< 0: launched outside of any op call, or by an unknown one
  std::int32_t position = 0;
  std::string call_site;  ///< "" for 0, as the rest
  std::optional<Phase> phase;
  std::string module;
  std::string op;
  std::int64_t gaps = 0;
  double idle_us = 0.0;  ///< added up
  std::optional<double>
      unlaunched_us{};  ///< of that, before the thread launched what came; empty where not known of all
  double longest_us = 0.0;
  std::int64_t longest_step = 0;  ///< in which the activity behind the longest gap was launched
};

/// What the optimizer did to one parameter.
struct UpdateRow {
  std::int64_t run = 0;
  std::string level;
  std::string call_site;
  WeightUpdate total;  ///< over all steps; `lost` where every step has it
};

/// One decision of a loss scaler.
struct ScaleRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t step = 0;
  std::int32_t position = 0;  ///< the segment's place in its step
  ScaleUpdate update;
};

struct EventRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t step = 0;
  std::int32_t loss_id = 0;
  double scale_before = 1.0;
  double scale_after = 1.0;
  bool skipped = false;
  std::string first_op;  ///< call site, "" where unknown
  std::optional<Phase> first_op_phase;
  std::vector<EventParameter> parameters;
  std::vector<std::string> chain;
  std::optional<double> largest_safe_scale;
  bool largest_safe_scale_is_bound = true;
};

/// A loss that was seen.
struct LossRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t step = 0;
  LossValue loss;
};

/// A figure of one step.
struct StepValue {
  std::int64_t step = 0;
  double value = 0.0;

  bool operator==(const StepValue&) const = default;
};

/// One op call as a trace shows it. References are good while it is shown.
struct TimedCall {
  const std::string& call_site;  ///< as in OpRow
  const std::string& module;
  const std::string& op;
  const std::string& source;
  const std::string& shapes;
  Phase phase = Phase::Forward;
  std::int64_t step = 0;
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  std::int32_t thread = 0;
  DType dtype_in = DType::Unknown;
  DType dtype_out = DType::Unknown;
  std::int64_t cast_bytes = 0;
  std::optional<double> scale = {};
  std::optional<double> local_rel_l2 = {};
  std::optional<std::int64_t> nonfinite = {};
};

/// A matmul of a run, timed alone after the run had ended.
struct ProbeTimeRow {
  std::int64_t run = 0;
  ProbeTime time;
};

/// What cublasLt would run for a GEMM of a run.
struct ProbeAlgorithmRow {
  std::int64_t run = 0;
  ProbeAlgorithm answer;
};

struct MissingRow {
  std::int64_t run = 0;
  std::string level;
  Missing missing;
};

/// Hears, while a report is opened, how many of the tables that are checked then have been; on the thread that opens
/// it.
using OpenProgress = std::function<void(std::int64_t checked, std::int64_t tables)>;

/// A report opened for reading: read-only, defensive, never changed. A report in a read-only folder whose write-ahead
/// log was not folded in is read from a temporary copy. Throws ReportError with a sentence.
class Report {
 public:
  explicit Report(const std::filesystem::path& path, const OpenProgress& progress = {});
  ~Report();
  Report(Report&&) noexcept;

  std::vector<RunRow> runs() const;
  /// Of one run, or of all.
  std::vector<OpRow> ops(std::optional<std::int64_t> run = std::nullopt) const;
  std::vector<EventRow> events(std::optional<std::int64_t> run = std::nullopt) const;
  std::vector<MissingRow> missing(std::optional<std::int64_t> run = std::nullopt) const;
  std::vector<ImpactRow> impacts(std::optional<std::int64_t> run = std::nullopt) const;
  std::vector<CastRow> casts(std::optional<std::int64_t> run = std::nullopt) const;
  std::vector<GpuActivityRow> gpu_activities(std::optional<std::int64_t> run = std::nullopt) const;
  std::vector<GapRow> gaps(std::optional<std::int64_t> run = std::nullopt) const;
  std::vector<UpdateRow> updates(std::optional<std::int64_t> run = std::nullopt) const;
  /// In the order of the run.
  std::vector<ScaleRow> scales(std::optional<std::int64_t> run = std::nullopt) const;
  std::vector<LossRow> losses(std::optional<std::int64_t> run = std::nullopt) const;
  /// Empty where no probe was asked for.
  std::vector<ProbeTimeRow> probe_times(std::optional<std::int64_t> run = std::nullopt) const;
  /// Empty where the run saw no GPU.
  std::vector<ProbeAlgorithmRow> probe_algorithms(std::optional<std::int64_t> run = std::nullopt) const;
  /// Of one run, ascending: the sum over losses of the mean over a step's values.
  std::vector<StepValue> loss_by_step(std::int64_t run) const;
  /// Of one run, by id.
  std::vector<Segment> segments(std::int64_t run) const;
  /// Shows every op call of one run, in the order in which they were written; they are never in memory together.
  void each_call(std::int64_t run, const std::function<void(const TimedCall&)>& show) const;
  /// As ops(), of these steps alone and without loss impacts. Decodes every op call of them.
  std::vector<OpRow> ops_in(const StepSpan& steps, std::optional<std::int64_t> run = std::nullopt) const;
  /// As casts() and gpu_activities(), of these steps alone: what is in no segment is in none of them. They decode as
  /// much.
  std::vector<CastRow> casts_in(const StepSpan& steps, std::optional<std::int64_t> run = std::nullopt) const;
  std::vector<GpuActivityRow> gpu_activities_in(const StepSpan& steps,
                                                std::optional<std::int64_t> run = std::nullopt) const;
  /// One call site of one run, step after step. Decodes every op call of the run's segments at that position.
  std::vector<SiteStepRow> steps_of(std::int64_t run, std::int64_t call_site_id, std::int32_t position) const;
  /// From the first op call's start to the last one's end; empty without calls.
  std::optional<TimeSpan> span_of_calls(std::int64_t run) const;
  /// In so many bins, from 1 to kMostTrackBins; decodes no call.
  TrackSummary track_summary(std::int64_t run, const TimeSpan& span, int bins,
                             TrackKind kind = TrackKind::Threads) const;
  /// The op calls that touch a span, by thread and start. Empty where the chunks that it decodes hold more than
  /// `most_calls`: then a track_summary() is what can be shown.
  std::optional<std::vector<SpanCall>> span_calls(std::int64_t run, const TimeSpan& span,
                                                  std::int64_t most_calls) const;
  /// Exact for any span. Call sites are told apart in up to `most_calls`.
  SpanTotals span_totals(std::int64_t run, const TimeSpan& span, std::int64_t most_calls) const;
  /// The first call from a place that starts at or after a time. Looks at about `most_calls`.
  std::optional<SpanCall> next_call(std::int64_t run, const SiteInStep& place, std::int64_t from_ns,
                                    std::int64_t most_calls) const;
  /// Shows everything that GPUs did for one run, in the order in which it was written.
  void each_activity(std::int64_t run, const std::function<void(const SpanActivity&)>& show) const;
  /// What GPUs did that touches a span, by stream and start. Empty where the chunks that it decodes hold more.
  std::optional<std::vector<SpanActivity>> span_activities(std::int64_t run, const TimeSpan& span,
                                                           std::int64_t most_activities) const;
  /// NVTX ranges that touch a span; where there are more than `most`, the longest of them.
  SpanRanges span_ranges(std::int64_t run, const TimeSpan& span, std::int64_t most) const;
  /// How deep NVTX ranges are nested, by thread: 0 where none lies within another. Only threads that have some.
  std::map<std::int32_t, std::int32_t> range_depths(std::int64_t run) const;
  CallTexts call_texts(std::int64_t run) const;
  /// Newest segment that was written: how far a run that is still going has come. Empty before the first.
  std::optional<std::int64_t> last_step(std::int64_t run) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ampprof
