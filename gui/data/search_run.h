// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <string>

#include "analysis/search/search.h"
#include "gui/data/board.h"

namespace ampprof::gui {

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

/// Returns the command that searches from the advice of `start` and records into `report`. Nothing runs it before the
/// user has seen it: the program is a text of a report.
QString searchCommand(const SearchSettings& settings, const QString& start, const QString& report);

/// Returns the report beside another that holds its searches: "digits-search.ampprof".
QString searchReport(const QString& report);

/// Returns what such a command asks, with the functions of the board of the run that `start` advises on. Throws nothing
/// for settings without a fault.
search::Question questionOf(const SearchSettings& settings, const Board& board);

/// Reads how far a search has come: nothing where the report is not there yet. `running`: runs that go on at most.
/// Throws ReportError.
search::Findings searchedSoFar(const std::string& report, const search::Question& question, const Board& board,
                               std::size_t running);

}  // namespace ampprof::gui
