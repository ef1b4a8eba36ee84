// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/launch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <span>

#include "amp_core/launch/launcher.h"
#include "amp_core/policy/policy.h"
#include "cli/launch/machine/probe.h"
#include "cli/launch/note.h"
#include "cli/launch/program/exit_code.h"
#include "cli/launch/program/program.h"
#include "cli/launch/ranks/rank_reports.h"
#include "cli/launch/ranks/rank_watch.h"
#include "cli/launch/ranks/torchrun.h"
#include "cli/launch/run/child.h"
#include "cli/launch/run/event_watch.h"
#include "cli/launch/run/policy_file.h"
#include "cli/launch/run/policy_modules.h"
#include "cli/launch/run/prepare.h"
#include "cli/launch/run/process_notes.h"
#include "cli/launch/run/progress.h"
#include "cli/launch/run/what_if.h"
#include "reports/queries/segments.h"
#include "reports/recording/control_socket.h"
#include "reports/recording/rank_list.h"
#include "reports/recording/stub_variables.h"
#include "reports/store/report_error.h"
#include "reports/store/temporary_folder.h"
#include "reports/store/writer.h"
#include "reports/text/listed.h"
#include "reports/text/numbers.h"
#include "reports/text/shell_text.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kRedraw{200};

void note_missing(const Missing& missing) {
  note(fmt::format("not recorded: {} ({}). {}", missing.what, missing.count, missing.cause));
}

/// Returns one element for each run of a level: true for a run without torch.compile.
std::vector<bool> eager_runs_of(const RunOptions& options) {
  if (options.eager == "both") return {false, true};
  return {!options.eager.empty()};
}

void add_missing(const fs::path& report_of_rank, std::int64_t runs, const std::vector<Missing>& missing) {
  if (missing.empty()) return;
  store::ReportWriter writer(report_of_rank);
  for (std::int64_t i = 0; i < runs; ++i) {
    for (const Missing& each : missing) writer.add_missing(recording::kRunOfRank + i, each);
  }
  writer.fold();
}

/// A run in a report.
struct RunOfReport {
  fs::path report;
  std::int64_t run = 0;
};

/// Returns the run of the lowest rank or, if there are no ranks, the program's own run.
RunOfReport leading_run(const Recording& recording, std::optional<std::int64_t> lowest_rank) {
  if (!lowest_rank) return {recording.report, recording.run};
  return {recording::file_of_rank(recording.rank_report.string(), std::to_string(*lowest_rank)), recording::kRunOfRank};
}

/// Returns the command that merges reports. If `target` is one of the reports, the command writes another file.
std::string how_to_merge(const std::vector<fs::path>& reports, const fs::path& target) {
  fs::path merged = target;
  if (std::ranges::find(reports, target) != reports.end()) merged.replace_filename("all-" + target.filename().string());
  std::vector<std::string> words{"ampprof", "merge"};
  for (const fs::path& each : reports) words.push_back(each.string());
  words.insert(words.end(), {"-o", merged.string(), "--force"});
  return text::shell_text(words);
}

/// All runs of one `ampprof run`.
class Launch {
 public:
  Launch(const RunOptions& options, const Installation& installation, const Program& program, fs::path report)
      : options_(options),
        installation_(installation),
        program_(program),
        report_(std::move(report)),
        expected_steps_(program.steps) {
    writer_.emplace(report_);
  }

  /// Runs the program once. Returns false if no further run should start.
  bool run(const std::string& level, const std::string& what_if, bool eager, int repeat);

  /// Called once, after the last run.
  void merge_ranks();
  void probe();
  void finish();
  int exit_code() const { return failed_ ? kProgramFailed : unrecorded_.empty() ? kFine : kWrongUsage; }

 private:
  std::int64_t max_bytes(std::int64_t runs) const;
  std::optional<std::int64_t> total() const;
  Recording begin_recording(const std::vector<RunStart>& starts);
  void end_recording(const Recording& recording, const Ending& ending, const RankEndings& endings);
  void write_end(const Recording& recording, const Ending& ending, const RankEndings& endings);
  std::vector<Missing> what_is_missing(const Recording& recording, std::vector<RankReport>& ranks,
                                       const RankEndings& endings);
  void expect_steps_of(const fs::path& report, std::int64_t run);
  void judge(const Ending& ending, const std::string& label);
  void note_rules_without_effect() const;

