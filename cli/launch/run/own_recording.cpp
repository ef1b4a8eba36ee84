// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/own_recording.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "cli/launch/program/exit_code.h"
#include "cli/launch/program/torch_version.h"
#include "cli/launch/run/prepare.h"
#include "cli/launch/run/process_notes.h"
#include "cli/launch/run/what_if.h"
#include "reports/recording/options.h"
#include "reports/store/writer.h"
#include "reports/text/shell_text.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

/// Returns the command line of the program that started this process.
std::string command_line_of_parent() {
  std::ifstream file(fmt::format("/proc/{}/cmdline", getppid()));
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return text::shell_text(words);
}

}  // namespace

Environment begin_own_recording(const RunOptions& asked, const std::string& torch, const Installation& installation) {
  check_supported(torch, "this program", installation);
  Program program;
  program.torch = torch;
  const RunOptions options = with_defaults_of(asked, program);
  check_target_gpu(options.start.target_gpu);
  check_installation(installation, program.torch);
  Recording recording;
  recording.max_bytes = options.record.max_bytes;
  recording.report = new_report(options);
  recording.claim = temporary_folder().release() / "claim";  // the folder exists until the recording ends
  store::ReportWriter writer(recording.report);
  recording.runs = 0;
  for (RunStart& start : starts_of(options, command_line_of_parent())) {
    start.folder.clear();
    const std::int64_t run = writer.begin_run(start);
    if (recording.runs++ == 0) recording.run = run;
  }
  return recorder_variables(recording, options, program, installation, own_environment());
}

int end_own_recording(int exit_code) {
  const auto options = recording::options_from([](const char* name) { return std::getenv(name); });
  const char* claim = std::getenv(recording::kClaimVariable);
  if (!options || claim == nullptr) throw text::UsageError("No recording is in progress. Start one first.");
  const ProcessNotes notes = read_notes(claim);
  std::error_code ignored;
  fs::remove_all(fs::path(claim).parent_path(), ignored);
  if (!notes.stopped.empty()) {  // another recording may have replaced the report since
    throw text::UsageError(fmt::format("the recording stopped before its end: {}", notes.stopped));
  }
  store::ReportWriter writer(options->report);
  const bool holds_calls = writer.has_calls(options->run);
  const Missing nothing =
      holds_calls ? Missing{} : why_nothing_was_recorded(notes, {}, Installation::own(), writer.attached(options->run));
  std::vector<Missing> all = missing_from(notes);
  if (!holds_calls) all.push_back(nothing);
  const std::int64_t runs = std::ssize(courses_of(options->what_if));
  for (std::int64_t run = options->run; run < options->run + runs; ++run) {
    writer.end_run(run, exit_code);
    for (const Missing& missing : all) writer.add_missing(run, missing);
  }
  writer.fold();
  if (holds_calls) return kFine;
  fmt::print(stderr, "ampprof: nothing was recorded: {} {}\n", nothing.cause, nothing.remedy);
  return kWrongUsage;
}

}  // namespace ampprof::cli
