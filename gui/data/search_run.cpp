// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/search_run.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <vector>

#include "analysis/search_journal.h"
#include "gui/data/confirming_run.h"
#include "reports/text/shell_text.h"

namespace ampprof::gui {
namespace {

search::Metric metricOf(const SearchSettings& settings) {
  return search::metric_from(settings.metric.trimmed().toStdString(), settings.higher);
}

/// The command line of the run that began last is that of the search, or of the one before.
std::string newestProgram(const queries::Report& report) {
  const std::vector<queries::RunRow> runs = queries::runs(report);
  return runs.empty() ? "" : runs.back().program;
}

}  // namespace

QString faultOf(const SearchSettings& settings) {
  if (settings.program.trimmed().isEmpty()) return "No program is named.";
  const search::Metric metric = metricOf(settings);
  if (const std::string fault = search::fault_of(metric); !fault.empty()) {
    return QString("The metric %1. Write loss, overflows, or as in: accuracy ([0-9.]+)")
        .arg(QString::fromStdString(fault));
  }
  if (!settings.within.trimmed().isEmpty() && !search::within_from(settings.within.trimmed().toStdString()))
    return "The tolerance is none. Write 2% for a share of the metric, or 0.3 in its own unit.";
  return {};
}

QString searchCommand(const SearchSettings& settings, const QString& start, const QString& report) {
  std::vector<std::string> words{ampprofProgram(), "search", "--start", start.toStdString()};
  const auto add = [&](const char* flag, const QString& value) {
    words.insert(words.end(), {flag, value.trimmed().toStdString()});
  };
  if (settings.metric.trimmed() != SearchSettings().metric) add("--metric", settings.metric);
  if (settings.higher) words.emplace_back("--higher");
  if (!settings.within.trimmed().isEmpty()) add("--within", settings.within);
  add("--budget", QString("%1m").arg(settings.minutes));
  if (settings.parallel > 1) add("--parallel", QString::number(settings.parallel));
  words.insert(words.end(), {"-o", report.toStdString(), "--"});
  return QString::fromStdString(text::shell_text(words)) + ' ' + settings.program.trimmed();
}

QString searchReport(const QString& report) {
  const QFileInfo file(report);
  return file.dir().filePath(file.completeBaseName() + "-search.ampprof");
}

search::Question questionOf(const SearchSettings& settings, const Board& board) {
  const auto within = search::within_from(settings.within.trimmed().toStdString());
  return {.candidates = search::candidates_of(board.evaluation()),
          .base = analysis::base_of_search("", analysis::type_of_search(board.evidence().run)),
          .metric = metricOf(settings),
          .within = within.value_or(search::Within())};
}

search::Findings searchedSoFar(const std::string& report, const search::Question& question, const Board& board,
                               std::size_t running) {
  search::Journal journal;
  if (std::filesystem::exists(report)) {
    const queries::Report opened(report);
    const std::string level = analysis::level_of_search(board.evidence().run);
    journal = analysis::journal_of(opened, question, {.program = newestProgram(opened), .level = level});
  }
  search::Findings findings = search::findings_of(question, journal, std::max<std::size_t>(running, 1));
  search::note_running(findings, running);
  return findings;
}

}  // namespace ampprof::gui
