// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/launch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "amp_core/launch/launcher.h"
#include "cli/launch/child.h"
#include "cli/launch/exit_code.h"
#include "cli/launch/policy_file.h"
#include "cli/launch/prepare.h"
#include "cli/launch/probe.h"
#include "cli/launch/process_notes.h"
#include "cli/launch/program.h"
#include "cli/launch/progress.h"
#include "cli/launch/rank_reports.h"
#include "cli/launch/torchrun.h"
#include "reports/recording/rank_list.h"
#include "reports/store/report_error.h"
#include "reports/store/temporary_folder.h"
#include "reports/store/writer.h"
#include "reports/text/numbers.h"
#include "reports/text/shell_text.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kRedraw{200};

void note(const std::string& text) { fmt::print(stderr, "ampprof: {}\n", text); }

void note_missing(const Missing& missing) {
  note(fmt::format("not recorded: {} ({}). {}", missing.what, missing.count, missing.cause));
}

/// Which runs of a level are without torch.compile.
std::vector<bool> eager_runs_of(const RunOptions& options) {
  if (options.eager == "both") return {false, true};
  return {!options.eager.empty()};
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
    if (!records_ranks()) writer_.emplace(report_);
  }

  /// Returns false once no further run should start.
  bool run(const std::string& level, bool eager, int repeat);

  /// Once the last run has ended.
  void merge_ranks();
  void probe();
  void finish();
  int exit_code() const { return failed_ ? kProgramFailed : unrecorded_.empty() ? kFine : kWrongUsage; }

 private:
  std::int64_t max_bytes() const;
  std::optional<std::int64_t> total() const;
  /// Whether each of some ranks writes a report of its own, which become one at the end.
  bool records_ranks() const { return !options_.record_ranks.empty(); }
  bool is_only_run() const;
  Recording begin_recording(const RunStart& start);
  fs::path report_in_progress(const Recording& recording) const;
  void end_recording(const Recording& recording, const Ending& ending);
  void end_ranks(const Recording& recording, const Ending& ending, const ProcessNotes& notes);
  void record_end(std::int64_t run, const Ending& ending, const ProcessNotes& notes);
  void note_what_is_missing(std::int64_t run, const ProcessNotes& notes);
  void judge(const Ending& ending, const std::string& label);

  const RunOptions& options_;
  const Installation& installation_;
  const Program& program_;
  fs::path report_;
  std::optional<store::ReportWriter> writer_;  ///< empty while ranks record
  std::vector<fs::path> rank_reports_;         ///< of the runs that have ended
  std::string how_to_merge_;                   ///< the command, where they could not become one
  store::TemporaryFolder folder_ = temporary_folder();
  std::optional<std::int64_t> expected_steps_;
  int runs_ = 0;
  bool failed_ = false;
  std::string unrecorded_;  ///< why a run holds no op call; "" where each holds some
};

/// Each run may take an equal part, and what those before it left.
std::int64_t Launch::max_bytes() const {
  const auto levels = std::max<std::int64_t>(std::ssize(options_.levels), 1);
  return options_.max_bytes / (levels * std::ssize(eager_runs_of(options_)) * options_.repeat) * (runs_ + 1);
}

std::optional<std::int64_t> Launch::total() const {
  if (expected_steps_) return expected_steps_;
  return options_.steps ? options_.steps->last : std::nullopt;
}

void Launch::note_what_is_missing(std::int64_t run, const ProcessNotes& notes) {
  for (const Missing& missing : missing_from(notes)) {
    writer_->add_missing(run, missing);
    note_missing(missing);
  }
  if (writer_->has_calls(run)) return;
  const Missing missing = why_nothing_was_recorded(notes, program_, installation_, writer_->attached(run));
  writer_->add_missing(run, missing);
  unrecorded_ = fmt::format("nothing was recorded: {} {}", missing.cause, missing.remedy);
}

