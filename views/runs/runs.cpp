// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/runs.h"

#include <algorithm>
#include <utility>

#include "reports/queries/run_names.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/ops/site_columns.h"
#include "views/runs/views.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using RunColumns = std::vector<ColumnOf<queries::RunRow>>;

template <auto Member>
std::optional<std::int64_t> seen(const queries::RunRow& run) {
  return run.known_faults(run.*Member);
}

// Returns the settings, which the report stores as text, parsed as JSON. Text that is not JSON stays a string.
Value settings_of(const queries::RunRow& run) {
  if (run.settings_json.empty()) return {};
  Json parsed = Json::parse(run.settings_json, nullptr, false);
  return parsed.is_discarded() ? Value(run.settings_json) : Value(std::move(parsed));
}

Cell ending_of(const queries::RunRow& run) {
  if (run.complete && run.exit_code == 0) return {"yes"};
  if (!run.exit_code) return {"no", text::Tone::Attention};
  return {"exit " + std::to_string(*run.exit_code), run.exit_code == 0 ? text::Tone::Attention : text::Tone::Bad};
}

/// Returns a function that reads an optional member of a run.
auto run_figure(auto member) {
  return [member](const queries::RunRow& run) { return value_of(run.*member); };
}

/// Returns a function that reads a text member of a run. "", which means unknown, becomes an absent value.
auto run_text(std::string queries::RunRow::*member) {
  return [member](const queries::RunRow& run) { return known(run.*member); };
}

RunColumns run_identity() {
  return {
      number_column<queries::RunRow>({"run", "Number of the run in the report."}, &queries::RunRow::run, "run", digits),
      {.key = "level",
       .about = "Opt level: O0 to O3. Null if the program sets its own precision.",
       .value = run_text(&queries::RunRow::level),
       .title = "level",
       .cell = [](const queries::RunRow& run) -> Cell {
         return {text::printable(run.level.empty() ? text::kAbsent : run.level), text::Tone::Strong};
       }},
      {.key = "program",
       .about = "Command line of the program.",
       .value = &queries::RunRow::program,
       .title = "program",
       .cell = [](const queries::RunRow& run) -> Cell { return {text::printable(run.program)}; },
       .flexible = true,
       .spare = 5},
      {.key = "flags",
       .about = "Flags of `ampprof run`, quoted for a shell.",
       .value = run_text(&queries::RunRow::flags)},
      {.key = "folder",
       .about = "Folder in which `ampprof run` started the program. Null if the program recorded itself.",
       .value = run_text(&queries::RunRow::folder)},
      number_column<queries::RunRow>({"rank", "Rank of the process, from the launcher. Null without a launcher."},
                                     &queries::RunRow::rank, "rank", digits),
      {.key = "world_size",
       .about = "Number of ranks. Null without a launcher.",
       .value = run_figure(&queries::RunRow::world_size)},
      {.key = "local_rank",
       .about = "Rank among the processes of one machine. Null without a launcher.",
       .value = run_figure(&queries::RunRow::local_rank)},
      {.key = "host",
       .about = "Name of the machine. Null without a launcher.",
       .value = run_text(&queries::RunRow::host)}};
}

RunColumns run_environment() {
  return {{.key = "device",
           .about = "Device that the program computed on.",
           .value = run_text(&queries::RunRow::device),
           .title = "device",
           .cell = [](const queries::RunRow& run) -> Cell { return {text::printable(run.device)}; },
           .flexible = true,
           .spare = 6},
          {.key = "torch_version", .about = "Version of LibTorch.", .value = run_text(&queries::RunRow::torch_version)},
          {.key = "cuda_version",
           .about = "Version of CUDA that LibTorch was built with.",
           .value = run_text(&queries::RunRow::cuda_version)},
          {.key = "ampprof_version",
           .about = "Version of ampprof that recorded the run.",
           .value = run_text(&queries::RunRow::ampprof_version)},
          {.key = "ampprof_commit",
           .about = "Commit of the ampprof build that recorded the run. Null if unknown.",
           .value = run_text(&queries::RunRow::ampprof_commit)},
          {.key = "reduced_type",
           .about = "Most frequent reduced type of the outputs of forward calls. A level or torch.autocast chose it.",
           .value = [](const queries::RunRow& run) { return known(run.reduced_type); }},
          {.key = "reference",
           .about = "Type of the reference of local errors: fp32, fp64 or off.",
           .value = run_text(&queries::RunRow::reference)},
          {.key = "target_gpu",
           .about = "GPU that Tensor Core rules are judged for.",
           .value = run_text(&queries::RunRow::target_gpu)},
          {.key = "what_if",
           .about = "Type or recipe whose effect the run predicts (--what-if).",
           .value = run_text(&queries::RunRow::what_if),
           .title = "what-if",
           .cell = [](const queries::RunRow& run) -> Cell { return {text::printable(run.what_if)}; },
           .behind = "level"}};
}

