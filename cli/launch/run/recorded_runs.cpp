// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/recorded_runs.h"

#include <fmt/format.h>
#include <signal.h>

#include <system_error>

#include "cli/launch/run/prepare.h"
#include "cli/launch/run/process_notes.h"
#include "reports/text/read_file.h"
#include "reports/text/shell_text.h"
#include "reports/text/write_file.h"

namespace ampprof::cli {
namespace {

using RunClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kUntilKilled{10};  ///< between SIGTERM and SIGKILL

}  // namespace

RecordedRuns::RecordedRuns(const Program& program, const Installation& installation, std::filesystem::path report)
    : program_(program),
      installation_(installation),
      report_(std::move(report)),
      writer_(report_),
      folder_(temporary_folder()) {}

std::int64_t RecordedRuns::start(const RecordedRun& run) {
  RunStart start = start_of(run.options, text::shell_text(run.options.command));
  start.level = run.level;
  start.repeat = run.repeat;
  Running running;
  running.recording.report = report_;
  running.recording.run = writer_.begin_run(start);
  running.recording.level = run.level;
  running.recording.max_bytes = run.options.record.max_bytes;
  const std::string number = std::to_string(running.recording.run);
  running.recording.claim = folder_.path() / ("claim-" + number);
  running.output = folder_.path() / ("output-" + number);
  RunOptions options = run.options;
  options.policy.clear();
  if (!run.policy.empty()) {
    options.policy = folder_.path() / ("policy-" + number);
    text::write_file(options.policy, run.policy);
  }
  running.began = RunClock::now();
  running.child = children_.start(
      program_, environment_of(running.recording, options, program_, installation_, own_environment()), running.output);
  running_.emplace(running.recording.run, running);
  return running.recording.run;
}

RecordedRuns::Ended RecordedRuns::ended(std::int64_t run, const Running& running, const Ending& ending) {
  Ended ended{.run = run, .ending = ending, .was_stopped = running.stopped.has_value(), .output = {}, .unrecorded = {}};
  ended.seconds = std::chrono::duration<double>(RunClock::now() - running.began).count();
  ended.output = text::read_file(running.output);
  std::error_code ignored;
  std::filesystem::remove(running.output, ignored);
  const ProcessNotes notes = read_notes(running.recording.claim);
  writer_.end_run(run, ending.exit_code);
  for (const Missing& missing : missing_from(notes)) writer_.add_missing(run, missing);
  if (writer_.has_calls(run)) return ended;
  const Missing nothing = why_nothing_was_recorded(notes, program_, installation_, writer_.attached(run));
  writer_.add_missing(run, nothing);
  ended.unrecorded = fmt::format("nothing was recorded: {} {}", nothing.cause, nothing.remedy);
  return ended;
}

void RecordedRuns::end_what_does_not_end() {
  for (const auto& [run, running] : running_) {
    if (running.stopped && RunClock::now() - *running.stopped > kUntilKilled) children_.send(running.child, SIGKILL);
  }
}

std::optional<RecordedRuns::Ended> RecordedRuns::wait(std::chrono::milliseconds limit) {
  end_what_does_not_end();
  const auto child = children_.wait(limit);
  if (!child) return std::nullopt;
  for (const auto& [run, running] : running_) {
    if (running.child != child->child) continue;
    Ended result = ended(run, running, child->ending);
    running_.erase(run);
    return result;
  }
  return std::nullopt;
}

void RecordedRuns::stop(std::int64_t run) {
  const auto running = running_.find(run);
  if (running == running_.end() || running->second.stopped) return;
  running->second.stopped = RunClock::now();
  children_.send(running->second.child, SIGTERM);
}

}  // namespace ampprof::cli
