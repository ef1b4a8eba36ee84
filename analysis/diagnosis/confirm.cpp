// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/confirm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/diagnosis/diagnose.h"
#include "reports/queries/runs.h"
#include "reports/records/event.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

constexpr double kLeft = 0.5;  // a remedy helped if less than this share of the finding's cost remains

bool has(const std::vector<Finding>& findings, const Finding& wanted) {
  return std::ranges::any_of(findings, [&](const Finding& each) { return is_same_finding(each, wanted); });
}

double cost_of(const std::vector<Finding>& findings, const Finding& wanted) {
  const auto found = std::ranges::find_if(findings, [&](const Finding& each) { return is_same_finding(each, wanted); });
  return found == findings.end() ? 0.0 : found->cost;
}

/// Returns whether the run with the remedy executes at least half of the steps that the finding skipped. If not,
/// another fault skips these steps too, and the finding is not cured. True for a finding that skips no steps.
bool skips_less(const Finding& finding, const queries::RunRow& before, const queries::RunRow& now) {
  const bool skips = !finding.chain.empty() && finding.chain.back().starts_with(name_of(NonfiniteOutcome::Skipped));
  const double expected = kLeft * finding.cost * static_cast<double>(before.steps);
  return !skips || static_cast<double>(before.skipped_steps - now.skipped_steps) >= expected;
}

/// Returns whether the loss scale changes the loss of the first step, which is computed before any gradient. If so, the
/// program computes losses from scaled values.
bool changes_first_loss(const RemedyTrial& trial, const Diagnosed& without, const Diagnosed& with) {
  constexpr double kNoise = 1e-3;
  const auto before = without.run.initial_loss;
  const auto now = with.run.initial_loss;
  const bool scales = trial.remedy->word.find("_scale=") != std::string::npos;
  if (!scales || !before || !now || !std::isfinite(*before) || !std::isfinite(*now)) return false;
  return std::abs(*now - *before) > kNoise * std::max(std::abs(*now), std::abs(*before));
}

bool helps(const Finding& finding, const Diagnosed& without, const Diagnosed& with) {
  if (with.run.ends_nonfinite && !without.run.ends_nonfinite) return false;
  if (has(with.findings, finding) && cost_of(with.findings, finding) >= kLeft * finding.cost) return false;
  if (!skips_less(finding, without.run, with.run)) return false;
  return std::ranges::none_of(
      with.findings, [&](const Finding& each) { return !has(without.findings, each) && each.cost >= finding.cost; });
}

std::string last_loss(const queries::RunRow& run) {
  if (run.ends_nonfinite) return "NaN or inf";
  return run.last_loss_mean ? text::number(*run.last_loss_mean) : "";
}

/// Describes the metrics in which two runs differ: "skipped steps 0 instead of 3".
std::vector<std::string> differences(const queries::RunRow& before, const queries::RunRow& now) {
  std::vector<std::string> said;
  const auto add = [&](const char* what, const std::string& was, const std::string& is) {
    if (was != is && !was.empty() && !is.empty()) said.push_back(fmt::format("{} {} instead of {}", what, is, was));
  };
  add("skipped steps", text::count(before.skipped_steps), text::count(now.skipped_steps));
  add("non-finite events", text::count(before.nonfinite_events), text::count(now.nonfinite_events));
  add("mean of the last losses", last_loss(before), last_loss(now));
  return said;
}

std::string outcome_of(const Finding& finding, const Diagnosed& without, const Diagnosed& with, bool helped) {
  const char* begin = helped                        ? "is gone"
                      : has(with.findings, finding) ? "remains"
                                                    : "is gone, but the run is hardly better";
  const std::vector<std::string> said = differences(without.run, with.run);
  return fmt::format("In a run with the remedy, the finding {}{}{}.", begin, said.empty() ? "" : "; ",
                     fmt::join(said, ", "));
}

std::string explained_by(const Finding& finding, const Diagnosed& without, const Diagnosed& with) {
  std::vector<std::string> kinds;
  for (const Finding& each : without.findings) {
    if (!is_same_finding(each, finding) && !has(with.findings, each)) kinds.emplace_back(each.kind);
  }
  return fmt::format("{}", fmt::join(kinds, ","));
}

}  // namespace

std::vector<RemedyTrial> trials_of(const std::vector<Finding>& findings, std::string_view only) {
  std::vector<RemedyTrial> trials;
  for (const Finding& finding : findings) {
    const auto first = std::ssize(trials);
    for (const Remedy& remedy : finding.remedies) {
      const bool is_tried = std::any_of(trials.begin() + first, trials.end(), [&](const RemedyTrial& trial) {
        return trial.remedy->trial() == remedy.trial();
      });
      const bool is_wanted = only.empty() || remedy.trial() == only;
      if (!remedy.trial().empty() && is_wanted && !is_tried) trials.push_back({&finding, &remedy});
    }
  }
  return trials;
}

std::string remedy_to_try(const std::vector<Finding>& findings, std::int64_t run) {
  std::string open;
  for (const auto& [finding, remedy] : trials_of(findings)) {
    if (remedy->word.empty() || std::ranges::find(finding->runs, run) == finding->runs.end()) continue;
    if (remedy->helped == true) return remedy->word;
    if (!remedy->helped && open.empty()) open = remedy->word;
  }
  return open;
}

Confirmation confirmation_of(const RemedyTrial& trial, const Diagnosed& without, const Diagnosed& with) {
  const Finding& finding = *trial.finding;
  if (changes_first_loss(trial, without, with)) {
    return failed_confirmation(
        trial,
        fmt::format(
            "In a run with the remedy, the first loss is {} instead of {}. A loss scale must not change the loss, so "
            "the program must be computing a loss from scaled values. Divide these values by the scale.",
            text::number(*with.run.initial_loss), text::number(*without.run.initial_loss)));
  }
  const bool helped = helps(finding, without, with);
  return {.kind = std::string(finding.kind),
          .remedy = trial.remedy->trial(),
          .helped = helped,
          .outcome = outcome_of(finding, without, with, helped),
          .explains = helped ? explained_by(finding, without, with) : ""};
}

Confirmation failed_confirmation(const RemedyTrial& trial, std::string why) {
  return {.kind = std::string(trial.finding->kind),
          .remedy = trial.remedy->trial(),
          .helped = false,
          .outcome = std::move(why),
          .explains = ""};
}

}  // namespace ampprof::analysis
