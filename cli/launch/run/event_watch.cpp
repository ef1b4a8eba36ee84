// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/event_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "analysis/diagnosis/diagnose.h"
#include "analysis/ranks/report_rows.h"
#include "cli/launch/run/environment.h"
#include "reports/gates/parser.h"
#include "reports/queries/open.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/text/elide.h"
#include "reports/text/shell_text.h"

namespace ampprof::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kInterval{1000};
constexpr int kShareDivisor = 20;  // checks take at most 1 / kShareDivisor of the time

std::string place_of(const std::string& source, const std::string& call_site) {
  return text::printable(source.empty() ? call_site : source);
}

std::string sentence_of(const queries::EventRow& event) {
  const std::string place = place_of(event.first_op_source, event.first_op);
  return fmt::format("overflow in step {}{}", event.step, place.empty() ? "" : " at " + place);
}

std::string sentence_of(const analysis::Finding& finding) {
  const std::string place = place_of(finding.culprit.source, finding.culprit.call_site);
  return fmt::format("{}{}: {}", finding.kind, place.empty() ? "" : " at " + place, text::printable(finding.mechanism));
}

}  // namespace

std::string command_for(const std::string& command, const std::filesystem::path& report) {
  std::string text = command;
  const std::string quoted = text::shell_text({report.string()});
  for (auto at = text.find("{}"); at != std::string::npos; at = text.find("{}", at + quoted.size())) {
    text.replace(at, 2, quoted);
  }
  return text;
}

EventWatch::EventWatch(std::string command, const std::vector<std::string>& rules) : command_(std::move(command)) {
  for (const std::string& rule : rules) gates_.push_back({gates::parse_rule(rule, gates::Reports::One), ""});
}

void EventWatch::say(const std::filesystem::path& report, const std::string& sentence) {
  Environment environment = own_environment();
  environment.push_back("AMPPROF_EVENT=" + sentence);
  commands_.add(command_for(command_, report), std::move(environment));
}

void EventWatch::look(const std::filesystem::path& report, std::int64_t run) {
  // If the recorder does not share the index of SQLite's log (-shm), each check would have to copy the report.
  if (command_.empty() || Clock::now() < next_ || queries::needs_copy(report)) return;
  const auto begun = Clock::now();
  check_finished_run(report, run);
  const auto ended = Clock::now();
  next_ = ended + std::max<Clock::duration>(kInterval, (ended - begun) * kShareDivisor);
}

void EventWatch::check_finished_run(const std::filesystem::path& path, std::int64_t run) {
  if (command_.empty()) return;
  try {
    const queries::Report report(path);
    const std::vector<queries::RunRow> all = queries::runs(report);
    std::vector<queries::RunRow> runs = all;
    std::erase_if(runs, [&](const queries::RunRow& row) { return row.run != run; });
    const auto rows = analysis::read_rows(report, runs, queries::ops(report, run));
    if (!rows.events.empty() && !std::exchange(has_overflow_, true)) say(path, sentence_of(rows.events.front()));
    for (const analysis::Finding& finding : analysis::diagnose(rows)) {
      const bool is_new = findings_.insert(fmt::format("{} {}", finding.kind, finding.culprit.call_site)).second;
      if (is_new) say(path, sentence_of(finding));
    }
    judge(path, report, all, runs);
  } catch (const std::exception&) {
    // The report is locked for a moment or does not exist yet. The next check tries again.
  }
}

// A gate whose value is still missing in the report has not failed.
void EventWatch::judge(const std::filesystem::path& path, const queries::Report& report,
                       const std::vector<queries::RunRow>& all, const std::vector<queries::RunRow>& meant) {
  if (gates_.empty()) return;
  const auto evidence = analysis::gate_evidence(report, all, /*target_gpu=*/"", analysis::detail_for(gates_));
  const gates::Occasion now{.label = "", .b = analysis::side_of(evidence, meant)};
  std::erase_if(gates_, [&](const analysis::Gate& gate) {
    const gates::GateResult result = gates::judge(gate.rule, {now});
    const bool fails = result.outcome == gates::GateOutcome::Fail;
    if (fails) say(path, "gate failed: " + text::printable(result.rule));
    return fails;
  });
}

}  // namespace ampprof::cli
