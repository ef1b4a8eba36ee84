// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "analysis/diagnosis/diagnose.h"
#include "analysis/diagnosis/finding.h"
#include "analysis/diagnosis/highlights.h"
#include "analysis/diagnosis/shortfalls.h"
#include "analysis/ops/targets.h"
#include "analysis/ranks/report_rows.h"
#include "analysis/ranks/representatives.h"
#include "analysis/runs/run_settings.h"
#include "precision/formats/types/number_format.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/records/dtype.h"
#include "reports/text/elide.h"
#include "reports/text/listed.h"
#include "reports/text/numbers.h"
#include "reports/text/shell_text.h"
#include "views/diagnosis/findings.h"
#include "views/diagnosis/missing.h"
#include "views/ranks/rank_sentences.h"
#include "views/runs/run_choice.h"

namespace ampprof::views {
namespace {

using analysis::ReportRows;
using analysis::Targets;
using Sentences = std::vector<Sentence>;

void say_how_runs_ended(const analysis::ReportRows& rows, Sentences& said) {
  if (rows.runs.empty()) said.push_back({"The report holds no run.", text::Tone::Attention});
  for (const queries::RunRow& run : rows.shown()) {
    if (run.complete && run.exit_code == 0) continue;
    const std::string label = label_of(run, rows.runs);
    if (!run.exit_code) {
      said.push_back({label + " is still running or was killed; its numbers cover only what was recorded.",
                      text::Tone::Attention});
    } else if (*run.exit_code != 0) {
      said.push_back({fmt::format("{} ended with exit code {}; its numbers cover only what was recorded before.", label,
                                  *run.exit_code),
                      text::Tone::Bad});
    } else {
      said.push_back({label + " ended normally, but its recording is incomplete.", text::Tone::Attention});
    }
  }
}

void say_which_ranks_are_shown(const analysis::ReportRows& rows, Sentences& said) {
  if (!rows.representatives) return;
  for (const analysis::RepresentedLaunch& launch : rows.representatives->launches) {
    said.push_back(shown_of(launch, *rows.representatives));
  }
}

std::string loss_of(const queries::RunRow& run) {
  return text::number(*run.last_loss_mean) +
         (run.last_loss_noise ? " ± " + text::uncertainty(*run.last_loss_noise) : "");
}

Sentence higher_or_lower(const queries::RunRow& run, const queries::RunRow& baseline, bool is_higher,
                         const std::string& label) {
  return {fmt::format("{} ends at a {} loss than O0: {} against {}.", label, is_higher ? "higher" : "lower",
                      loss_of(run), loss_of(baseline)),
          is_higher ? text::Tone::Attention : text::Tone::Plain};
}

void say_how_losses_compare(const analysis::ReportRows& rows, Sentences& said) {
  using Outcome = analysis::FinalLosses::Compared::Outcome;
  const analysis::FinalLosses losses = analysis::compare_final_losses(rows.shown());
  std::vector<std::string> same;
  std::vector<std::string> same_losses;
  for (const auto& [run, outcome] : losses.compared) {
    const std::string label = label_of(*run, rows.runs);
    if (outcome == Outcome::NotFinite) {
      said.push_back({fmt::format("{} ends with losses that are NaN or inf.", label), text::Tone::Bad});
    } else if (outcome == Outcome::DoesNotFall) {
      said.push_back(
          {fmt::format("{} does not train: its loss ends at {} and does not fall; the loss of O0 falls to {}.", label,
                       loss_of(*run), loss_of(*losses.baseline)),
           text::Tone::Bad});
    } else if (outcome == Outcome::Same) {
      same.push_back(label);
      same_losses.push_back(loss_of(*run));
    } else {
      said.push_back(higher_or_lower(*run, *losses.baseline, outcome == Outcome::Higher, label));
    }
  }
  if (same.empty()) return;
  const char* meaning = losses.baseline->last_loss_noise ? " (mean ± standard error)" : "";
  said.push_back({fmt::format("{} {} the final loss of O0: {} against {}{}.", text::listed(same),
                              same.size() == 1 ? "reaches" : "reach", text::listed(same_losses),
                              loss_of(*losses.baseline), meaning),
                  text::Tone::Good});
}

void say_what_was_not_cast(const analysis::ReportRows& rows, Sentences& said) {
  for (const queries::RunRow& run : rows.shown()) {
    if (!analysis::inserted_no_cast(run)) continue;
    said.push_back({label_of(run, rows.runs) + ": 0 casts. " + kNoCasts, text::Tone::Attention});
  }
}

void say_overflows(const analysis::ReportRows& rows, Sentences& said) {
  std::vector<std::string> parts;
  for (const queries::RunRow& run : rows.shown()) {
    if (run.overflow_events == 0) continue;
    parts.push_back(fmt::format("{} in {} ({} skipped)", text::count(run.overflow_events), label_of(run, rows.runs),
                                text::counted(run.skipped_steps, "step")));
  }
  if (!parts.empty()) said.push_back({"Gradients overflowed: " + text::listed(parts) + ".", text::Tone::Attention});
}

bool computes_in_reduced_type(const analysis::ReportRows& rows, std::int64_t run) {
  return std::ranges::any_of(
      rows.ops, [run](const queries::OpRow& op) { return op.run == run && is_reduced_precision(op.dtype_out); });
}

/// Returns whether a run judges recipes (--what-if RECIPE or --screen), not just a type (--what-if TYPE).
bool judges_recipes(const queries::RunRow& run) {
  const bool judges_recipe = !run.what_if.empty() && !error::what_if_type(run.what_if);
  return judges_recipe || text::flag_in(run.flags, "--screen").has_value();
}

void say_where_recipes_are(const analysis::ReportRows& rows, Sentences& said) {
  if (std::ranges::none_of(rows.runs, judges_recipes)) return;
  said.push_back({"What each recipe does to each layer and to the loss: ampprof show REPORT recipes"});
}

void say_what_is_not_known(const analysis::ReportRows& rows, Sentences& said) {
  const auto run = analysis::run_of_interest(rows.shown());
  if (!run || run->op_calls == 0 || run->ends_nonfinite) return;
  const std::string label = label_of(*run, rows.runs);
  if (!run->reads_values()) {
    said.push_back({"The precision of " + label + " was not measured: --reference off records times only.",
                    text::Tone::Attention});
  } else if (!computes_in_reduced_type(rows, run->run)) {
    if (const std::string recipes = analysis::RunSettings(run->settings_json).recipes(); !recipes.empty()) {
      said.push_back({fmt::format("The matmuls of {} round their operands to {}. All other ops compute in FP32.", label,
                                  text::printable(recipes))});
    } else if (run->level.empty() &&
               std::ranges::all_of(rows.runs, [](const queries::RunRow& each) { return each.what_if.empty(); })) {
      said.push_back({label + " computes in FP32. ampprof run --what-if fp16 predicts what FP16 would do to it."});
    }
  } else if (analysis::has_inherited_error(rows, run->run)) {
    said.push_back({"No precision fault was found in " + label + ".", text::Tone::Good});
  } else {
    said.push_back({"No precision fault was found in " + label +
                        ". Errors that build up over a step or over several steps are only measured with --inherited.",
                    text::Tone::Good});
  }
}

void say_worst_ops(const analysis::ReportRows& rows, const queries::RunRow& run, Sentences& said) {
  std::vector<std::string> parts;
  for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Inference}) {
    for (const queries::OpRow& op : analysis::worst_ops(rows, run.run, phase, 1)) {
      parts.push_back(fmt::format("{} ({})", text::printable(op.call_site), text::scientific(op.local->relative_l2())));
    }
  }
  if (parts.empty()) return;
  said.push_back({fmt::format("Largest local error of {}: {}.", label_of(run, rows.runs), text::listed(parts))});
}