  const RunOptions& options_;
  const Installation& installation_;
  const Program& program_;
  fs::path report_;
  std::optional<store::ReportWriter> writer_;  ///< empty if reports of ranks could not be merged
  bool has_own_run_ = false;                   ///< `report_` has a run itself, so it is merged with the rank reports
  std::vector<fs::path> rank_reports_;         ///< rank reports of all finished runs
  std::int64_t ranks_ = 0;                     ///< largest number of ranks in a run
  std::string how_to_merge_;                   ///< command to merge the rank reports; "" unless merging failed
  store::TemporaryFolder folder_ = temporary_folder();
  std::optional<std::int64_t> expected_steps_;
  std::int64_t runs_ = 0;
  bool failed_ = false;
  std::string unrecorded_;  ///< why a run has no op calls; "" if every run has some
};

/// Returns the largest size of the report after the next `runs` runs. Each run may take an equal share, plus what
/// earlier runs left unused.
std::int64_t Launch::max_bytes(std::int64_t runs) const {
  const auto levels = std::max<std::int64_t>(std::ssize(options_.levels), 1);
  return options_.record.max_bytes /
         (levels * std::ssize(courses_of(options_.record.what_if)) * std::ssize(eager_runs_of(options_)) *
          options_.repeat) *
         (runs_ + runs);
}

std::optional<std::int64_t> Launch::total() const {
  return expected_steps_ ? expected_steps_ : options_.record.last_step;
}

/// Returns and prints the missing data of a recording. The reason for a recording without op calls is not printed, but
/// stored in `unrecorded_`. If some rank has op calls, removes from `ranks` those that no recorder wrote for.
std::vector<Missing> Launch::what_is_missing(const Recording& recording, std::vector<RankReport>& ranks,
                                             const RankEndings& endings) {
  const ProcessNotes notes = read_notes(recording.claim);
  std::vector<std::string> numbers;
  for (const RankReport& report : ranks) numbers.push_back(std::to_string(report.rank));
  std::vector<Missing> missing = missing_from(notes, numbers);
  std::ranges::move(remove_unrecorded_ranks(ranks, endings), std::back_inserter(missing));
  for (const Missing& each : missing) note_missing(each);
  if (writer_->has_calls(recording.run) || std::ranges::any_of(ranks, &RankReport::has_calls)) return missing;
  const bool saw_process = writer_->attached(recording.run) || std::ranges::any_of(ranks, &RankReport::saw_process);
  const bool names_ranks = !options_.record_ranks.empty() && options_.record_ranks != recording::kAllRanks;
  const Missing why = why_nothing_was_recorded(notes, program_, installation_, saw_process, names_ranks);
  unrecorded_ = fmt::format("nothing was recorded: {} {}", why.cause, why.remedy);
  missing.push_back(why);
  return missing;
}

/// Ends the runs of a recording in the report. Drops them if only ranks have records: each rank has a report of its
/// own.
void Launch::write_end(const Recording& recording, const Ending& ending, const RankEndings& endings) {
  std::vector<RankReport> ranks = end_rank_reports(recording, ending.exit_code, endings);
  const std::vector<Missing> missing = what_is_missing(recording, ranks, endings);
  const std::int64_t end_of_runs = recording.run + recording.runs;
  for (const RankReport& report : ranks) rank_reports_.push_back(report.path);
  ranks_ = std::max(ranks_, static_cast<std::int64_t>(ranks.size()));
  if (ranks.empty() || writer_->attached(recording.run)) {
    has_own_run_ = true;
    for (std::int64_t run = recording.run; run < end_of_runs; ++run) {
      writer_->end_run(run, ending.exit_code, ending.ended_ns);
      for (const Missing& each : missing) writer_->add_missing(run, each);
    }
    if (ending.exit_code == 0) expect_steps_of(report_, recording.run);
    return;
  }
  for (std::int64_t run = recording.run; run < end_of_runs; ++run) writer_->drop_run(run);
  const fs::path& first = ranks.front().path;
  add_missing(first, recording.runs, missing);
  if (ending.exit_code == 0) expect_steps_of(first, recording::kRunOfRank);
}

