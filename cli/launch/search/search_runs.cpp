// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/search/search_runs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "amp_core/policy/policy.h"
#include "analysis/diagnosis/search_journal.h"
#include "cli/launch/run/policy_file.h"
#include "cli/launch/run/prepare.h"
#include "cli/launch/run/recorded_runs.h"
#include "cli/launch/search/search_evidence.h"
#include "reports/queries/report.h"
#include "reports/queries/trials.h"
#include "reports/store/report_error.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "reports/text/shell_text.h"
#include "reports/text/terminal.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookInterval{200};
constexpr std::chrono::seconds kBetweenLooksAtLosses{1};

/// Opens the report of a resumed search, or creates a new one.
std::filesystem::path report_of_search(const RunOptions& options) {
  std::error_code ignored;
  if (!options.replace && std::filesystem::exists(options.output, ignored)) {
    const queries::Report is_one(options.output);
    return options.output;
  }
  return new_report(options);
}

std::string why_no_value(const search::Metric& metric) {
  switch (metric.kind) {
    case search::MetricKind::FinalLoss:
      return "ampprof sees no loss in the program. Search by a number that the program prints: --metric 'accuracy "
             "([0-9.]+)' --higher";
    case search::MetricKind::OverflowRate:
      return "ampprof sees no training step in the program. Search by a number that the program prints: --metric "
             "'accuracy ([0-9.]+)' --higher";
    case search::MetricKind::Output:
      return fmt::format("the program prints nothing that matches --metric '{}'.", metric.expression);
  }
  return "";
}

/// Selects the runs in the report of --start, or else the runs with this command line in the output report.
EvidenceSource source_of(const SearchOptions& options, const std::filesystem::path& report, const std::string& command,
                         bool has_amp_core) {
  EvidenceSource source{
      .report = report, .type = options.run.type, .recipe = options.run.recipe, .has_amp_core = has_amp_core};
  if (options.start.empty()) {
    source.program = command;
  } else {
    source.report = options.start;
  }
  return source;
}

/// Throws if the report of --start has no evidence. Called before the output report is created.
void check_start(const SearchOptions& options) {
  if (options.start.empty()) return;
  const auto evidence = evidence_for_search(source_of(options, "", "", false));
  if (!evidence->is_known()) throw text::UsageError(evidence->why_none());
}

/// A search in progress.
class SearchRuns {
 public:
  SearchRuns(const SearchOptions& options, const Program& program, const Installation& installation,
             const std::filesystem::path& report)
      : options_(options),
        runs_(program, installation, report),
        report_(report),
        command_(text::shell_text(options.run.command)),
        deadline_(SteadyClock::now() +
                  std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(options.budget))),
        terminal_(text::terminal_of(STDERR_FILENO)) {}

  /// If the program fails, prints a message and returns false.
  bool find_candidates(bool has_amp_core, std::optional<std::int64_t> steps);
  std::optional<search::Result> search();
  void finish();

 private:
  struct RunningTrial {
    search::Wanted wanted;
    SteadyClock::time_point looked;
    bool is_bad = false;
  };

  void start_wanted();
  void look_at_losses();
  void show_progress() const;
  void clear_progress() const;
  std::optional<RecordedRuns::Ended> wait_for_one();
  std::optional<search::Stop> reason_to_stop() const;
  std::string base_policy(const std::string& type, const std::string& recipe) const;
  bool take(const RecordedRuns::Ended& ended);
  search::Measured measured(const RecordedRuns::Ended& ended, const search::Set& set);
  const queries::Report& opened();
  bool is_everything(const search::Set& set) const;
  std::optional<search::LossReference> loss_reference_for(const search::Set& set) const;
  void stop_all();
  bool is_first_run() const { return findings_.evaluations.empty(); }
  bool check_unchanged_run(const RecordedRuns::Ended& ended) const;

  const SearchOptions& options_;
  RecordedRuns runs_;
  std::filesystem::path report_;
  std::optional<queries::Report> opened_;  ///< stays open, because opening a report checks all its pages
  std::string command_;
  SteadyClock::time_point deadline_;
  text::Terminal terminal_;
  search::SearchProblem question_ = {};
  std::string level_;
  std::string type_;  ///< "" if the program decides
  search::Journal journal_;
  search::SearchState findings_ = {};
  std::map<std::int64_t, RunningTrial> going_;  ///< by run
};

void SearchRuns::show_progress() const {
  if (!terminal_.is_terminal) return;
  const SearchAdvance advance{
      .evaluations = findings_.evaluations.size(),
      .best = findings_.best.set ? std::optional(findings_.best.set->size()) : std::nullopt,
      .candidates = question_.candidates.all.size(),
      .unit = question_.candidates.unit,
      .running = runs_.running(),
      .seconds_left = std::max(0.0, std::chrono::duration<double>(deadline_ - SteadyClock::now()).count())};
  fmt::print(stderr, "\r{}\033[K", search_line(advance, terminal_.width - 1));
  std::fflush(stderr);
}