void say_largest_impacts(const analysis::ReportRows& rows, const queries::RunRow& run, Sentences& said) {
  constexpr std::size_t kNamed = 3;
  constexpr double kSmallShare = 0.01;
  const auto found = analysis::largest_impacts(rows, run.run, kNamed);
  if (!found) return;
  std::vector<std::string> parts;
  for (const auto& [impact, share] : found->largest) {
    if (share < kSmallShare && !parts.empty()) break;
    parts.push_back(fmt::format("{} {}", text::printable(impact->name), text::scientific(*impact->size())));
  }
  std::vector<std::string> changes;
  for (const auto& [loss, sum] : found->change_of_loss) {
    changes.push_back(text::signed_scientific(sum) +
                      (found->change_of_loss.size() > 1 ? " of loss " + std::to_string(loss) : ""));
  }
  const bool is_known = run.loss_change && changes.size() == 1;
  const std::string predicted = is_known ? fmt::format("; predicted: {}", changes[0]) : "";
  if (is_known) changes = {text::signed_scientific(*run.loss_change)};
  const char* const does = !is_known ? "is predicted to change" : run.what_if.empty() ? "changes" : "would change";
  const bool is_finite =
      is_known
          ? std::isfinite(*run.loss_change)
          : std::ranges::all_of(found->change_of_loss, [](const auto& change) { return std::isfinite(change.second); });
  if (!is_finite) return;
  said.push_back({fmt::format(
      "Reduced precision {} the loss of {} by {} per step (signed mean{}). Largest E (expected, RMS): "
      "{}.",
      does, label_of(run, rows.runs), text::listed(changes), predicted, text::listed(parts))});
}

