// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/diagnosis/findings.h"
#include "analysis/diagnosis/shortfalls.h"
#include "analysis/ops/targets.h"
#include "analysis/ranks/report_rows.h"
#include "analysis/ranks/representatives.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/queries/stale_casts.h"
#include "reports/text/elide.h"
#include "reports/text/listed.h"
#include "reports/text/numbers.h"
#include "views/diagnosis/missing.h"
#include "views/events/event_text.h"
#include "views/ranks/rank_sentences.h"
#include "views/runs/run_choice.h"

namespace ampprof::views {
namespace {

using analysis::ReportRows;
using analysis::Targets;
using Sentences = std::vector<Sentence>;

constexpr std::size_t kNamedParameters = 3;

void say_how_runs_ended(const analysis::ReportRows& rows, Sentences& said) {
  if (rows.runs.empty()) said.push_back({"The report holds no run.", text::Tone::Attention});
  for (const queries::RunRow& run : rows.shown()) {
    if (run.complete && run.exit_code == 0) continue;
    const std::string label = label_of(run, rows.runs);
    if (!run.exit_code) {
      said.push_back(
          {label + " is still running or was killed; its figures reach as far as it came.", text::Tone::Attention});
    } else if (*run.exit_code != 0) {
      said.push_back(
          {fmt::format("{} ended with exit code {}; its figures reach as far as it came.", label, *run.exit_code),
           text::Tone::Bad});
    } else {
      said.push_back({label + " ended well, but its record is not complete.", text::Tone::Attention});
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
  for (const auto& [run, outcome] : losses.compared) {
    const std::string label = label_of(*run, rows.runs);
    if (outcome == Outcome::NotFinite) {
      said.push_back({fmt::format("{} does not train: its last losses are not finite.", label), text::Tone::Bad});
    } else if (outcome == Outcome::DoesNotFall) {
      said.push_back({fmt::format("{} does not train: its loss ends at {} and does not fall; that of O0 falls to {}.",
                                  label, loss_of(*run), loss_of(*losses.baseline)),
                      text::Tone::Bad});
    } else if (outcome == Outcome::Same) {
      same.push_back(label);
    } else {
      said.push_back(higher_or_lower(*run, *losses.baseline, outcome == Outcome::Higher, label));
    }
  }
  if (same.empty()) return;
  said.push_back({fmt::format("{} {} at the loss of O0 within its noise: {}.", text::listed(same),
                              same.size() == 1 ? "ends" : "end", loss_of(*losses.baseline)),
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

/// Returns the event that did most; of several the first. Null where a scaler saw all.
const queries::EventRow* worst_unseen(const analysis::ReportRows& rows, const queries::RunRow& run) {
  const queries::EventRow* worst = nullptr;
  for (const queries::EventRow& event : rows.events) {
    if (event.run != run.run || event.by_scaler) continue;
    if (worst == nullptr || event.outcome > worst->outcome) worst = &event;
  }
  return worst;
}

void say_what_no_scaler_saw(const analysis::ReportRows& rows, Sentences& said) {
  for (const queries::RunRow& run : rows.shown()) {
    const queries::EventRow* worst = worst_unseen(rows, run);
    if (worst == nullptr) continue;
    const std::int64_t events = run.nonfinite_events - run.overflow_events;
    said.push_back({fmt::format("{}: {} of NaN or inf that no loss scaler saw. The {} began in step {}: {} ({}), {}.",
                                label_of(run, rows.runs), text::counted(events, "event"), events == 1 ? "one" : "worst",
                                worst->step, origin_text(*worst), cause_text(*worst), outcome_text(*worst)),
                    worst->outcome < NonfiniteOutcome::Result ? text::Tone::Attention : text::Tone::Bad});
  }
}

/// Of the run of interest: it has one cause, however many parameters are old.
void say_stale_casts(const analysis::ReportRows& rows, const queries::RunRow& run, Sentences& said) {
  std::vector<std::string> names;
  std::int64_t hits = 0;
  std::int64_t steps_old = 0;
  for (const queries::StaleCastRow& row : rows.stale_casts) {
    if (row.run != run.run) continue;
    const std::string name = row.total.parameter.empty() ? "a tensor" : text::printable(row.total.parameter);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    hits += row.hits;
    steps_old = std::max(steps_old, row.steps_old);
  }
  if (names.empty()) return;
  const std::size_t further = names.size() > kNamedParameters ? names.size() - kNamedParameters : 0;
  names.resize(names.size() - further);
  if (further > 0) names.push_back(fmt::format("{} more", further));
  const std::string when =
      steps_old == 0 ? "in the same step" : fmt::format("up to {} earlier", text::counted(steps_old, "step"));
  said.push_back(
      {fmt::format("{} used stale casts {}: torch.autocast had cast {} before {} written, {}. End the autocast "
                   "block before weights change, or call torch.clear_autocast_cache() then.",
                   label_of(run, rows.runs), text::counted(hits, "time"), text::listed(names),
                   names.size() == 1 ? "it was" : "they were", when),
       text::Tone::Bad});
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
  const auto found = analysis::largest_impacts(rows, run.run, kNamed);
  if (!found) return;
  std::vector<std::string> parts;
  for (const auto& [impact, share] : found->largest) {
    parts.push_back(fmt::format("{} ({}, {})", text::printable(impact->name), text::scientific(*impact->size()),
                                text::percent(share)));
  }
  std::vector<std::string> changes;
  for (const auto& [loss, sum] : found->change_of_loss) {
    changes.push_back(text::signed_scientific(sum) +
                      (found->change_of_loss.size() > 1 ? " of loss " + std::to_string(loss) : ""));
  }
  const bool is_known = run.loss_change && changes.size() == 1;
  if (is_known) changes = {text::signed_scientific(*run.loss_change)};
  const char* const does = !is_known ? "is predicted to change" : run.what_if.empty() ? "changes" : "would change";
  said.push_back({fmt::format("Reduced precision {} the loss of {} by {} a step; most by {}.", does,
                              label_of(run, rows.runs), text::listed(changes), text::listed(parts))});
}

void say_what_first_diverging(const analysis::ReportRows& rows, const queries::RunRow& run, Sentences& said) {
  if (!analysis::has_inherited_error(rows, run.run)) return;
  const std::string label = label_of(run, rows.runs);
  const std::string reference = text::printable(run.reference == "fp64" ? "FP64" : "FP32");
  const auto first = queries::first_to_diverge(rows.ops, run.run, rows.threshold);
  if (!first) {
    said.push_back(
        {fmt::format("No op of {} diverges from a step in {} by {:g} or more.", label, reference, rows.threshold),
         text::Tone::Good});
  } else {
    said.push_back({fmt::format("The first op of {} that diverges from a step in {} by {:g} or more: {} ({}).", label,
                                reference, rows.threshold, text::printable(first->call_site),
                                text::scientific(first->inherited->relative_l2()))});
  }
}

void say_tensor_cores(const analysis::ReportRows& rows, const analysis::Targets& targets, const queries::RunRow& run,
                      Sentences& said) {
  const analysis::JudgedOps judged = analysis::judged_ops(rows, targets, run.run);
  if (judged.ops == 0) return;
  const auto misses = analysis::tensor_core_misses(rows, targets, run.run).size();
  const std::string label = label_of(run, rows.runs);
  if (misses == 0) {
    said.push_back({fmt::format("All {} GEMMs and convolutions of {} have sizes that suit Tensor Cores ({}).",
                                judged.ops, label, judged.gpu),
                    text::Tone::Good});
  } else {
    said.push_back({fmt::format("{} of the {} GEMMs and convolutions of {} have sizes that miss a Tensor Core rule "
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
  said.push_back({fmt::format("{} of {} could run on Tensor Cores and did not; the longest is {} ({} in {}).",
                              text::counted(std::ssize(without), "matmul"), label_of(run, rows.runs),
                              text::printable(longest.call_site), text::microseconds(*longest.gpu_us),
                              text::counted(longest.calls, "call")),
                  text::Tone::Attention});
}

void say_what_the_gpu_waits_for(const analysis::ReportRows& rows, const queries::RunRow& run, Sentences& said) {
  const auto idle = analysis::large_idle_share(run);
  if (!idle) return;
  said.push_back({fmt::format("The GPU does nothing for {} of a step of {}: a faster type cannot shorten that time.",
                              text::percent(*idle), label_of(run, rows.runs)),
                  text::Tone::Attention});
}

void say_how_clocks_differ(const analysis::ReportRows& rows, Sentences& said) {
  const auto apart = analysis::clocks_apart(rows.runs);
  if (!apart) return;
  const std::string& reason = apart->slow_clocks.held_back_by;
  said.push_back({fmt::format("The GPU ran at {} MHz in {} and at {} MHz in {}{}: their times do not compare. "
                              "nvidia-smi --lock-gpu-clocks holds it at one.",
                              text::count(apart->fast_clocks.sm_mhz), label_of(*apart->fast, rows.runs),
                              text::count(apart->slow_clocks.sm_mhz), label_of(*apart->slow, rows.runs),
                              reason.empty() ? "" : " (" + text::printable(reason) + ")"),
                  text::Tone::Attention});
}

void say_what_is_missing(const analysis::ReportRows& rows, Sentences& said) {
  if (rows.missing.empty()) return;
  const auto things = static_cast<std::int64_t>(missing_things(rows.missing).size());
  said.push_back({fmt::format("Not in this report: {}, listed at the end.", text::counted(things, "thing")),
                  text::Tone::Attention});
}

void say_what_times_mean(const analysis::ReportRows& rows, Sentences& said) {
  if (analysis::holds_times_of_cpu(rows.runs)) said.push_back({kTimesOfCpu, text::Tone::Faint});
}

}  // namespace

std::vector<Sentence> answer(const analysis::ReportRows& rows, const analysis::Targets& targets) {
  Sentences said;
  const auto read_in = [&](const char* view, auto say, const auto&... of) {
    const std::size_t before = said.size();
    say(rows, of..., said);
    for (std::size_t i = before; i < said.size(); ++i) said[i].view = view;
  };
  read_in("ranks", say_which_ranks_are_shown);
  read_in("runs", say_how_runs_ended);
  read_in("casts", say_what_was_not_cast);
  read_in("runs", say_how_losses_compare);
  read_in("events", say_overflows);
  read_in("events", say_what_no_scaler_saw);
  if (const auto run = analysis::run_of_interest(rows.shown())) {
    read_in("stale-casts", say_stale_casts, *run);
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
