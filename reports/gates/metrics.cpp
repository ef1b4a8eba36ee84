// SPDX-License-Identifier: Apache-2.0
#include "reports/gates/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "reports/gates/evidence.h"
#include "reports/gates/glob.h"
#include "reports/queries/runs.h"
#include "reports/records/enum_names.h"
#include "reports/records/median.h"

namespace ampprof::gates {
namespace {

constexpr std::array kUnits{
    Unit{"ns", Dimension::Time, 1},         kMicroseconds,
    Unit{"µs", Dimension::Time, 1e3},       kMilliseconds,
    Unit{"s", Dimension::Time, 1e9},        kBytes,
    Unit{"kB", Dimension::Memory, 1e3},     Unit{"MB", Dimension::Memory, 1e6},
    Unit{"GB", Dimension::Memory, 1e9},     Unit{"KiB", Dimension::Memory, 0x1p10},
    Unit{"MiB", Dimension::Memory, 0x1p20}, Unit{"GiB", Dimension::Memory, 0x1p30},
    Unit{"%", Dimension::None, 0.01},
};

using Optional = std::optional<double>;

template <class Stats, class Member>
Optional member(const std::optional<Stats>& stats, Member of) {
  return stats ? Optional(static_cast<double>(std::invoke(of, *stats))) : std::nullopt;
}

template <class T>
Optional real(const std::optional<T>& value) {
  return value ? Optional(static_cast<double>(*value)) : std::nullopt;
}

// Reads a number of a run: field<&RunRow::steps>. For optional members: known_field.
template <auto Member>
Optional field(const RunEvidence& evidence) {
  return real(std::optional(evidence.run.*Member));
}

template <auto Member>
Optional known_field(const RunEvidence& evidence) {
  return real(evidence.run.*Member);
}

template <auto Member>
Optional seen_field(const RunEvidence& evidence) {
  return real(evidence.run.known_faults(evidence.run.*Member));
}

template <auto Member>
Optional local(const SiteEvidence& site) {
  return member(site.op.local, Member);
}

template <auto Member>
Optional range(const SiteEvidence& site) {
  return member(site.op.ranges, Member);
}

Optional inherited(const SiteEvidence& site) { return member(site.op.inherited, &ErrorStats::relative_l2); }

// The -inf of a mask is not a failure.
Optional nonfinite(const SiteEvidence& site) {
  return site.op.nonfinite_expected ? Optional(0.0) : range<&RangeStats::nonfinite>(site);
}

Optional impact(const SiteEvidence& site) { return site.op.loss_impact; }
Optional impact_rms(const SiteEvidence& site) { return site.op.loss_impact_rms; }
Optional calls(const SiteEvidence& site) { return static_cast<double>(site.op.calls); }
Optional one(const SiteEvidence&) { return 1.0; }
Optional cpu_us(const SiteEvidence& site) { return site.op.cpu_us; }
Optional gpu_us(const SiteEvidence& site) { return site.op.gpu_us; }
Optional cast_bytes(const SiteEvidence& site) { return static_cast<double>(site.op.cast_bytes); }
Optional suits(const SiteEvidence& site) { return real(site.suits_tensor_cores); }
Optional misses(const SiteEvidence& site) {
  return site.suits_tensor_cores ? Optional(*site.suits_tensor_cores ? 0 : 1) : std::nullopt;
}

Optional cpu_us_per_call(const SiteEvidence& site) { return site.op.cpu_us_per_call(); }

Optional predicted_change(const RunEvidence& evidence) { return evidence.predicted_loss_change; }

Optional missing_of(const RunEvidence& evidence, std::string_view pattern) {
  double count = 0;
  for (const Missing& missing : evidence.missing) {
    if (fits(pattern, missing.what)) count += static_cast<double>(missing.count);
  }
  return count;
}

Optional findings_of(const RunEvidence& evidence, std::string_view pattern) {
  return real(evidence.run.known_faults(
      std::ranges::count_if(evidence.findings, [&](const std::string& kind) { return fits(pattern, kind); })));
}

using enum Reduce;

// For a metric of call sites, Metric::meaning begins with the word for its Reduce: "largest", "total".
constexpr Metric kOfRuns[] = {
    {"ms_per_step", kMilliseconds, Median, "median time of a step, with ampprof's overhead",
     known_field<&queries::RunRow::ms_per_step>},
    {"overhead_ms_per_step", kMilliseconds, Median, "median overhead of ampprof in a step",
     known_field<&queries::RunRow::overhead_ms_per_step>},
    {"gpu_ms_per_step", kMilliseconds, Median, "median GPU time of a step",
     known_field<&queries::RunRow::gpu_ms_per_step>},
    {"gpu_busy_share", kPlain, Smallest, "share of the run's time in which the GPU was busy",
     known_field<&queries::RunRow::gpu_busy_share>},
    {"peak_bytes", kBytes, Median, "peak memory", known_field<&queries::RunRow::peak_bytes>},
    {"initial_loss", kPlain, Median, "the first loss", known_field<&queries::RunRow::initial_loss>},
    {"final_loss", kPlain, Median, "the last loss", known_field<&queries::RunRow::final_loss>},
    {"first_loss_mean", kPlain, Median, "mean of the finite losses of the first steps",
     known_field<&queries::RunRow::first_loss_mean>},
    {"last_loss_mean", kPlain, Median, "mean of the finite losses of the last steps",
     known_field<&queries::RunRow::last_loss_mean>},
    {"last_loss_noise", kPlain, Median, "standard error of last_loss_mean",
     known_field<&queries::RunRow::last_loss_noise>},
    {"nonfinite_losses", kPlain, Largest, "number of losses that are NaN or inf",
     field<&queries::RunRow::nonfinite_losses>},
    {"predicted_loss_change", kPlain, Median, "predicted change of the loss per step due to rounding",
     predicted_change},
    {"overflows", kPlain, Largest, "number of overflows that a loss scaler saw",
     field<&queries::RunRow::overflow_events>},
    {"nonfinite_events", kPlain, Largest, "number of non-finite events, overflows included",
     seen_field<&queries::RunRow::nonfinite_events>},
    {"skipped_steps", kPlain, Largest, "number of steps whose update was skipped",
     field<&queries::RunRow::skipped_steps>},
    {"loss_scale_final", kPlain, Smallest, "the last loss scale", known_field<&queries::RunRow::loss_scale_final>},
    {"nonfinite_ops", kPlain, Largest, "number of call sites with a NaN or inf",
     seen_field<&queries::RunRow::nonfinite_ops>},
    {"steps", kPlain, Smallest, "number of steps of the run", field<&queries::RunRow::steps>},
    {"recorded_steps", kPlain, Smallest, "number of recorded steps", field<&queries::RunRow::recorded_steps>},
    {"op_calls", kPlain, Smallest, "number of recorded op calls", field<&queries::RunRow::op_calls>},
    {"complete", kPlain, Smallest, "1 if the program and the recorder ended cleanly, else 0",
     field<&queries::RunRow::complete>},
    {"exit_code", kPlain, Largest, "exit code of the program", known_field<&queries::RunRow::exit_code>},
    {"findings", kPlain, Largest, "number of findings whose kinds match the pattern", findings_of},
    {"finding", kPlain, Largest, "number of findings of one kind", findings_of},
    {"missing", kPlain, Largest, "number of missing items whose names match the pattern", missing_of},
};

constexpr Metric kOfSites[] = {
    {"inherited_rel_l2", kPlain, Largest, "largest accumulated error, relative L2", SiteValue{inherited, Largest}},
    {"loss_impact", kPlain, Median, "sum of the loss changes due to errors, per step", SiteValue{impact, Sum}},
    {"loss_impact_rms", kPlain, Largest, "largest RMS over steps of the loss change",
     SiteValue{impact_rms, Largest}},
    {"nonfinite", kPlain, Largest, "total number of NaN and inf, without those of masks",
     SiteValue{nonfinite, Sum}},
    {"flushed", kPlain, Largest, "total number of values lost to zero", SiteValue{local<&ErrorStats::flushed>, Sum}},
    {"rounds_to_inf", kPlain, Largest, "total number of values too large for FP16",
     SiteValue{range<&RangeStats::rounds_to_inf>, Sum}},
    {"rounds_to_zero", kPlain, Largest, "total number of values too small for FP16",
     SiteValue{range<&RangeStats::rounds_to_zero>, Sum}},
    {"subnormal", kPlain, Largest, "total number of values below FP16's normal range",
     SiteValue{range<&RangeStats::subnormal>, Sum}},
    {"amax", kPlain, Largest, "largest value", SiteValue{range<&RangeStats::amax>, Largest}},
    {"calls", kPlain, Smallest, "total number of op calls", SiteValue{calls, Sum}},
    {"call_sites", kPlain, Smallest, "number of call sites", SiteValue{one, Sum}},
    {"cpu_us", kMicroseconds, Median, "total CPU time", SiteValue{cpu_us, Sum}},
    {"cpu_us_per_call", kMicroseconds, Median, "largest CPU time per call", SiteValue{cpu_us_per_call, Largest}},
    {"gpu_us", kMicroseconds, Median, "total GPU time", SiteValue{gpu_us, Sum}},
    {"cast_bytes", kBytes, Median, "total bytes that AMP's casts wrote", SiteValue{cast_bytes, Sum}},
    {"tensor_core_share", kPlain, Smallest, "share of call sites whose sizes suit Tensor Cores",
     SiteValue{suits, Mean}},
    {"tensor_core_misses", kPlain, Largest, "call sites whose sizes do not suit Tensor Cores", SiteValue{misses, Sum}},
};

template <std::size_t kFigure>
Metric metric_of_error() {
  constexpr const ErrorMetric& kOf = kErrorMetrics[kFigure];
  return {kOf.key, kPlain, kOf.small_is_worst ? Smallest : Largest, kOf.worst,
          SiteValue{[](const SiteEvidence& site) { return member(site.op.local, kOf.of); },
                    kOf.small_is_worst ? Smallest : Largest}};
}

// Returns all metrics in the order of the help.
std::vector<Metric> make_metrics() {
  std::vector<Metric> metrics(std::begin(kOfRuns), std::end(kOfRuns));
  [&]<std::size_t... kFigures>(std::index_sequence<kFigures...>) {
    (metrics.push_back(metric_of_error<kFigures>()), ...);
  }
  (std::make_index_sequence<std::size(kErrorMetrics)>());
  metrics.insert(metrics.end(), std::begin(kOfSites), std::end(kOfSites));
  return metrics;
}

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> all = make_metrics();
  return all;
}

std::string arguments_of(const Metric& metric) {
  return metric.takes_phase() ? "(level, phase, sites)" : metric.takes_pattern() ? "(level, sites)" : "(level)";
}

}  // namespace