void say_what_first_diverging(const analysis::ReportRows& rows, const queries::RunRow& run, Sentences& said) {
  if (!analysis::has_inherited_error(rows, run.run)) return;
  const std::string label = label_of(run, rows.runs);
  const std::string reference = text::printable(run.reference == "fp64" ? "FP64" : "FP32");
  const auto first = queries::first_to_diverge(rows.ops, run.run, rows.threshold);
  if (!first) {
    said.push_back({fmt::format("The accumulated error of {} stays below {:g} (relative to the same step in {}).",
                                label, rows.threshold, reference),
                    text::Tone::Good});
  } else {
    said.push_back({fmt::format(
        "The accumulated error of {} (relative to the same step in {}) first reaches {:g} at {}, where it is {}.",
        label, reference, rows.threshold, text::printable(first->call_site),
        text::scientific(first->inherited->relative_l2()))});
  }
}

/// Returns the number of ops for each obstacle to Tensor Cores: "no BF16 on T4: 2; depthwise: 1".
std::string obstacles_of(const analysis::JudgedOps& judged) {
  std::string text;
  for (const auto& obstacle : judged.obstacles) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", text::printable(obstacle.brief), obstacle.ops);
  }
  return text;
}

/// Appends a sentence that no matmul of a run can use Tensor Cores, with the reasons.
void say_none_can_use_tensor_cores(const analysis::JudgedOps& judged, const std::string& label, Sentences& said) {
  std::string text = fmt::format("None of the {} matmuls and convolutions of {} can use Tensor Cores ({}).", judged.ops,
                                 label, text::printable(judged.gpu));
  for (const auto& obstacle : judged.obstacles) text += " " + text::printable(obstacle.reason);
  said.push_back({text, text::Tone::Attention});
}

void say_tensor_cores(const analysis::ReportRows& rows, const analysis::Targets& targets, const queries::RunRow& run,
                      Sentences& said) {
  const analysis::JudgedOps judged = analysis::judged_ops(rows, targets, run.run);
  if (judged.ops == 0) return;
  const std::string label = label_of(run, rows.runs);
  std::int64_t cannot = 0;
  for (const auto& obstacle : judged.obstacles) cannot += obstacle.ops;
  if (judged.eligible == 0 && cannot > 0) return say_none_can_use_tensor_cores(judged, label, said);
  const auto misses = std::ssize(analysis::tensor_core_misses(rows, targets, run.run)) - cannot;
  if (cannot > 0) {
    said.push_back(
        {fmt::format("{} of the {} matmuls and convolutions of {} cannot use Tensor Cores on {} ({}). {}", cannot,
                     judged.ops, label, text::printable(judged.gpu), obstacles_of(judged),
                     misses == 0 ? "The sizes of the others suit Tensor Cores."
                                 : "The sizes of " + std::to_string(misses) + " more slow down Tensor Cores."),
         text::Tone::Attention});
  } else if (misses == 0) {
    said.push_back({fmt::format("All {} matmuls and convolutions of {} have sizes that suit Tensor Cores ({}).",
                                judged.ops, label, judged.gpu),
                    text::Tone::Good});
  } else {
    said.push_back({fmt::format("{} of the {} matmuls and convolutions of {} have sizes that slow down Tensor Cores "
                                "({}).",
                                misses, judged.ops, label, judged.gpu),
                    text::Tone::Attention});
  }
}

