// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/ranks/rank_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>

#include "reports/merge/merge.h"
#include "reports/recording/rank_list.h"
#include "reports/recording/stub_variables.h"
#include "reports/store/create.h"
#include "reports/store/writer.h"
#include "reports/text/exit_text.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

/// Returns the first of r.ampprof, r-2.ampprof and so on whose file_of_rank() names are all free.
fs::path free_rank_report(const fs::path& report) {
  fs::path path = report;
  for (int n = 2; !files_of_ranks(path).empty(); ++n) {
    path.replace_filename(fmt::format("{}-{}{}", report.stem().string(), n, report.extension().string()));
  }
  return path;
}

void remove_report(const fs::path& report) {
  std::error_code ignored;
  fs::remove(report, ignored);
  store::remove_logs_of_a_former_file(report);
}

RankReport end_report(std::int64_t rank, std::int64_t runs, const fs::path& path, const RankEnding& ending) {
  store::ReportWriter writer(path);
  for (std::int64_t i = 0; i < runs; ++i) {
    writer.end_run(recording::kRunOfRank + i, ending.exit_code, ending.ended_ns);
  }
  const RankReport ended{rank, path, writer.attached(recording::kRunOfRank), writer.has_calls(recording::kRunOfRank)};
  writer.fold();
  return ended;
}

Missing nothing_of(const RankReport& report, const RankEndings& endings) {
  const std::string what = fmt::format("every op of rank {}", report.rank);
  if (report.saw_process) {
    return {what, 1, "This rank ran none of the requested steps.", "Request steps that all ranks run."};
  }
  const auto ending = endings.find(report.rank);
  const bool is_known = ending != endings.end() && ending->second.exit_code;
  return {what, 1,
          fmt::format("Its process ended before it wrote anything{}.",
                      is_known ? ", with " + text::exit_text(*ending->second.exit_code) : ""),
          "Read the program's output for the reason."};
}

}  // namespace

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

void prepare_rank_reports(const std::vector<RunStart>& starts, const fs::path& folder, Recording& recording) {
  recording.rank_report = free_rank_report(recording.report);
  recording.rank_template = folder / fmt::format("{}.ampprof", recording.claim.filename().string());
  store::create_report(recording.rank_template, false);
  store::ReportWriter writer(recording.rank_template);
  for (const RunStart& start : starts) writer.begin_run(start);
  writer.fold();
}

std::vector<RankReport> end_rank_reports(const Recording& recording, int exit_code, const RankEndings& endings) {
  std::vector<RankReport> ended;
  for (const auto& [rank, claim] : files_of_ranks(recording.claim)) {
    const fs::path path = recording::file_of_rank(recording.rank_report.string(), std::to_string(rank));
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;  // the rank was killed before it created its report
    const auto seen = endings.find(rank);
    RankEnding ending = seen == endings.end() ? RankEnding{} : seen->second;
    if (exit_code == 0 && !ending.exit_code) ending.exit_code = 0;
    ended.push_back(end_report(rank, recording.runs, path, ending));
  }
  return ended;
}

std::vector<Missing> remove_unrecorded_ranks(std::vector<RankReport>& ranks, const RankEndings& endings) {
  std::vector<Missing> missing;
  if (std::ranges::none_of(ranks, &RankReport::has_calls)) return missing;
  for (const RankReport& report : ranks) {
    if (!report.has_calls) missing.push_back(nothing_of(report, endings));
    if (!report.saw_process) remove_report(report.path);
  }
  std::erase_if(ranks, [](const RankReport& report) { return !report.saw_process; });
  return missing;
}

void merge_into_one(const std::vector<fs::path>& reports, const fs::path& target) {
  merge::merge_reports(reports, target, /*replace=*/true);
  for (const fs::path& report : reports) {
    if (report != target) remove_report(report);
  }
}

}  // namespace ampprof::cli