void Launch::judge(const Ending& ending, const std::string& label) {
  failed_ = failed_ || ending.exit_code != 0 || ending.interrupted;
  if (ending.interrupted) {
    note(fmt::format("{} was asked to stop and ended with {}; what it recorded is kept.", label, ending.text()));
  } else if (ending.exit_code != 0) {
    note(fmt::format("{} failed with {}; the report is kept and says so.", label, ending.text()));
  }
}

// Whatever became of the report, the program's own end is what the user waits for.
void Launch::record_end(std::int64_t run, const Ending& ending, const ProcessNotes& notes) {
  try {
    writer_->end_run(run, ending.exit_code);
    note_what_is_missing(run, notes);
  } catch (const store::ReportError& error) {
    note(fmt::format("the end of the run could not be recorded, what came before is kept: {}", error.what()));
  }
}

void Launch::end_ranks(const Recording& recording, const Ending& ending, const ProcessNotes& notes) {
  try {
    RankedRun ended = end_rank_reports(recording, ending.exit_code, notes, program_, installation_);
    for (const Missing& missing : ended.missing) note_missing(missing);
    if (!ended.unrecorded.empty()) unrecorded_ = ended.unrecorded;
    std::ranges::move(ended.reports, std::back_inserter(rank_reports_));
  } catch (const store::ReportError& error) {
    note(fmt::format("the end of the run could not be recorded in the reports of its ranks: {}", error.what()));
  }
}

void Launch::end_recording(const Recording& recording, const Ending& ending) {
  const ProcessNotes notes = read_notes(recording.claim);
  records_ranks() ? end_ranks(recording, ending, notes) : record_end(recording.run, ending, notes);
}

bool Launch::is_only_run() const {
  return options_.levels.size() <= 1 && eager_runs_of(options_).size() == 1 && options_.repeat == 1;
}

/// Ranks of several runs write into files of several names: r-2.ampprof stands for the second.
Recording Launch::begin_recording(const RunStart& start) {
  Recording recording;
  recording.report = report_;
  recording.claim = folder_.path() / fmt::format("claim-{}", runs_ + 1);
  recording.max_bytes = max_bytes();
  if (!records_ranks()) {
    recording.run = writer_->begin_run(start);
    return recording;
  }
  if (!is_only_run()) {
    recording.report.replace_filename(
        fmt::format("{}-{}{}", report_.stem().string(), runs_ + 1, report_.extension().string()));
  }
  clear_rank_reports(recording.report, options_.replace);
  prepare_rank_reports(start, folder_.path(), recording);
  return recording;
}

/// Of several ranks the first tells how far they have come.
fs::path Launch::report_in_progress(const Recording& recording) const {
  if (!records_ranks()) return recording.report;
  const auto ranks = recording::rank_list_from(options_.record_ranks);
  return recording::file_of_rank(recording.report.string(), std::to_string(ranks ? ranks->front().first : 0));
}

bool Launch::run(const std::string& level, bool eager, int repeat) {
  RunStart start = start_of(options_, text::shell_text(options_.command));
  start.level = level;
  start.repeat = repeat;
  Recording recording = begin_recording(start);
  recording.level = level;
  recording.eager = eager;
  const auto environment = environment_of(recording, options_, program_, installation_, own_environment());
  std::string label = level.empty() ? "the program" : level;
  if (eager) label += " without torch.compile";
  if (options_.repeat > 1) label += fmt::format(" #{}", repeat + 1);
  Ending ending;
  {
    Progress progress(report_in_progress(recording), recording.run, label, total());
    ending = run_program(program_, environment, kRedraw, [&] { progress.update(); });
  }
  ++runs_;
  end_recording(recording, ending);
  if (!expected_steps_ && ending.exit_code == 0 && !records_ranks()) {
    expected_steps_ = queries::last_step(queries::Report(report_), recording.run);
  }
  judge(ending, label);
  return !ending.interrupted;
}

