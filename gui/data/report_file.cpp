// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/report_file.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "cli/views/advice.h"

namespace ampprof::gui {
namespace {

std::vector<RunRow> chosen(const std::vector<RunRow>& runs, std::optional<std::int64_t> run) {
  std::vector<RunRow> wanted;
  std::ranges::copy_if(runs, std::back_inserter(wanted), [&](const RunRow& row) { return !run || row.run == *run; });
  return wanted;
}

}  // namespace

ReportFile::ReportFile(std::filesystem::path path) : path_(std::move(path)), report_(path_), runs_(report_.runs()) {}

Overview ReportFile::overview() const {
  const std::lock_guard lock(mutex_);
  cli::ViewSource source{report_, runs_, cli::Targets(runs_)};
  const cli::Findings findings = findings_of(source);
  return {.runs = runs_,
          .answer = answer(findings, source.targets),
          .runs_view = cli::runs_view(runs_),
          .losses = source.of_runs(&Report::losses),
          .missing = findings.missing};
}

cli::View ReportFile::view(const ViewRequest& request) const {
  const auto named = std::ranges::find(cli::all_views(), request.name, &cli::NamedView::name);
  if (named == cli::all_views().end()) throw std::invalid_argument("there is no view " + request.name);
  const std::lock_guard lock(mutex_);
  const std::vector<RunRow> runs = chosen(runs_, request.run);
  cli::ViewSource source{report_, runs, cli::Targets(runs)};
  if (request.group && named->takes_grouping) source.grouping = cli::Grouping{*request.group, cli::SiteFilter({})};
  return named->make(source);
}

std::shared_ptr<const Board> ReportFile::board() const {
  const auto run = cli::run_to_advise(runs_);
  if (!run) return nullptr;
  const std::lock_guard lock(mutex_);
  return std::make_shared<const Board>(cli::evidence_of(report_, *run, runs_));
}

}  // namespace ampprof::gui
