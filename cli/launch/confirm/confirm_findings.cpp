// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/confirm/confirm_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "analysis/diagnosis/confirm.h"
#include "analysis/diagnosis/diagnose.h"
#include "analysis/ranks/report_rows.h"
#include "cli/launch/confirm/confirming_command.h"
#include "cli/launch/note.h"
#include "cli/launch/program/program.h"
#include "cli/launch/run/child.h"
#include "cli/launch/run/prepare.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/store/writer.h"
#include "reports/text/elide.h"
#include "reports/text/read_file.h"
#include "reports/text/usage_error.h"
#include "reports/text/write_file.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLookInterval{200};
constexpr const char* kNoEffect = " had no effect";  // ampprof_remedies.py prints this

/// The runs of one `ampprof advise --confirm`.
class ConfirmingRuns {
 public:
  ConfirmingRuns(const std::vector<analysis::Finding>& findings, const Installation& installation)
      : findings_(findings), installation_(installation) {}

  /// Returns nothing if a signal asked ampprof to stop.
  std::optional<Confirmation> confirm(const analysis::RemedyTrial& trial, const queries::RunRow& run);

 private:
  std::optional<Ending> run_again(const analysis::Remedy& remedy, const queries::RunRow& run);
  std::vector<analysis::Finding> findings_of(std::int64_t run) const;
  std::string last_line() const;
  fs::path recording() const { return folder_.path() / "confirm.ampprof"; }
  fs::path output() const { return folder_.path() / "output"; }

  const std::vector<analysis::Finding>& findings_;
  const Installation& installation_;
  store::TemporaryFolder folder_ = temporary_folder();
  Children children_;
};

std::optional<Ending> ConfirmingRuns::run_again(const analysis::Remedy& remedy, const queries::RunRow& run) {
  fs::path policy;
  if (const std::string text = confirming_policy(run, remedy); !text.empty()) {
    policy = folder_.path() / "policy";
    text::write_file(policy, text);
  }
  std::error_code ignored;
  fs::remove(recording(), ignored);
  const std::string command = confirming_command(run, remedy, installation_.bin / "ampprof", recording(), policy);
  note(command);
  const Program shell{.kind = ProgramKind::Script, .executable = "/bin/sh", .arguments = {"sh", "-c", command}};
  children_.start(shell, own_environment(), output());
  while (!children_.interrupted()) {
    if (const auto ended = children_.wait(kLookInterval)) return ended->ending;
  }
  return std::nullopt;
}

/// Returns the findings about `run`, the baseline of a trial.
std::vector<analysis::Finding> ConfirmingRuns::findings_of(std::int64_t run) const {
  std::vector<analysis::Finding> found;
  std::ranges::copy_if(findings_, std::back_inserter(found), [&](const analysis::Finding& finding) {
    return std::ranges::find(finding.runs, run) != finding.runs.end();
  });
  return found;
}

/// Returns the last line that the program itself printed.
std::string ConfirmingRuns::last_line() const {
  std::string last;
  std::istringstream lines(text::read_file(output()));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && !line.starts_with("ampprof: ")) last = line;
  }
  return text::printable(last);
}

std::optional<Confirmation> ConfirmingRuns::confirm(const analysis::RemedyTrial& trial, const queries::RunRow& run) {
  const auto ending = run_again(*trial.remedy, run);
  if (!ending) return std::nullopt;
  std::error_code ignored;
  const bool fails_anew = ending->exit_code != 0 && run.exit_code == 0;
  if (fails_anew || !fs::exists(recording(), ignored)) {
    throw text::UsageError(fmt::format("The run failed with {}, so the remedy could not be judged. Its last output: {}",
                                       ending->text(), last_line()));
  }
  if (text::read_file(output()).find("--remedy " + trial.remedy->word + kNoEffect) != std::string::npos)
    return failed_confirmation(trial, "The remedy had no effect: it found nothing to change in the program.");
  const queries::Report report(recording());
  const std::vector<queries::RunRow> runs = queries::runs(report);
  const auto found = analysis::diagnose(analysis::read_rows(report, runs, queries::ops(report)));
  return confirmation_of(trial, {run, findings_of(run.run)}, {runs.front(), found});
}

}  // namespace

bool confirm_findings(const fs::path& report, const std::vector<analysis::Finding>& findings,
                      const std::vector<queries::RunRow>& runs, const std::string& only,
                      const Installation& installation) {
  const auto trials = analysis::trials_of(findings, only);
  if (trials.empty() && !only.empty())
    throw text::UsageError(
        fmt::format("--only: no finding has the remedy '{}'. ampprof advise REPORT lists them.", only));
  if (trials.empty()) {
    note(findings.empty() ? "the report has no finding to confirm"
                          : "none of the remedies can be applied without changing the source");
    return true;
  }
  store::ReportWriter writer(report);  // opened before the first run, so that an unwritable report fails early
  ConfirmingRuns confirming(findings, installation);
  std::size_t number = 0;
  for (const analysis::RemedyTrial& trial : trials) {
    const queries::RunRow& run = *std::ranges::find(runs, trial.finding->runs.front(), &queries::RunRow::run);
    note(fmt::format("{} of {}: {} for {}", ++number, trials.size(), trial.remedy->trial(), trial.finding->kind));
    if (const std::string why = why_not_rerun(run); !why.empty()) {
      note(fmt::format("run {} cannot be run again: {}", run.run, why));
      continue;
    }
    const auto confirmation = confirming.confirm(trial, run);
    if (!confirmation) return false;
    writer.add_confirmation(run.run, *confirmation);
    writer.fold();
  }
  return true;
}

}  // namespace ampprof::cli
