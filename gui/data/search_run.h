// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "analysis/search/search.h"
#include "gui/data/recipe_marks.h"
#include "reports/queries/report.h"

namespace ampprof::gui {

class Board;

/// Subject of a search: the candidates for high precision, from one run of a report.
struct SearchSubject {
  std::string program = {};  ///< command line of the run
  search::Candidates candidates = {};
  std::string base = {};    ///< policy to which each tried set of candidates is added
  std::string level = {};   ///< level at which sets are tried; "" if the program decides
  std::string recipe = {};  ///< recipe from which the search excludes matmuls; "" if it excludes functions from casts
};

/// Returns the functions of the board's run as candidates.
SearchSubject subjectOf(const Board& board);
/// Returns the matmuls that a recipe quantizes as candidates. Throws RecipeError if the recipe's file is missing.
SearchSubject subjectOf(const RecipeBoard& board, const TriedRecipe& recipe);

/// Returns the matmuls that policy lines, the result of a search, keep in BF16.
KeptPlaces placesOf(const std::vector<std::string>& lines, const RecipeBoard& board, const TriedRecipe& recipe);

/// User input for `ampprof search`. Other options have the defaults of the command line.
struct SearchSettings {
  QString program;
  QString metric = "loss";
  bool higher = false;
  QString within = {};  ///< tolerance; if "", the noise between seeds
  int minutes = 30;
  int parallel = 1;
};

/// Returns an error message for invalid settings; "" if they are valid.
QString faultOf(const SearchSettings& settings);

/// Returns the search command. The search starts from the advice for the report `start` and records into `report`;
/// `recipe` may be "". The program is untrusted text from a report, so show the command to the user before running it.
QString searchCommand(const SearchSettings& settings, const std::string& recipe, const QString& start,
                      const QString& report);

/// Returns the path of the report for searches, in the folder of `report`: "digits-search.ampprof", or
/// "digits-search-nvfp4.ampprof" for a recipe.
QString searchReport(const QString& report, const std::string& recipe = {});

/// Returns the question that searchCommand() answers. The settings must be valid.
search::SearchProblem questionOf(const SearchSettings& settings, const SearchSubject& subject);

/// Reads the progress of a search repeatedly. Keeps the search's report open, since opening checks all pages of the
/// file. Not thread-safe.
class SearchReader {
 public:
  explicit SearchReader(std::string report) : path_(std::move(report)) {}

  /// Returns the current findings; while the report does not exist, those of a search without trials. `running`: number
  /// of parallel trials, which is how many of the next sets are marked as running. Throws ReportError.
  search::SearchState read(const search::SearchProblem& question, const SearchSubject& subject, std::size_t running);

 private:
  const std::string path_;
  std::optional<queries::Report> opened_;
};

}  // namespace ampprof::gui