/// Takes the number of steps from the first finished run: later runs have the same number.
void Launch::expect_steps_of(const fs::path& report, std::int64_t run) {
  if (!expected_steps_) expected_steps_ = queries::last_step(queries::Report(report), run);
}

void Launch::judge(const Ending& ending, const std::string& label) {
  failed_ = failed_ || ending.exit_code != 0 || ending.interrupted;
  if (ending.interrupted) {
    note(fmt::format("{} was asked to stop and ended with {}. The report keeps what it recorded.", label,
                     ending.text()));
  } else if (ending.exit_code != 0) {
    note(fmt::format("{} failed with {}. The report is kept and says so.", label, ending.text()));
  }
}

// An error of the report is only printed, because it must not hide the program's result from the user.
void Launch::end_recording(const Recording& recording, const Ending& ending, const RankEndings& endings) {
  try {
    write_end(recording, ending, endings);
  } catch (const store::ReportError& error) {
    has_own_run_ = true;
    note(fmt::format("the end of the run could not be recorded; the part before it is kept: {}", error.what()));
  }
}

Recording Launch::begin_recording(const std::vector<RunStart>& starts) {
  Recording recording;
  recording.report = report_;
  recording.claim = folder_.path() / fmt::format("claim-{}", runs_ + 1);
  recording.runs = std::ssize(starts);
  recording.max_bytes = max_bytes(recording.runs);
  recording.run = writer_->begin_run(starts.front());
  for (const RunStart& further : std::span(starts).subspan(1)) writer_->begin_run(further);
  prepare_rank_reports(starts, folder_.path(), recording);
  return recording;
}

bool Launch::run(const std::string& level, const std::string& what_if, bool eager, int repeat) {
  RunOptions options = options_;
  options.record.what_if = what_if;
  std::vector<RunStart> starts = starts_of(options, text::shell_text(options_.command));
  std::vector<std::string> names;
  for (RunStart& start : starts) {
    start.level = level;
    start.repeat = repeat;
    names.push_back(start.what_if);
  }
  Recording recording = begin_recording(starts);
  recording.level = level;
  recording.eager = eager;
  const auto environment = environment_of(recording, options, program_, installation_, own_environment());
  std::string label = level.empty() ? "the program" : level;
  if (asks_for_recipes(options_) && !what_if.empty()) label += " under " + text::listed(names);
  if (eager) label += " without torch.compile";
  if (options_.repeat > 1) label += fmt::format(" #{}", repeat + 1);
  RankWatch ranks(recording.claim);
  EventWatch events(options_.on_event, options_.gates);
  Ending ending;
  {
    Progress progress(label, total());
    const auto look = [&] {
      ranks.update();
      const RunOfReport leading = leading_run(recording, ranks.lowest_rank());
      progress.update(leading.report, leading.run);
      events.look(leading.report, leading.run);
    };
    ending = run_program(program_, environment, kRedraw, look, ranks.descriptor());
  }
  ranks.update();
  runs_ += recording.runs;
  const RunOfReport leading = leading_run(recording, ranks.lowest_rank());
  end_recording(recording, ending, ranks.endings());
  recording::remove_dead_socket(leading.report);
  events.check_finished_run(leading.report, leading.run);
  judge(ending, label);
  return !ending.interrupted;
}

// If merging fails, the unmerged reports are kept as the result.
void Launch::merge_ranks() {
  if (rank_reports_.empty()) return;
  std::vector<fs::path> reports = rank_reports_;
  if (has_own_run_) reports.insert(reports.begin(), report_);
  writer_.reset();
  try {
    merge_into_one(reports, report_);
    writer_.emplace(report_);
  } catch (const store::ReportError& error) {
    how_to_merge_ = how_to_merge(reports, report_);
    note(fmt::format("could not merge the reports of the ranks: {}", error.what()));
  }
}

// Failures are only printed, because the runs are already recorded.
void Launch::probe() {
  if (!writer_) return;
  try {
    probe_matmuls(options_, installation_, report_, folder_.path(), program_.torch_lib, *writer_);
  } catch (const std::exception& error) {
    note(fmt::format("could not examine the matmuls of these runs: {}", error.what()));
  }
}

