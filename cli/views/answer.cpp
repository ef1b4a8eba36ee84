// SPDX-License-Identifier: Apache-2.0
#include "cli/views/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "cli/text/elide.h"
#include "cli/text/nearest.h"
#include "cli/text/numbers.h"
#include "cli/views/executed.h"
#include "cli/views/settings.h"
#include "cli/views/views.h"
#include "reports/queries/first_to_diverge.h"

namespace ampprof::cli {
namespace {

using Statements = std::vector<Statement>;

void say_how_runs_ended(const Findings& findings, Statements& said) {
  if (findings.runs.empty()) said.push_back({"The report holds no run.", Tone::Attention});
  for (const RunRow& run : findings.runs) {
    if (run.complete && run.exit_code == 0) continue;
    const std::string label = label_of(run, findings.runs);
    if (!run.exit_code) {
      said.push_back(
          {label + " is still running or was killed; its figures reach as far as it came.", Tone::Attention});
    } else if (*run.exit_code != 0) {
      said.push_back(
          {fmt::format("{} ended with exit code {}; its figures reach as far as it came.", label, *run.exit_code),
           Tone::Bad});
    } else {
      said.push_back({label + " ended well, but its record is not complete.", Tone::Attention});
    }
  }
}

std::string loss_of(const RunRow& run) {
  return number(*run.final_loss) + (run.final_loss_noise ? " ± " + uncertainty(*run.final_loss_noise) : "");
}

// Two standard errors of the difference of two means.
double noise_between(const RunRow& a, const RunRow& b) {
  return 2 * std::hypot(a.final_loss_noise.value_or(0), b.final_loss_noise.value_or(0));
}

void say_how_losses_compare(const Findings& findings, Statements& said) {
  const auto& runs = findings.runs;
  const auto base =
      std::find_if(runs.begin(), runs.end(), [](const RunRow& run) { return run.level == "O0" && run.final_loss; });
  std::vector<std::string> same;
  for (const RunRow& run : runs) {
    if (!run.final_loss) continue;
    const std::string label = label_of(run, runs);
    if (!std::isfinite(*run.final_loss)) {
      said.push_back(
          {fmt::format("{} does not train: its final loss is {}.", label, number(*run.final_loss)), Tone::Bad});
    } else if (base != runs.end() && run.level != "O0" && std::isfinite(*base->final_loss)) {
      const double difference = *run.final_loss - *base->final_loss;
      if (std::abs(difference) <= noise_between(run, *base)) {
        same.push_back(label);
      } else {
        said.push_back({fmt::format("{} ends at a {} loss than O0: {} against {}.", label,
                                    difference > 0 ? "higher" : "lower", loss_of(run), loss_of(*base)),
                        difference > 0 ? Tone::Attention : Tone::Plain});
      }
    }
  }
  if (!same.empty()) {
    said.push_back({fmt::format("{} {} at the loss of O0 within its noise: {}.", listed(same),
                                same.size() == 1 ? "ends" : "end", loss_of(*base)),
                    Tone::Good});
  }
}

void say_what_was_not_cast(const Findings& findings, Statements& said) {
  for (const RunRow& run : findings.runs) {
    if (!inserted_no_cast(run)) continue;
    said.push_back({label_of(run, findings.runs) + ": 0 casts. " + kNoCasts, Tone::Attention});
  }
}

void say_overflows(const Findings& findings, Statements& said) {
  std::vector<std::string> parts;
  for (const RunRow& run : findings.runs) {
    if (run.overflow_events == 0) continue;
    parts.push_back(fmt::format("{} in {} ({} skipped)", count(run.overflow_events), label_of(run, findings.runs),
                                counted(run.skipped_steps, "step")));
  }
  if (!parts.empty()) said.push_back({"Gradients overflowed: " + listed(parts) + ".", Tone::Attention});
}

void say_worst_ops(const Findings& findings, const RunRow& run, Statements& said) {
  std::vector<std::string> parts;
  for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Inference}) {
    for (const OpRow& op : worst_ops(findings, run.run, phase, 1)) {
      parts.push_back(fmt::format("{} ({})", printable(op.call_site), scientific(op.local->relative_l2())));
    }
  }
  if (parts.empty()) return;
  said.push_back({fmt::format("Largest local error of {}: {}.", label_of(run, findings.runs), listed(parts))});
}

