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

/// Says what a search is about: what it may keep in high precision, as one run of a report tells.
struct SearchSubject {
  std::string program = {};  ///< the command line of the run
  search::Candidates candidates = {};
  std::string base = {};    ///< the policy beneath every set
  std::string level = {};   ///< that sets run at; "" as the program decides
  std::string recipe = {};  ///< that matmuls are kept from; "" where functions are kept from casts
};

/// Functions, of the run that a board is about.
SearchSubject subjectOf(const Board& board);
/// Matmuls that a recipe rounds. Throws RecipeError, a sentence, where the recipe's file is not there.
SearchSubject subjectOf(const RecipeBoard& board, const TriedRecipe& recipe);

/// Returns which matmuls the lines of a set of the latter keep.
KeptPlaces placesOf(const std::vector<std::string>& lines, const RecipeBoard& board, const TriedRecipe& recipe);

/// Holds what a user asks of `ampprof search`; all else is as the command line has it.
struct SearchSettings {
  QString program;
  QString metric = "loss";
  bool higher = false;
  QString within = {};  ///< "" for within noise
  int minutes = 30;
  int parallel = 1;
};

/// Returns what is wrong with them, a sentence; "" where nothing is.
QString faultOf(const SearchSettings& settings);

/// Returns the command that searches from the advice of `start` and records into `report`, with a recipe where one is
/// named. Nothing runs it before the user has seen it: the program is a text of a report.
QString searchCommand(const SearchSettings& settings, const std::string& recipe, const QString& start,
                      const QString& report);

/// Returns the report beside another that holds its searches: "digits-search.ampprof", "digits-search-nvfp4.ampprof".
QString searchReport(const QString& report, const std::string& recipe = {});

/// Returns what such a command asks. Throws nothing for settings without a fault.
search::Question questionOf(const SearchSettings& settings, const SearchSubject& subject);

/// Reads how far a search has come, again and again: its report stays open, since to open one checks all of its pages.
/// For one thread at a time.
class SearchReader {
 public:
  explicit SearchReader(std::string report) : path_(std::move(report)) {}

  /// Nothing where the report is not there yet. `running`: runs that go on at most. Throws ReportError.
  search::Findings read(const search::Question& question, const SearchSubject& subject, std::size_t running);

 private:
  const std::string path_;
  std::optional<queries::Report> opened_;
};

}  // namespace ampprof::gui