void say_what_ran_without_them(const analysis::ReportRows& rows, const analysis::Targets& targets,
                               const queries::RunRow& run, Sentences& said) {
  const std::vector<const queries::OpRow*> without = analysis::avoidably_without_tensor_cores(rows, targets, run.run);
  if (without.empty()) return;
  const queries::OpRow& longest = *without.front();
  said.push_back({fmt::format("{} of {} could run on Tensor Cores but did not; the longest is {} ({} in {}).",
                              text::counted(std::ssize(without), "matmul"), label_of(run, rows.runs),
                              text::printable(longest.call_site), text::microseconds(*longest.gpu_us),
                              text::counted(longest.calls, "call")),
                  text::Tone::Attention});
}

void say_what_the_gpu_waits_for(const analysis::ReportRows& rows, const queries::RunRow& run, Sentences& said) {
  const auto idle = analysis::large_idle_share(run);
  if (!idle) return;
  said.push_back({fmt::format("The GPU is idle for {} of a step of {}; a faster type cannot shorten that time.",
                              text::percent(*idle), label_of(run, rows.runs)),
                  text::Tone::Attention});
}

void say_how_clocks_differ(const analysis::ReportRows& rows, Sentences& said) {
  const auto apart = analysis::clocks_apart(rows.runs);
  if (!apart) return;
  const std::string& reason = apart->slow_clocks.held_back_by;
  said.push_back({fmt::format("The GPU ran at {} MHz in {} and at {} MHz in {}{}: their times cannot be compared. "
                              "nvidia-smi --lock-gpu-clocks keeps the clock constant.",
                              text::count(apart->fast_clocks.sm_mhz), label_of(*apart->fast, rows.runs),
                              text::count(apart->slow_clocks.sm_mhz), label_of(*apart->slow, rows.runs),
                              reason.empty() ? "" : " (" + text::printable(reason) + ")"),
                  text::Tone::Attention});
}

void say_what_is_missing(const analysis::ReportRows& rows, Sentences& said) {
  if (rows.missing.empty()) return;
  const auto things = static_cast<std::int64_t>(missing_things(rows.missing).size());
  said.push_back(
      {fmt::format("Not in this report: {}. For details, see the view missing.", text::counted(things, "item")),
       text::Tone::Attention});
}

void say_what_times_mean(const analysis::ReportRows& rows, Sentences& said) {
  if (analysis::includes_emulated_times(rows.runs)) said.push_back({kTimesOfCpu, text::Tone::Faint});
}

}  // namespace

std::vector<Sentence> answer(const analysis::ReportRows& rows, const analysis::Targets& targets) {
  Sentences said = sentences_of(analysis::diagnose(rows), rows.runs);
  const auto read_in = [&](const char* view, auto say, const auto&... of) {
    const std::size_t before = said.size();
    say(rows, of..., said);
    for (std::size_t i = before; i < said.size(); ++i) said[i].view = view;
  };
  const bool has_findings = !said.empty();
  read_in("ranks", say_which_ranks_are_shown);
  read_in("runs", say_how_runs_ended);
  read_in("casts", say_what_was_not_cast);
  read_in("runs", say_how_losses_compare);
  read_in("events", say_overflows);
  if (!has_findings) read_in("findings", say_what_is_not_known);
  read_in("recipes", say_where_recipes_are);
  if (const auto run = analysis::run_of_interest(rows.shown())) {
    read_in("impact", say_largest_impacts, *run);
    read_in("ops", say_worst_ops, *run);
    read_in("ops", say_what_first_diverging, *run);
    read_in("tensor-cores", say_tensor_cores, targets, *run);
    read_in("tensor-cores", say_what_ran_without_them, targets, *run);
    read_in("idle", say_what_the_gpu_waits_for, *run);
  }
  read_in("runs", say_how_clocks_differ);
  read_in("missing", say_what_is_missing);
  read_in("runs", say_what_times_mean);
  return said;
}

}  // namespace ampprof::views