/// What changes the loss of a run most; its parts are squares, as for ampprof advise.
void say_largest_impacts(const Findings& findings, const RunRow& run, Statements& said) {
  constexpr std::size_t kNamed = 3;
  std::vector<ImpactRow> impacts;
  std::map<std::int32_t, double> sums;
  double squares = 0.0;
  for (const ImpactRow& impact : findings.impacts) {
    if (impact.run != run.run || !impact.impact) continue;
    sums[impact.loss_id] += *impact.impact;
    squares += std::pow(impact.impact_rms.value_or(0.0), 2);
    impacts.push_back(impact);
  }
  if (impacts.empty() || squares == 0.0) return;
  std::stable_sort(impacts.begin(), impacts.end(),
                   [](const ImpactRow& a, const ImpactRow& b) { return a.impact_rms > b.impact_rms; });
  impacts.resize(std::min(impacts.size(), kNamed));
  std::vector<std::string> parts;
  for (const ImpactRow& impact : impacts) {
    parts.push_back(fmt::format("{} ({}, {})", printable(impact.name), scientific(*impact.impact_rms),
                                percent(std::pow(*impact.impact_rms, 2) / squares)));
  }
  std::vector<std::string> changes;
  for (const auto& [loss, sum] : sums) {
    changes.push_back((sum > 0 ? "+" : "") + scientific(sum) +
                      (sums.size() > 1 ? " of loss " + std::to_string(loss) : ""));
  }
  said.push_back({fmt::format("Reduced precision is predicted to change the loss of {} by {} a step; most by {}.",
                              label_of(run, findings.runs), listed(changes), listed(parts))});
}

void say_what_diverges_first(const Findings& findings, const RunRow& run, Statements& said) {
  const bool was_measured = std::any_of(findings.ops.begin(), findings.ops.end(),
                                        [&](const OpRow& op) { return op.run == run.run && op.inherited; });
  if (!was_measured) return;
  const std::string label = label_of(run, findings.runs);
  const std::string reference = printable(run.reference == "fp64" ? "FP64" : "FP32");
  const auto first = first_to_diverge(findings.ops, run.run, findings.threshold);
  if (!first) {
    said.push_back(
        {fmt::format("No op of {} diverges from a step in {} by {:g} or more.", label, reference, findings.threshold),
         Tone::Good});
  } else {
    said.push_back(
        {fmt::format("The first op of {} that diverges from a step in {} by {:g} or more: {} ({}).", label, reference,
                     findings.threshold, printable(first->call_site), scientific(first->inherited->relative_l2()))});
  }
}

void say_tensor_cores(const Findings& findings, const Targets& targets, const RunRow& run, Statements& said) {
  std::int64_t all = 0;
  std::string gpu;
  for (const OpRow& op : findings.ops) {
    if (op.run != run.run) continue;
    if (const auto verdict = targets.verdict(op)) {
      ++all;
      gpu = verdict->target_gpu;
    }
  }
  if (all == 0) return;
  const auto misses = static_cast<std::int64_t>(tensor_core_misses(findings, targets, run.run).size());
  const std::string label = label_of(run, findings.runs);
  if (misses == 0) {
    said.push_back(
        {fmt::format("All {} GEMMs and convolutions of {} have sizes that suit Tensor Cores ({}).", all, label, gpu),
         Tone::Good});
  } else {
    said.push_back({fmt::format("{} of the {} GEMMs and convolutions of {} have sizes that miss a Tensor Core rule "
                                "({}).",
                                misses, all, label, gpu),
                    Tone::Attention});
  }
}

/// Matmuls in a type that Tensor Cores take, that ran without them all the same: the longest first.
void say_what_ran_without_them(const Findings& findings, const Targets& targets, const RunRow& run, Statements& said) {
  std::vector<const OpRow*> without;
  for (const OpRow& op : findings.ops) {
    if (op.run != run.run || !op.gpu_us) continue;
    const auto verdict = targets.verdict(op);
    const bool could = verdict && verdict->dtype_ok && verdict->rule_today != rules::RuleToday::NotEligible;
    if (could && (verdict->executed == kernel_names::Executed::NotUsed ||
                  verdict->executed == kernel_names::Executed::Fp16NotTensorCore)) {
      without.push_back(&op);
    }
  }
  if (without.empty()) return;
  std::ranges::stable_sort(without, std::greater(), [](const OpRow* op) { return *op->gpu_us; });
  const OpRow& longest = *without.front();
  said.push_back(
      {fmt::format("{} of {} could run on Tensor Cores and did not; the longest is {} ({} in {}).",
                   counted(std::ssize(without), "matmul"), label_of(run, findings.runs), printable(longest.call_site),
                   microseconds(*longest.gpu_us), counted(longest.calls, "call")),
       Tone::Attention});
}

void say_what_the_gpu_waits_for(const Findings& findings, const RunRow& run, Statements& said) {
  constexpr double kMostlyIdle = 0.5;
  if (!run.gpu_busy_share || *run.gpu_busy_share >= kMostlyIdle) return;
  said.push_back({fmt::format("The GPU did nothing for {} of {}: a faster type cannot shorten that time.",
                              percent(1.0 - *run.gpu_busy_share), label_of(run, findings.runs)),
                  Tone::Attention});
}

