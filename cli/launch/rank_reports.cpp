// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/rank_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>

#include "reports/merge/merge.h"
#include "reports/recording/rank_list.h"
#include "reports/store/create.h"
#include "reports/store/writer.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

/// Returns the ranks that `file_of_rank(file, rank)` is there of, with that path.
std::map<std::int64_t, fs::path> files_of_ranks(const fs::path& file) {
  const std::string any = recording::file_of_rank(file.filename().string(), "*");
  const auto star = any.rfind('*');
  const std::string_view before(any.data(), star);
  const std::string_view behind(any.data() + star + 1, any.size() - star - 1);
  std::map<std::int64_t, fs::path> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_of(file), ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= any.size() - 1 || !name.starts_with(before) || !name.ends_with(behind)) continue;
    const auto rank = recording::number_in(std::string_view(name).substr(star, name.size() - (any.size() - 1)));
    if (rank) files.emplace(*rank, entry.path());
  }
  return files;
}

void remove_report(const fs::path& report) {
  std::error_code ignored;
  fs::remove(report, ignored);
  store::remove_logs_of_a_former_file(report);
}

struct EndedReport {
  bool saw_process = false;
  bool has_calls = false;
};

EndedReport end_report(const fs::path& report, std::int64_t run, int exit_code, const std::vector<Missing>& missing) {
  store::ReportWriter writer(report);
  writer.end_run(run, exit_code);
  for (const Missing& each : missing) writer.add_missing(run, each);
  const EndedReport ended{writer.attached(run), writer.has_calls(run)};
  writer.fold();
  return ended;
}

}  // namespace

void clear_rank_reports(const fs::path& report, bool replace) {
  for (const auto& [rank, file] : files_of_ranks(report)) {
    if (!replace) {
      throw text::UsageError(fmt::format(
          "There is a report {} of an earlier run. Keep it under another name, or add --force to replace it.",
          file.string()));
    }
    remove_report(file);
  }
}

void prepare_rank_reports(const RunStart& start, const fs::path& folder, Recording& recording) {
  recording.rank_template = folder / fmt::format("{}.ampprof", recording.claim.filename().string());
  store::create_report(recording.rank_template, false);
  store::ReportWriter writer(recording.rank_template);
  recording.run = writer.begin_run(start);
  writer.fold();
}

RankedRun end_rank_reports(const Recording& recording, int exit_code, const ProcessNotes& notes, const Program& program,
                           const Installation& installation) {
  RankedRun ended{.reports = {}, .unrecorded = {}, .missing = missing_from(notes)};
  bool saw_process = false;
  bool has_calls = false;
  for (const auto& [rank, claim] : files_of_ranks(recording.claim)) {
    const fs::path report = recording::file_of_rank(recording.report.string(), std::to_string(rank));
    std::error_code ignored;
    if (!fs::exists(report, ignored)) continue;  // the process was killed in between
    const EndedReport one =
        end_report(report, recording.run, exit_code, ended.reports.empty() ? ended.missing : std::vector<Missing>());
    saw_process = saw_process || one.saw_process;
    has_calls = has_calls || one.has_calls;
    ended.reports.push_back(report);
  }
  if (has_calls) return ended;
  const Missing why = why_no_rank_was_recorded(notes, program, installation, saw_process);
  if (ended.reports.empty()) ended.reports.push_back(recording.rank_template);
  end_report(ended.reports.front(), recording.run, exit_code, {why});
  ended.unrecorded = fmt::format("nothing was recorded: {} {}", why.cause, why.remedy);
  return ended;
}

void merge_rank_reports(const std::vector<fs::path>& reports, const fs::path& target) {
  merge::merge_reports(reports, target, /*replace=*/true);
  for (const fs::path& report : reports) remove_report(report);
}

}  // namespace ampprof::cli