void Launch::note_rules_without_effect() const {
  if (options_.policy.empty()) return;
  try {
    const amp::Policy policy = amp::parse_policy(amp::policy_file_text(options_.policy), options_.policy);
    for (const std::string& sentence : unmatched_modules(policy, module_paths(queries::Report(report_))))
      note(sentence);
  } catch (const std::exception& error) {
    note(fmt::format("could not check whether each rule of the policy had an effect: {}", error.what()));
  }
}

void Launch::finish() {
  if (!writer_) return note(unrecorded_.empty() ? "to merge the ranks' reports: " + how_to_merge_ : unrecorded_);
  try {
    writer_->fold();
  } catch (const store::ReportError& error) {
    note(fmt::format("the report stays in two files, {0} and {0}-wal; keep them together: {1}",
                     report_.filename().string(), error.what()));
  }
  if (unrecorded_.empty()) note_rules_without_effect();
  const std::string name = text::shell_text({report_.string()});
  std::error_code ignored;
  const std::string of_ranks = ranks_ == 0 ? "" : " of " + text::counted(ranks_, "rank");
  note(fmt::format("{}{} in {} ({})", text::counted(runs_, "run"), of_ranks, name,
                   text::bytes(static_cast<double>(fs::file_size(report_, ignored)))));
  const std::string gui = fs::exists(installation_.gui()) ? fmt::format("  or: ampprof-gui {}", name) : "";
  note(unrecorded_.empty() ? fmt::format("to read it: ampprof show {}{}", name, gui) : unrecorded_);
}

/// Calls `run(level, what_if, eager, repeat)` for each requested run, until one returns false. Returns whether all
/// returned true.
template <class Run>
bool each_run(const RunOptions& options, Run run) {
  const std::vector<std::string> levels = options.levels.empty() ? std::vector<std::string>{""} : options.levels;
  for (const std::string& level : levels) {
    for (const std::string& what_if : what_ifs_of(options)) {
      for (const bool eager : eager_runs_of(options)) {
        for (int repeat = 0; repeat < options.repeat; ++repeat) {
          if (!run(level, what_if, eager, repeat)) return false;
        }
      }
    }
  }
  return true;
}

/// Runs the program of an unrecorded rank as often as recorded ranks run theirs, with the same settings.
int run_unrecorded(const RunOptions& options, const Program& program, std::int64_t rank) {
  note(fmt::format("rank {} is not in --record-ranks, so it is not recorded", rank));
  bool failed = false;
  each_run(options, [&](const std::string& level, const std::string&, bool eager, int) {
    Recording unrecorded;
    unrecorded.level = level;
    unrecorded.eager = eager;
    const Ending ending = run_program(
        program, unrecorded_environment_of(unrecorded, options, program, own_environment()), kRedraw, [] {});
    failed = failed || ending.exit_code != 0 || ending.interrupted;
    return !ending.interrupted;
  });
  return failed ? kProgramFailed : kFine;
}

int record(const RunOptions& options, const Installation& installation, const Program& program,
           const fs::path& report) {
  Launch runs(options, installation, program, report);
  const bool goes_on = each_run(options, [&](const auto&... run) { return runs.run(run...); });
  runs.merge_ranks();
  if (goes_on) runs.probe();
  runs.finish();
  return runs.exit_code();
}

}  // namespace

int launch(const RunOptions& asked, const Installation& installation) {
  Program program = resolve_program(asked, installation);
  RunOptions options = with_defaults_of(asked, program);
  check_levels(options, program);
  check_eager(options, program);
  check_recipe(options);
  check_policy(options, program, installation);
  check_target_gpu(options.start.target_gpu);
  check_record_ranks(options, program);
  check_remedies(options, program);
  check_installation(installation, program.torch);
  check_preload(installation.preload_stub());
  if (options.ranks) program = on_ranks(std::move(program), *options.ranks);
  // If a launcher started this ampprof as a rank, the program inherits the rank from its environment.
  if (const auto rank = amp::parallel::place_of(std::getenv).rank; rank && !options.record_ranks.empty()) {
    const auto ranks = recording::rank_list_from(options.record_ranks);
    if (!ranks || !recording::contains(*ranks, *rank)) return run_unrecorded(options, program, *rank);
  }
  const fs::path report = new_report(options);
  try {
    return record(options, installation, program, report);
  } catch (const text::UsageError&) {
    std::error_code ignored;
    fs::remove(report, ignored);  // the program never started: remove the empty report
    throw;
  }
}

}  // namespace ampprof::cli
