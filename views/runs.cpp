// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/format.h"
#include "views/views.h"

namespace ampprof::views {
namespace {

// The settings are text of the report: what is no JSON stays text.
Json settings_of(const RunRow& run) {
  if (run.settings_json.empty()) return {};
  const Json parsed = Json::parse(run.settings_json, nullptr, false);
  return parsed.is_discarded() ? Json(run.settings_json) : parsed;
}

Cell counted_cell(std::int64_t n, text::Tone tone) { return {text::count(n), n > 0 ? tone : text::Tone::Plain}; }

Cell ending_of(const RunRow& run) {
  if (run.complete && run.exit_code == 0) return {"yes"};
  if (!run.exit_code) return {"no", text::Tone::Attention};
  return {"exit " + std::to_string(*run.exit_code), run.exit_code == 0 ? text::Tone::Attention : text::Tone::Bad};
}

std::vector<Cell> cells_of(const RunRow& run) {
  return {{std::to_string(run.run)},
          {text::printable(run.level.empty() ? text::kAbsent : run.level), text::Tone::Strong},
          {text::printable(run.program)},
          {text::printable(run.device)},
          {text::count(run.steps)},
          {text::count(run.recorded_steps)},
          {text::shown(run.ms_per_step, text::milliseconds)},
          {text::shown(run.overhead_ms_per_step, text::milliseconds)},
          {text::shown(run.peak_bytes, [](std::int64_t n) { return text::bytes(static_cast<double>(n)); })},
          {text::shown(run.initial_loss, text::number)},
          {text::shown(run.final_loss, text::number)},
          counted_cell(run.overflow_events, text::Tone::Attention),
          counted_cell(run.skipped_steps, text::Tone::Attention),
          {text::shown(run.loss_scale_final, text::plain)},
          counted_cell(run.nonfinite_ops, text::Tone::Bad),
          ending_of(run)};
}

}  // namespace

Json to_json(const RunRow& run) {
  return {{"run", run.run},
          {"level", text_or_null(run.level)},
          {"program", run.program},
          {"device", text_or_null(run.device)},
          {"torch_version", text_or_null(run.torch_version)},
          {"reference", text_or_null(run.reference)},
          {"target_gpu", text_or_null(run.target_gpu)},
          {"steps", run.steps},
          {"recorded_steps", run.recorded_steps},
          {"skipped_steps", run.skipped_steps},
          {"ms_per_step", exact(run.ms_per_step)},
          {"ms_per_step_noise", exact(run.ms_per_step_noise)},
          {"warm_up_steps", run.warm_up_steps},
          {"overhead_ms_per_step", exact(run.overhead_ms_per_step)},
          {"gpu_ms_per_step", exact(run.gpu_ms_per_step)},
          {"gpu_busy_share", exact(run.gpu_busy_share)},
          {"overhead_gpu_ms", exact(run.overhead_gpu_ms)},
          {"peak_bytes", exact(run.peak_bytes)},
          {"initial_loss", exact(run.initial_loss)},
          {"final_loss", exact(run.final_loss)},
          {"final_loss_noise", exact(run.final_loss_noise)},
          {"overflow_events", run.overflow_events},
          {"nonfinite_ops", run.nonfinite_ops},
          {"loss_scale_final", exact(run.loss_scale_final)},
          {"op_calls", run.op_calls},
          {"casts", run.casts},
          {"exit_code", exact(run.exit_code)},
          {"complete", run.complete},
          {"settings", settings_of(run)}};
}

View runs_view(const std::vector<RunRow>& runs) {
  View view{.name = "runs",
            .keys = {"run",
                     "level",
                     "program",
                     "device",
                     "torch_version",
                     "reference",
                     "target_gpu",
                     "steps",
                     "recorded_steps",
                     "skipped_steps",
                     "ms_per_step",
                     "ms_per_step_noise",
                     "warm_up_steps",
                     "overhead_ms_per_step",
                     "gpu_ms_per_step",
                     "gpu_busy_share",
                     "overhead_gpu_ms",
                     "peak_bytes",
                     "initial_loss",
                     "final_loss",
                     "final_loss_noise",
                     "overflow_events",
                     "nonfinite_ops",
                     "loss_scale_final",
                     "op_calls",
                     "casts",
                     "exit_code",
                     "complete",
                     "settings"},
            .columns = {{.title = "run", .align = Align::Right, .key = "run"},
                        {.title = "level", .key = "level"},
                        {.title = "program", .flexible = true, .spare = 5, .key = "program"},
                        {.title = "device", .flexible = true, .spare = 6, .key = "device"},
                        {.title = "steps", .align = Align::Right, .spare = 1, .key = "steps"},
                        {.title = "recorded", .align = Align::Right, .spare = 7, .key = "recorded_steps"},
                        {.title = "time/step", .align = Align::Right, .key = "ms_per_step"},
                        {.title = "ampprof's", .align = Align::Right, .spare = 4, .key = "overhead_ms_per_step"},
                        {.title = "peak", .align = Align::Right, .spare = 3, .key = "peak_bytes"},
                        {.title = "first loss", .align = Align::Right, .spare = 2, .key = "initial_loss"},
                        {.title = "last loss", .align = Align::Right, .key = "final_loss"},
                        {.title = "overflows", .align = Align::Right, .key = "overflow_events"},
                        {.title = "skipped", .align = Align::Right, .spare = 8, .key = "skipped_steps"},
                        {.title = "scale", .align = Align::Right, .spare = 1, .key = "loss_scale_final"},
                        {.title = "NaN/inf ops", .align = Align::Right, .key = "nonfinite_ops"},
                        {.title = "complete", .key = "complete"}},
            .records = {},
            .none = "The report holds no run: the program has not been started yet."};
  for (const RunRow& run : runs) view.records.push_back({to_json(run), cells_of(run)});
  return view;
}

}  // namespace ampprof::views
