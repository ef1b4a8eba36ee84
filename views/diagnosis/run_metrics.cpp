// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/run_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "analysis/ops/executed.h"
#include "analysis/ops/op_figures.h"
#include "analysis/ops/targets.h"
#include "analysis/ranks/report_rows.h"
#include "analysis/runs/run_settings.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/runs/views.h"

namespace ampprof::views {
namespace {

/// The data from which the metrics of one run are computed.
struct Source {
  const analysis::ReportRows& rows;
  const analysis::Targets& targets;
  const queries::RunRow& run;
};

RunValue absent() { return {{std::string(text::kAbsent)}}; }

RunValue counted(std::int64_t n, text::Tone tone) { return {{text::count(n), n > 0 ? tone : text::Tone::Plain}}; }

RunValue seen(std::int64_t n, const Source& source, text::Tone tone) {
  const auto faults = source.run.known_faults(n);
  return faults ? counted(*faults, tone) : absent();
}

RunValue steps(const Source& source) {
  const std::int64_t warm_up = source.run.warm_up_steps;
  return {{steps_text(source.run) + (warm_up > 0 ? " (" + text::count(warm_up) + " to warm up)" : "")}};
}

RunValue step_time(const Source& source) {
  const queries::RunRow& run = source.run;
  if (!run.ms_per_step) return absent();
  std::string text = text::milliseconds(*run.ms_per_step);
  if (run.ms_per_step_noise && *run.ms_per_step > 0)
    text += " ±" + text::percent(*run.ms_per_step_noise / *run.ms_per_step);
  return {{text}, run.ms_per_step, run.ms_per_step_noise};
}

RunValue overhead_share(const Source& source) {
  const queries::RunRow& run = source.run;
  if (!run.overhead_ms_per_step || run.ms_per_step.value_or(0) <= 0) return absent();
  return {{text::percent(*run.overhead_ms_per_step / *run.ms_per_step)}};
}

RunValue peak_memory(const Source& source) {
  if (!source.run.peak_bytes) return absent();
  const auto peak = static_cast<double>(*source.run.peak_bytes);
  return {{text::bytes(peak)}, peak};
}

/// Shows all digits of an FP32 loss, since the program may have printed it.
RunValue loss(const std::optional<double>& value) {
  if (!value) return absent();
  return {{text::plain(*value), std::isfinite(*value) ? text::Tone::Plain : text::Tone::Bad}};
}

RunValue last_loss_mean(const Source& source) {
  const queries::RunRow& run = source.run;
  if (!run.last_loss_mean) return absent();
  std::string text = text::number(*run.last_loss_mean);
  if (run.last_loss_noise) text += " ±" + text::uncertainty(*run.last_loss_noise);
  if (run.last_losses_nonfinite > 0) text += " (" + text::count(run.last_losses_nonfinite) + " not finite)";
  return {{text}};
}

RunValue worst_error(const Source& source) {
  const queries::OpRow* worst = nullptr;
  for (const queries::OpRow& op : source.rows.ops) {
    if (op.run == source.run.run && op.local && (!worst || analysis::has_larger_error(op, *worst))) worst = &op;
  }
  if (!worst) return absent();
  const double error = worst->local->relative_l2();
  return {{text::scientific(error), std::isfinite(error) ? text::Tone::Plain : text::Tone::Bad}};
}

bool can_use_tensor_cores(const rules::TensorCoreVerdict& verdict) {
  return verdict.rule_today != rules::RuleToday::NotEligible;
}

bool suits_tensor_cores(const rules::TensorCoreVerdict& verdict) {
  return can_use_tensor_cores(verdict) && !analysis::misses_tensor_cores(verdict);
}

/// Returns two shares of the calls of matmuls and convolutions: "100%, suit 20%". 100 % can use Tensor Cores, and 20 %
/// also have sizes that suit Tensor Cores.
RunValue tensor_core_calls(const Source& source) {
  std::int64_t all = 0;
  std::int64_t can = 0;
  std::int64_t suit = 0;
  for (const queries::OpRow& op : source.rows.ops) {
    if (op.run != source.run.run) continue;
    const auto verdict = source.targets.verdict(op);
    if (!verdict) continue;
    all += op.calls;
    if (can_use_tensor_cores(*verdict)) can += op.calls;
    if (suits_tensor_cores(*verdict)) suit += op.calls;
  }
  if (all == 0) return absent();
  const auto share = [&](std::int64_t calls) { return static_cast<double>(calls) / static_cast<double>(all); };
  return {{fmt::format("{}, suit {}", text::percent(share(can)), text::percent(share(suit)))}, share(can)};
}

RunValue on_tensor_cores(const Source& source) {
  const auto share = analysis::tensor_core_share(source.rows.ops, source.run.run);
  return share ? RunValue{{text::percent(*share)}, share} : absent();
}

RunValue gpu_clock(const Source& source) {
  const auto clocks = analysis::RunSettings(source.run.settings_json).gpu_clocks();
  if (!clocks) return absent();
  const bool varies = clocks->lowest < clocks->highest;
  const std::string range = varies ? " (" + text::count(clocks->lowest) + "-" + text::count(clocks->highest) + ")" : "";
  return {{text::count(clocks->sm_mhz) + " MHz" + range,
           clocks->held_back_by.empty() ? text::Tone::Plain : text::Tone::Attention}};
}

/// Returns the updates of each optimizer, named by a parameter: "fc1.weight and 3 more: 7; head.weight: 8 (1 skipped)".
RunValue updates_by_optimizer(const Source& source) {
  std::string text;
  bool any_skipped = false;
  for (const OptimizerTotal& each : source.run.optimizers) {
    text += text.empty() ? "" : "; ";
    text += each.parameter.empty() ? "a parameter" : text::printable(each.parameter);
    if (each.parameters > 1) text += " and " + text::count(each.parameters - 1) + " more";
    text += ": " + text::count(each.updates);
    if (each.skipped > 0) text += " (" + text::count(each.skipped) + " skipped)";
    any_skipped = any_skipped || each.skipped > 0;
  }
  return {{text, any_skipped ? text::Tone::Attention : text::Tone::Plain}};
}

bool has_gpu_time(const queries::RunRow& run) { return run.gpu_ms_per_step.has_value(); }
bool has_several_optimizers(const queries::RunRow& run) { return run.optimizers.size() > 1; }

struct Line {
  const char* title;
  std::function<RunValue(const Source&)> value;
  bool (*concerns)(const queries::RunRow&) = nullptr;  ///< whether a run needs the line; null: every run does
};

// To add a metric, add a line here.
const std::vector<Line>& lines() {
  static const std::vector<Line> kLines{
      {"steps", steps},
      {"time/step", step_time},
      {"of that ampprof's", overhead_share},
      {"GPU time/step",
       [](const Source& of) {
         return RunValue{{text::shown(of.run.gpu_ms_per_step, text::milliseconds)}, of.run.gpu_ms_per_step};
       },
       has_gpu_time},
      {"GPU busy", [](const Source& of) { return RunValue{{text::shown(of.run.gpu_busy_share, text::percent)}}; },
       has_gpu_time},
      {"GPU time on Tensor Cores", on_tensor_cores, has_gpu_time},
      {"GPU clock", gpu_clock, has_gpu_time},
      {"peak memory", peak_memory},
      {"first loss", [](const Source& of) { return loss(of.run.initial_loss); }},
      {"last loss", [](const Source& of) { return loss(of.run.final_loss); }},
      {"mean of last losses", last_loss_mean},
      {"losses not finite", [](const Source& of) { return counted(of.run.nonfinite_losses, text::Tone::Bad); }},
      {"non-finite events", [](const Source& of) { return seen(of.run.nonfinite_events, of, text::Tone::Attention); }},
      {"overflow events", [](const Source& of) { return counted(of.run.overflow_events, text::Tone::Attention); }},
      {"skipped steps", [](const Source& of) { return counted(of.run.skipped_steps, text::Tone::Attention); }},
      {"updates", updates_by_optimizer, has_several_optimizers},
      {"final loss scale",
       [](const Source& of) { return RunValue{{text::shown(of.run.loss_scale_final, text::plain)}}; }},
      {"ops with NaN or inf", [](const Source& of) { return seen(of.run.nonfinite_ops, of, text::Tone::Bad); }},
      {"largest local error", worst_error},
      {"can use Tensor Cores", tensor_core_calls}};
  return kLines;
}

}  // namespace

std::vector<RunFigure> run_metrics(const analysis::ReportRows& rows, const analysis::Targets& targets) {
  std::vector<RunFigure> figures;
  for (const Line& line : lines()) {
    if (line.concerns != nullptr && std::ranges::none_of(rows.shown(), line.concerns)) continue;
    RunFigure& figure = figures.emplace_back(RunFigure{line.title, {}});
    for (const queries::RunRow& run : rows.shown()) figure.runs.push_back(line.value({rows, targets, run}));
  }
  return figures;
}

}  // namespace ampprof::views