void say_how_clocks_differ(const Findings& findings, Statements& said) {
  constexpr double kAlike = 1.05;
  struct Seen {
    const RunRow* run;
    GpuClocks clocks;
  };
  std::vector<Seen> seen;
  for (const RunRow& run : findings.runs) {
    if (const auto clocks = Settings(run).gpu_clocks()) seen.push_back({&run, *clocks});
  }
  const auto [slow, fast] = std::ranges::minmax_element(seen, {}, [](const Seen& each) { return each.clocks.sm_mhz; });
  if (slow == fast || static_cast<double>(fast->clocks.sm_mhz) < kAlike * static_cast<double>(slow->clocks.sm_mhz))
    return;
  const std::string& reason = slow->clocks.held_back_by;
  said.push_back(
      {fmt::format("The GPU ran at {} MHz in {} and at {} MHz in {}{}: their times do not compare. "
                   "nvidia-smi --lock-gpu-clocks holds it at one.",
                   count(fast->clocks.sm_mhz), label_of(*fast->run, findings.runs), count(slow->clocks.sm_mhz),
                   label_of(*slow->run, findings.runs), reason.empty() ? "" : " (" + printable(reason) + ")"),
       Tone::Attention});
}

void say_what_is_missing(const Findings& findings, Statements& said) {
  if (findings.missing.empty()) return;
  const auto things = static_cast<std::int64_t>(missing_things(findings.missing).size());
  said.push_back(
      {fmt::format("Not in this report: {}, listed at the end.", counted(things, "thing")), Tone::Attention});
}

void say_what_times_mean(const Findings& findings, Statements& said) {
  if (holds_times_of_cpu(findings.runs)) said.push_back({kTimesOfCpu, Tone::Faint});
}

}  // namespace

std::optional<RunRow> run_of_interest(const std::vector<RunRow>& runs) {
  for (const char* level : {"O1", "O2", "O3"}) {
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const RunRow& run) { return run.level == level; });
    if (found != runs.end()) return *found;
  }
  return runs.empty() ? std::nullopt : std::optional(runs.back());
}

std::vector<OpRow> worst_ops(const Findings& findings, std::int64_t run, Phase phase, std::size_t limit) {
  std::vector<OpRow> ops;
  std::copy_if(findings.ops.begin(), findings.ops.end(), std::back_inserter(ops), [&](const OpRow& op) {
    return op.run == run && op.phase == phase && op.local && op.local->relative_l2() != 0;
  });
  std::stable_sort(ops.begin(), ops.end(), has_larger_error);
  ops.resize(std::min(ops.size(), limit));
  return ops;
}

std::vector<OpRow> tensor_core_misses(const Findings& findings, const Targets& targets, std::int64_t run) {
  std::vector<OpRow> misses;
  for (const OpRow& op : findings.ops) {
    if (op.run != run) continue;
    const auto verdict = targets.verdict(op);
    if (verdict && misses_tensor_cores(*verdict)) misses.push_back(op);
  }
  std::stable_sort(misses.begin(), misses.end(), [](const OpRow& a, const OpRow& b) {
    return a.gpu_us.value_or(a.cpu_us) > b.gpu_us.value_or(b.cpu_us);
  });
  return misses;
}

bool holds_times_of_cpu(const std::vector<RunRow>& runs) {
  return std::ranges::any_of(runs,
                             [](const RunRow& run) { return run.ms_per_step && Settings(run).is_on("fp16_emulated"); });
}

std::vector<Statement> answer(const Findings& findings, const Targets& targets) {
  Statements said;
  const auto read_in = [&](const char* view, auto say, const auto&... of) {
    const std::size_t before = said.size();
    say(findings, of..., said);
    for (std::size_t i = before; i < said.size(); ++i) said[i].view = view;
  };
  read_in("runs", say_how_runs_ended);
  read_in("casts", say_what_was_not_cast);
  read_in("runs", say_how_losses_compare);
  read_in("events", say_overflows);
  if (const auto run = run_of_interest(findings.runs)) {
    read_in("ops", say_worst_ops, *run);
    read_in("impact", say_largest_impacts, *run);
    read_in("ops", say_what_diverges_first, *run);
    read_in("tensor-cores", say_tensor_cores, targets, *run);
    read_in("tensor-cores", say_what_ran_without_them, targets, *run);
    read_in("idle", say_what_the_gpu_waits_for, *run);
  }
  read_in("runs", say_how_clocks_differ);
  read_in("missing", say_what_is_missing);
  read_in("runs", say_what_times_mean);
  return said;
}

std::string wrapped(const Statement& statement, const Terminal& terminal) {
  std::string result;
  for (const std::string& line : wrap(statement.text, terminal.width, 2)) {
    result += painted(line, statement.tone, terminal.colours) + '\n';
  }
  return result;
}

}  // namespace ampprof::cli