Value optimizers_of(const queries::RunRow& run) {
  Json list = Json::array();
  for (const OptimizerTotal& each : run.optimizers) {
    list.push_back({{"parameter", text_or_null(each.parameter)},
                    {"parameters", each.parameters},
                    {"updates", each.updates},
                    {"skipped", each.skipped}});
  }
  return list;
}

/// Returns the columns of step counts. Inference has no steps; `inference_calls` counts its calls.
RunColumns run_steps() {
  const auto of_training = [](std::int64_t queries::RunRow::*steps) {
    return [steps](const queries::RunRow& run) { return run.is_inference ? 0 : run.*steps; };
  };
  return {{.key = "steps",
           .about = "Number of training steps.",
           .unit = "steps",
           .value = of_training(&queries::RunRow::steps),
           .title = "steps",
           .cell = [](const queries::RunRow& run) -> Cell { return {steps_text(run)}; },
           .align = Align::Right,
           .spare = 1},
          {.key = "inference_calls",
           .about = "Number of calls of an outermost module, each of which counts as a step in `ms_per_step` and "
                    "similar columns. Null if the program trains.",
           .value = [](const queries::RunRow& run) { return run.is_inference ? Value(run.steps) : Value(); }},
          number_column<queries::RunRow>({"recorded_steps", "Number of steps that were recorded.", "steps"},
                                         of_training(&queries::RunRow::recorded_steps), "recorded", text::count,
                                         {.spare = 7}),
          number_column<queries::RunRow>(
              {"skipped_steps", "Number of steps in which the update of an optimizer was skipped.", "steps"},
              &queries::RunRow::skipped_steps, "skipped", text::count,
              {.spare = 6, .behind = "overflow_events", .tone = text::Tone::Attention}),
          {.key = "optimizers",
           .about = "Optimizers. For each: `parameter`, the name of one of its parameters; and the numbers of its "
                    "`parameters`, `updates` and `skipped` updates.",
           .value = optimizers_of}};
}

RunColumns run_costs() {
  return {number_column<queries::RunRow>({"ms_per_step", "Median time of a step, including ampprof's overhead."},
                                         &queries::RunRow::ms_per_step, "time/step", text::milliseconds),
          {.key = "ms_per_step_noise",
           .about = "Standard error of `ms_per_step`. Null for one step.",
           .value = run_figure(&queries::RunRow::ms_per_step_noise)},
          {.key = "warm_up_steps",
           .about = "Number of recorded steps before the first step that took at most 1.5 times the median.",
           .unit = "steps",
           .value = &queries::RunRow::warm_up_steps},
          number_column<queries::RunRow>({"overhead_ms_per_step", "ampprof's overhead in the time of a step."},
                                         &queries::RunRow::overhead_ms_per_step, "ampprof's", text::milliseconds,
                                         {.spare = 4}),
          {.key = "gpu_ms_per_step",
           .about = "Total time of kernels, memcpys and memsets in a step, median over steps.",
           .value = run_figure(&queries::RunRow::gpu_ms_per_step)},
          {.key = "gpu_busy_share",
           .about = "Share of the run in which at least one GPU stream was busy.",
           .value = run_figure(&queries::RunRow::gpu_busy_share)},
          {.key = "overhead_gpu_ms",
           .about = "GPU time of ampprof itself, which no other column includes.",
           .value = run_figure(&queries::RunRow::overhead_gpu_ms)},
          number_column<queries::RunRow>({"peak_bytes", "Peak memory."}, &queries::RunRow::peak_bytes, "peak",
                                         text::bytes, {.spare = 3})};
}