void SearchRuns::clear_progress() const {
  if (terminal_.is_terminal) fmt::print(stderr, "\r\033[K");
}

std::optional<search::Stop> SearchRuns::reason_to_stop() const {
  if (runs_.interrupted()) return search::Stop::Interrupted;
  if (SteadyClock::now() >= deadline_) return search::Stop::OutOfTime;
  return std::nullopt;
}

/// Waits until a run ends. Returns nothing if the search must stop.
std::optional<RecordedRuns::Ended> SearchRuns::wait_for_one() {
  while (!reason_to_stop()) {
    auto ended = runs_.wait(kLookInterval);
    if (ended && !runs_.interrupted()) return ended;
    look_at_losses();
    show_progress();
  }
  return std::nullopt;
}

void SearchRuns::stop_all() {
  for (const auto& [run, going] : going_) runs_.stop(run);
  while (runs_.running() > 0) runs_.wait(kLookInterval);
  going_.clear();
}

void SearchRuns::look_at_losses() {
  for (auto& [run, going] : going_) {
    if (going.is_bad || SteadyClock::now() - going.looked < kBetweenLooksAtLosses) continue;
    going.looked = SteadyClock::now();
    try {
      const search::Losses losses = analysis::losses_of(opened(), run);
      if (!search::is_clearly_bad(losses, loss_reference_for(going.wanted.set))) continue;
    } catch (const std::exception&) {
      continue;  // the report is locked for a moment: the next look tries again
    }
    going.is_bad = true;
    runs_.stop(run);
  }
}

std::optional<search::LossReference> SearchRuns::loss_reference_for(const search::Set& set) const {
  return is_everything(set) ? std::nullopt : findings_.loss_reference;
}

bool SearchRuns::is_everything(const search::Set& set) const { return set == search::everything_of(question_); }

const queries::Report& SearchRuns::opened() {
  if (!opened_) opened_.emplace(report_);
  return *opened_;
}

search::Measured SearchRuns::measured(const RecordedRuns::Ended& ended, const search::Set& set) {
  const queries::Report& report = opened();
  search::Measured result = analysis::measured_run(report, ended.run, options_.metric);
  result.seconds = ended.seconds;
  if (ended.was_stopped || is_everything(set)) result.losses = analysis::losses_of(report, ended.run);
  if (ended.was_stopped || ended.ending.exit_code != 0) {
    result.value.reset();
  } else if (options_.metric.kind == search::MetricKind::Output) {
    result.value = search::number_in_output(options_.metric, ended.output);
  }
  return result;
}

/// Returns whether the unchanged program succeeded; prints the reason if it failed. Throws UsageError if the run
/// has no op calls.
bool SearchRuns::check_unchanged_run(const RecordedRuns::Ended& ended) const {
  if (ended.ending.exit_code == 0) {
    if (!ended.unrecorded.empty()) throw text::UsageError(ended.unrecorded);
    return true;
  }
  clear_progress();
  constexpr std::size_t kLongest = 2000;
  std::string tail = ended.output.substr(ended.output.size() - std::min(ended.output.size(), kLongest));
  if (!tail.empty() && !tail.ends_with('\n')) tail += '\n';
  fmt::print(stderr, "{}ampprof: the program failed with {}; {}.\n", tail, ended.ending.text(),
             tail.empty() ? "it printed nothing" : "above is the end of what it printed");
  return false;
}

/// Adds a finished run to the report and the journal. Returns false if the search cannot continue.
bool SearchRuns::take(const RecordedRuns::Ended& ended) {
  const RunningTrial going = going_.at(ended.run);
  going_.erase(ended.run);
  const search::Measured result = measured(ended, going.wanted.set);
  if (is_first_run() && !going.is_bad) {
    if (!check_unchanged_run(ended)) return false;
    if (!result.value) throw text::UsageError(why_no_value(options_.metric));
  }
  const std::string policy = search::policy_of(question_, going.wanted.set);
  const bool is_number = result.value && std::isfinite(*result.value);
  runs_.writer().add_trial(
      ended.run,
      {.policy = policy, .metric = search::name_of(options_.metric), .value = is_number ? result.value : std::nullopt});
  journal_.add(policy, going.wanted.repeat, result);
  return true;
}

/// Returns the text that every policy of this search begins with. It names type and recipe, so runs with another type
/// or recipe are not taken for trials of this search.
std::string SearchRuns::base_policy(const std::string& type, const std::string& recipe) const {
  std::string text = options_.run.policy.empty() ? "" : amp::policy_file_text(options_.run.policy);
  return analysis::base_of_search(std::move(text), type, recipe);
}

