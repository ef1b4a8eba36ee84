// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/search_run.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <vector>

#include "analysis/diagnosis/search_journal.h"
#include "analysis/recipes/recipe_evidence.h"
#include "analysis/search/recipe_candidates.h"
#include "gui/data/board.h"
#include "gui/data/confirming_run.h"
#include "precision/advice/recipes/format_rules.h"
#include "reports/queries/runs.h"
#include "reports/text/shell_text.h"

namespace ampprof::gui {
namespace {

search::Metric metricOf(const SearchSettings& settings) {
  return search::metric_from(settings.metric.trimmed().toStdString(), settings.higher);
}

/// Returns the command line of the newest run in a report, which may be of the current or of an earlier search.
std::string newestProgram(const queries::Report& report) {
  const std::vector<queries::RunRow> runs = queries::runs(report);
  return runs.empty() ? "" : runs.back().program;
}

const queries::RunRow& runOf(const RecipeBoard& board, const TriedRecipe& recipe) {
  return *std::ranges::find(board.runs(), recipe.run, &queries::RunRow::run);
}

/// Returns the evidence for advice on one recipe; empty if no impact of the recipe was measured.
advice::RecipeEvidence evidenceOf(const RecipeBoard& board, const TriedRecipe& recipe) {
  std::vector<queries::RecipeMatmulRow> rows;
  for (const queries::RecipeMatmulRow* row : board.rowsOf(recipe)) rows.push_back(*row);
  if (!analysis::has_recipe_impacts(rows)) return {};
  const queries::RunRow& run = runOf(board, recipe);
  return analysis::recipe_evidence(rows, advice::largest_loss(run.first_loss_mean, run.last_loss_mean),
                                   analysis::gpu_for_recipes("", run.device), board.times());
}

std::string fileNameOf(const std::string& recipe) {
  std::string name = std::filesystem::path(recipe).filename().string();
  std::ranges::replace_if(
      name, [](char c) { return c == ':' || c == '+'; }, '-');
  return name;
}

}  // namespace

SearchSubject subjectOf(const Board& board) {
  const queries::RunRow& run = board.run();
  return {.program = run.program,
          .candidates = search::candidates_of(board.evaluation()),
          .base = analysis::base_of_search("", analysis::type_of_search(run)),
          .level = analysis::level_of_search(run)};
}

SearchSubject subjectOf(const RecipeBoard& board, const TriedRecipe& recipe) {
  const queries::RunRow& run = runOf(board, recipe);
  const advice::RecipeEvidence evidence = evidenceOf(board, recipe);
  return {.program = run.program,
          .candidates = evidence.layers.empty() ? search::Candidates() : search::recipe_candidates(evidence),
          .base = analysis::base_of_search("", "", recipe.recipe),
          .level = run.level,
          .recipe = recipe.recipe};
}

KeptPlaces placesOf(const std::vector<std::string>& lines, const RecipeBoard& board, const TriedRecipe& recipe) {
  const advice::RecipeEvidence evidence = evidenceOf(board, recipe);
  KeptPlaces places;
  for (std::size_t place = 0; place < board.candidates().size(); ++place) {
    const KeptMatmul& kept = board.candidates()[place];
    const std::string line =
        advice::format_line(evidence.layers, {kept.module, kept.op}, matmul_index(kept.matmul), "bf16");
    if (std::ranges::find(lines, line) != lines.end()) places.push_back(place);
  }
  return places;
}

QString faultOf(const SearchSettings& settings) {
  if (settings.program.trimmed().isEmpty()) return "Enter a command.";
  const search::Metric metric = metricOf(settings);
  if (const std::string fault = search::fault_of(metric); !fault.empty()) {
    return QString("Invalid metric: it %1. Use loss, overflows, or a pattern such as accuracy ([0-9.]+)")
        .arg(QString::fromStdString(fault));
  }
  if (!settings.within.trimmed().isEmpty() && !search::tolerance_spec_from(settings.within.trimmed().toStdString()))
    return "Invalid tolerance. Write a share of the metric, such as 2%, or a number in the metric's unit, such as 0.3.";
  return {};
}

QString searchCommand(const SearchSettings& settings, const std::string& recipe, const QString& start,
                      const QString& report) {
  std::vector<std::string> words{ampprofProgram(), "search", "--start", start.toStdString()};
  const auto add = [&](const char* flag, const QString& value) {
    words.insert(words.end(), {flag, value.trimmed().toStdString()});
  };
  if (!recipe.empty()) words.insert(words.end(), {"--recipe", recipe});
  if (settings.metric.trimmed() != SearchSettings().metric) add("--metric", settings.metric);
  if (settings.higher) words.emplace_back("--higher");
  if (!settings.within.trimmed().isEmpty()) add("--tolerance", settings.within);
  add("--budget", QString("%1m").arg(settings.minutes));
  if (settings.parallel > 1) add("--parallel", QString::number(settings.parallel));
  words.insert(words.end(), {"-o", report.toStdString(), "--"});
  return QString::fromStdString(text::shell_text(words)) + ' ' + settings.program.trimmed();
}

QString searchReport(const QString& report, const std::string& recipe) {
  const QFileInfo file(report);
  const QString of_recipe = recipe.empty() ? QString() : '-' + QString::fromStdString(fileNameOf(recipe));
  return file.dir().filePath(file.completeBaseName() + "-search" + of_recipe + ".ampprof");
}

search::SearchProblem questionOf(const SearchSettings& settings, const SearchSubject& subject) {
  const auto within = search::tolerance_spec_from(settings.within.trimmed().toStdString());
  return {.candidates = subject.candidates,
          .base = subject.base,
          .metric = metricOf(settings),
          .within = within.value_or(search::ToleranceSpec())};
}

search::SearchState SearchReader::read(const search::SearchProblem& question, const SearchSubject& subject,
                                       std::size_t running) {
  if (!std::filesystem::exists(path_)) opened_.reset();
  if (!opened_ && std::filesystem::exists(path_)) opened_.emplace(path_);
  search::Journal journal;
  if (opened_) {
    journal = analysis::journal_of(*opened_, question, {.program = newestProgram(*opened_), .level = subject.level});
  }
  search::SearchState findings = search::findings_of(question, journal, std::max<std::size_t>(running, 1));
  search::note_running(findings, running);
  return findings;
}

}  // namespace ampprof::gui
