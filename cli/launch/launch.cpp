// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/launch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/launch/child.h"
#include "cli/launch/exit_code.h"
#include "cli/launch/policy_file.h"
#include "cli/launch/prepare.h"
#include "cli/launch/probe.h"
#include "cli/launch/process_notes.h"
#include "cli/launch/program.h"
#include "cli/launch/progress.h"
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
        writer_(report_),
        expected_steps_(program.steps) {}

  /// Returns false once no further run should start.
  bool run(const std::string& level, bool eager, int repeat);

  /// Once the last run has ended.
  void probe();
  void finish();
  int exit_code() const { return failed_ ? kProgramFailed : unrecorded_.empty() ? kFine : kWrongUsage; }

 private:
  std::int64_t max_bytes() const;
  std::optional<std::int64_t> total() const;
  void record_end(std::int64_t run, const Ending& ending, const ProcessNotes& notes);
  void note_what_is_missing(std::int64_t run, const ProcessNotes& notes);
  void judge(const Ending& ending, const std::string& label);

  const RunOptions& options_;
  const Installation& installation_;
  const Program& program_;
  fs::path report_;
  store::ReportWriter writer_;
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
    writer_.add_missing(run, missing);
    note(fmt::format("not recorded: {} ({}). {}", missing.what, missing.count, missing.cause));
  }
  if (writer_.has_calls(run)) return;
  const Missing missing = why_nothing_was_recorded(notes, program_, installation_, writer_.attached(run));
  writer_.add_missing(run, missing);
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
    writer_.end_run(run, ending.exit_code);
    note_what_is_missing(run, notes);
  } catch (const store::ReportError& error) {
    note(fmt::format("the end of the run could not be recorded, what came before is kept: {}", error.what()));
  }
}

bool Launch::run(const std::string& level, bool eager, int repeat) {
  RunStart start = start_of(options_, text::shell_text(options_.command));
  start.level = level;
  start.repeat = repeat;
  const std::int64_t run = writer_.begin_run(start);
  const Recording recording{.report = report_,
                            .run = run,
                            .claim = folder_.path() / fmt::format("claim-{}", run),
                            .level = level,
                            .eager = eager,
                            .max_bytes = max_bytes()};
  const auto environment = environment_of(recording, options_, program_, installation_, own_environment());
  std::string label = level.empty() ? "the program" : level;
  if (eager) label += " without torch.compile";
  if (options_.repeat > 1) label += fmt::format(" #{}", repeat + 1);
  Ending ending;
  {
    Progress progress(report_, run, label, total());
    ending = run_program(program_, environment, kRedraw, [&] { progress.update(); });
  }
  ++runs_;
  record_end(run, ending, read_notes(recording.claim));
  if (!expected_steps_ && ending.exit_code == 0) expected_steps_ = queries::last_step(queries::Report(report_), run);
  judge(ending, label);
  return !ending.interrupted;
}

// The runs are recorded already: whatever goes wrong here, they are kept.
void Launch::probe() {
  try {
    probe_matmuls(options_, installation_, report_, folder_.path(), program_.torch_lib, writer_);
  } catch (const std::exception& error) {
    note(fmt::format("the matmuls of these runs could not be looked at: {}", error.what()));
  }
}

void Launch::finish() {
  try {
    writer_.fold();
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

int record(const RunOptions& options, const Installation& installation, const Program& program,
           const fs::path& report) {
  Launch runs(options, installation, program, report);
  const std::vector<std::string> levels = options.levels.empty() ? std::vector<std::string>{""} : options.levels;
  bool goes_on = true;
  for (const std::string& level : levels) {
    for (const bool eager : eager_runs_of(options)) {
      for (int repeat = 0; goes_on && repeat < options.repeat; ++repeat) goes_on = runs.run(level, eager, repeat);
    }
  }
  if (goes_on) runs.probe();
  runs.finish();
  return runs.exit_code();
}

}  // namespace

int launch(const RunOptions& asked, const Installation& installation) {
  const Program program = resolve_program(asked, installation);
  const RunOptions options = with_defaults_of(asked, program);
  check_levels(options, program);
  check_eager(options, program);
  check_policy(options, program, installation);
  check_target_gpu(options.target_gpu);
  check_installation(installation, program.torch);
  check_preload(installation.preload_stub());
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