double reduced(Reduce reduce, std::vector<double> values) {
  for (const double value : values) {
    if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
  }
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  switch (reduce) {
    case Largest:
      return *std::max_element(values.begin(), values.end());
    case Smallest:
      return *std::min_element(values.begin(), values.end());
    case Median:
      return median(values);
    case Mean:
      return sum / static_cast<double>(values.size());
    case Sum:
      break;
  }
  return sum;
}

std::span<const Metric> all_metrics() { return metrics(); }

const Metric* metric_named(std::string_view name) {
  // Also accepts the keys of `ampprof show --format json`.
  if (name == "overflow_events") name = "overflows";
  const auto found = std::ranges::find(metrics(), name, &Metric::name);
  return found == metrics().end() ? nullptr : &*found;
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const Metric& metric : metrics()) names.emplace_back(metric.name);
  return names;
}

std::string metric_help() {
  const auto length = [](const Metric& metric) { return metric.name.size(); };
  const std::size_t width = length(std::ranges::max(metrics(), {}, length));
  std::string text;
  std::string arguments;
  for (const Metric& metric : metrics()) {
    if (std::exchange(arguments, arguments_of(metric)) != arguments_of(metric)) text += arguments + '\n';
    std::string name(metric.name);
    name.resize(width, ' ');
    text.append("  ").append(name).append("  ").append(metric.meaning);
    if (!metric.unit.is_plain()) text.append(" [").append(metric.unit.name).append("]");
    text += '\n';
  }
  return text;
}

const Unit* unit_named(std::string_view name) {
  const auto found = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& unit) { return unit.name == name; });
  return found == kUnits.end() ? nullptr : found;
}

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const Unit& unit : kUnits) names.emplace_back(unit.name);
  return names;
}

std::string_view name_of(Dimension dimension) {
  constexpr std::array<std::string_view, 3> kTexts{"a plain number", "a time", "a size in memory"};
  return text_among(kTexts, dimension);
}

}  // namespace ampprof::gates