RunColumns run_losses() {
  return {
      number_column<queries::RunRow>({"initial_loss", "First loss, or the sum of the losses if its step has several."},
                                     &queries::RunRow::initial_loss, "first loss", text::number, {.spare = 2}),
      number_column<queries::RunRow>({"final_loss", "Last loss, or the sum of the losses if its step has several."},
                                     &queries::RunRow::final_loss, "last loss", text::number),
      {.key = "first_loss_mean",
       .about = "Mean of the finite losses of the first steps (at most 10 steps).",
       .value = run_figure(&queries::RunRow::first_loss_mean)},
      {.key = "last_loss_mean",
       .about = "Mean of the finite losses of the last steps (at most 10 steps).",
       .value = run_figure(&queries::RunRow::last_loss_mean)},
      {.key = "last_loss_noise",
       .about = "Standard error of `last_loss_mean`.",
       .value = run_figure(&queries::RunRow::last_loss_noise)},
      {.key = "last_losses_nonfinite",
       .about = "Number of the last losses that `last_loss_mean` leaves out because they are NaN or inf.",
       .value = &queries::RunRow::last_losses_nonfinite},
      {.key = "nonfinite_losses",
       .about = "Number of losses of the run that are NaN or inf.",
       .value = &queries::RunRow::nonfinite_losses},
      {.key = "loss_change",
       .about = "Mean difference between the losses of the run and of the replayed steps. With --what-if RECIPE: "
                "recipe minus run. For a run in reduced precision: run minus replay without rounding.",
       .value = run_figure(&queries::RunRow::loss_change)},
      number_column<queries::RunRow>({"overflow_events", "Number of overflows that a loss scaler saw."},
                                     &queries::RunRow::overflow_events, "overflows", text::count,
                                     {.tone = text::Tone::Attention}),
      number_column<queries::RunRow>(
          {"nonfinite_events",
           "Number of events: an op made NaN or inf from finite values, or a loss scaler saw an overflow."},
          seen<&queries::RunRow::nonfinite_events>, "NaN/inf", text::count, {.tone = text::Tone::Attention}),
      number_column<queries::RunRow>({"nonfinite_ops",
                                      "Number of call sites with a NaN or inf. Null if the run read no values "
                                      "(--reference off)."},
                                     seen<&queries::RunRow::nonfinite_ops>, "NaN/inf ops", text::count,
                                     {.spare = 8, .behind = "loss_scale_final", .tone = text::Tone::Bad}),
      number_column<queries::RunRow>({"loss_scale_final", "Loss scale at the end."}, &queries::RunRow::loss_scale_final,
                                     "scale", text::plain, {.spare = 1})};
}

RunColumns run_ending() {
  return {
      {.key = "op_calls", .about = "Number of op calls that were recorded.", .value = &queries::RunRow::op_calls},
      {.key = "casts",
       .about = "Number of casts that AMP or torch.autocast inserted.",
       .value = &queries::RunRow::casts},
      {.key = "exit_code",
       .about = "Exit code of the program; 128 + signal if a signal ended it.",
       .value = run_figure(&queries::RunRow::exit_code)},
      {.key = "complete",
       .about = "True if program and recorder ended cleanly.",
       .value = &queries::RunRow::complete,
       .title = "complete",
       .cell = ending_of},
      {.key = "settings",
       .about =
           "Settings of LibTorch, recipes of matmuls, and under `gpus` the name and the clocks in MHz (lowest, median, "
           "highest) of each GPU that worked. `held_back_by` counts, by reason, the readings at which the clock was "
           "throttled.",
       .value = settings_of}};
}

const ViewOf<queries::RunRow>& declared_runs() {
  static const ViewOf<queries::RunRow> kView{
      .name = "runs",
      .columns = joined({run_identity(), run_environment(), run_steps(), run_costs(), run_losses(), run_ending()}),
      .none = "The report holds no run: the program has not been started yet."};
  return kView;
}

}  // namespace

Json to_json(const queries::RunRow& run) { return json_of(declared_runs().columns, run); }

std::string steps_text(const queries::RunRow& run) {
  return run.is_inference ? text::counted(run.steps, "call") : text::count(run.steps);
}

View runs_view(const std::vector<queries::RunRow>& runs) {
  std::vector<std::string_view> hidden;
  if (std::ranges::none_of(runs, queries::is_one_of_many)) hidden.emplace_back("rank");
  if (std::ranges::all_of(runs, [](const auto& run) { return run.what_if.empty(); })) hidden.emplace_back("what_if");
  return view_of(declared_runs(), runs, hidden);
}

}  // namespace ampprof::views