void SearchRuns::start_wanted() {
  for (const search::Wanted& wanted : findings_.wanted) {
    if (runs_.running() >= static_cast<std::size_t>(options_.parallel)) return;
    const bool goes_on = std::ranges::any_of(going_, [&](const auto& going) { return going.second.wanted == wanted; });
    if (goes_on) continue;
    RecordedRun run{.options = options_.run,
                    .level = level_,
                    .policy = search::policy_of(question_, wanted.set),
                    .repeat = static_cast<std::int32_t>(wanted.repeat)};
    run.options.record.reference = recording::ReferenceMode::Off;
    run.options.type = type_;
    run.options.start.seed = *options_.run.start.seed + wanted.repeat;
    going_.emplace(runs_.start(run), RunningTrial{.wanted = wanted, .looked = SteadyClock::now()});
  }
}

bool SearchRuns::find_candidates(bool has_amp_core, std::optional<std::int64_t> steps) {
  const auto evidence = evidence_for_search(source_of(options_, report_, command_, has_amp_core));
  while (!evidence->is_known()) {
    const auto survey = evidence->next_survey(survey_options_of(options_.run, steps));
    if (!survey) throw text::UsageError(evidence->why_none());
    const std::int64_t run =
        runs_.start({.options = survey->options, .level = survey->level, .policy = base_policy(options_.run.type, "")});
    going_.emplace(
        run, RunningTrial{.wanted = {}, .looked = SteadyClock::now(), .is_bad = true});  // so look_at_losses() skips it
    const auto ended = wait_for_one();
    if (!ended) return stop_all(), true;
    going_.clear();
    if (!check_unchanged_run(*ended)) return false;
    evidence->read();
  }
  level_ = evidence->level();
  type_ = evidence->type();
  question_ = {.candidates = evidence->candidates(),
               .base = base_policy(type_, options_.run.recipe),
               .metric = options_.metric,
               .within = options_.within,
               .plan = options_.plan};
  if (!options_.start.empty()) {
    for (const std::string& doubt : evidence->doubts(command_, question_.candidates))
      fmt::print(stderr, "ampprof: {}\n", doubt);
  }
  if (question_.candidates.all.empty()) {
    throw text::UsageError(options_.run.recipe.empty()
                               ? "Nothing to search: the program calls no function in a reduced type that a policy "
                                 "can name."
                               : "Nothing to search: the program has no matmul that the recipe rounds.");
  }
  journal_ = analysis::journal_of(opened(), question_, {command_, level_, *options_.run.start.seed});
  return true;
}

std::optional<search::Result> SearchRuns::search() {
  const auto most_wanted = static_cast<std::size_t>(options_.parallel);
  std::optional<search::Stop> stop = reason_to_stop();
  while (!stop) {
    findings_ = findings_of(question_, journal_, most_wanted);
    if (findings_.wanted.empty()) {
      stop = search::Stop::Finished;
      break;
    }
    start_wanted();
    show_progress();
    if (const auto ended = wait_for_one()) {
      if (!take(*ended)) return std::nullopt;
    } else {
      stop = reason_to_stop();
    }
  }
  stop_all();
  clear_progress();
  return search::Result{.question = question_, .findings = findings_, .stop = *stop};
}

void SearchRuns::finish() {
  opened_.reset();
  try {
    runs_.writer().fold();
  } catch (const store::ReportError& error) {
    fmt::print(stderr, "ampprof: the report stays in two files, {0} and {0}-wal; keep them together: {1}\n",
               report_.filename().string(), error.what());
  }
}

}  // namespace

std::string search_line(const SearchAdvance& advance, int width) {
  std::string line = "search";
  if (advance.candidates == 0) line += "  looking for candidates";
  if (advance.evaluations > 0)
    line += fmt::format("  {} tried", text::counted(static_cast<std::int64_t>(advance.evaluations), "set"));
  if (advance.best)
    line += fmt::format("  best: {} of {}", *advance.best,
                        text::counted(static_cast<std::int64_t>(advance.candidates), advance.unit));
  line += fmt::format("  {} running  {} left", advance.running, text::clock(advance.seconds_left));
  return text::elide_middle(line, width);
}

std::optional<search::Result> run_search(const SearchOptions& asked, const Installation& installation) {
  SearchOptions options = asked;
  if (options.run.output.empty()) options.run.output = kSearchReport;
  if (!options.run.start.seed) options.run.start.seed = analysis::kFirstSeed;
  const Program program = resolve_program(options.run, installation);
  check_policy(options.run, program, installation);
  check_installation(installation, program.torch);
  check_preload(installation.preload_stub());
  check_start(options);
  const std::filesystem::path report = report_of_search(options.run);
  SearchRuns runs(options, program, installation, report);
  fmt::print(stderr, "ampprof: all runs go into {0}; the same command with -o {0} resumes a search that was stopped\n",
             text::shell_text({report.string()}));
  if (!runs.find_candidates(program.has_amp_core, program.steps)) return std::nullopt;
  auto result = runs.search();
  runs.finish();
  return result;
}

}  // namespace ampprof::cli