// Where they cannot become one report, they are what there is.
void Launch::merge_ranks() {
  if (!records_ranks()) return;
  try {
    merge_rank_reports(rank_reports_, report_);
    writer_.emplace(report_);
  } catch (const store::ReportError& error) {
    std::vector<std::string> words{"ampprof", "merge"};
    for (const fs::path& each : rank_reports_) words.push_back(each.string());
    words.insert(words.end(), {"-o", report_.string(), "--force"});
    how_to_merge_ = text::shell_text(words);
    note(fmt::format("the reports of the ranks could not become one: {}", error.what()));
  }
}

// The runs are recorded already: whatever goes wrong here, they are kept.
void Launch::probe() {
  if (!writer_) return;
  try {
    probe_matmuls(options_, installation_, report_, folder_.path(), program_.torch_lib, *writer_);
  } catch (const std::exception& error) {
    note(fmt::format("the matmuls of these runs could not be looked at: {}", error.what()));
  }
}

void Launch::finish() {
  if (!writer_) return note(unrecorded_.empty() ? "to make one report of them: " + how_to_merge_ : unrecorded_);
  try {
    writer_->fold();
  } catch (const store::ReportError& error) {
    note(fmt::format("the report stays in two files, {0} and {0}-wal; keep them together: {1}",
                     report_.filename().string(), error.what()));
  }
  const std::string name = text::shell_text({report_.string()});
  std::error_code ignored;
  note(fmt::format("{} in {} ({})", text::counted(runs_, "run"), name,
                   text::bytes(static_cast<double>(fs::file_size(report_, ignored)))));
  const std::string gui = fs::exists(installation_.gui()) ? fmt::format("  or: ampprof-gui {}", name) : "";
  note(unrecorded_.empty() ? fmt::format("to read it: ampprof show {}{}", name, gui) : unrecorded_);
}

/// Calls `run(level, eager, repeat)` for each run that was asked for, until one returns false. Returns whether none
/// did.
template <class Run>
bool each_run(const RunOptions& options, Run run) {
  const std::vector<std::string> levels = options.levels.empty() ? std::vector<std::string>{""} : options.levels;
  for (const std::string& level : levels) {
    for (const bool eager : eager_runs_of(options)) {
      for (int repeat = 0; repeat < options.repeat; ++repeat) {
        if (!run(level, eager, repeat)) return false;
      }
    }
  }
  return true;
}

/// Runs the program of a rank that nobody wants a record of as often as those of the others run, and as they do.
int run_unrecorded(const RunOptions& options, const Program& program, std::int64_t rank) {
  note(fmt::format("rank {} is none of --record-ranks, so it is not recorded", rank));
  bool failed = false;
  each_run(options, [&](const std::string& level, bool eager, int) {
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
  const bool goes_on = each_run(
      options, [&](const std::string& level, bool eager, int repeat) { return runs.run(level, eager, repeat); });
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
  check_policy(options, program, installation);
  check_target_gpu(options.target_gpu);
  check_record_ranks(options, program);
  check_installation(installation, program.torch);
  check_preload(installation.preload_stub());
  if (options.ranks) program = on_ranks(std::move(program), *options.ranks);
  // Where a launcher started this ampprof, there is one rank to record, or none.
  if (const auto rank = amp::parallel::place_of(std::getenv).rank; rank && !options.record_ranks.empty()) {
    const auto ranks = recording::rank_list_from(options.record_ranks);
    if (!ranks || !recording::contains(*ranks, *rank)) return run_unrecorded(options, program, *rank);
    options.record_ranks.clear();
  }
  const fs::path report = new_report(options);
  try {
    return record(options, installation, program, report);
  } catch (const text::UsageError&) {
    std::error_code ignored;
    fs::remove(report, ignored);  // the program never started: an empty report helps nobody
    throw;
  }
}

}  // namespace ampprof::cli
