// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/search/search.h"
#include "cli/launch/program/installation.h"
#include "cli/launch/program/options.h"

namespace ampprof::cli {

inline constexpr const char* kSearchReport = "search.ampprof";
inline constexpr double kSearchBudget = 30 * 60;  ///< default of --budget, in seconds

/// Options of `ampprof search`, checked as far as the text alone allows.
struct SearchOptions {
  /// Program, report, first seed, type, and the policy that every tried set extends. With a recipe, the search keeps
  /// matmuls in high precision.
  RunOptions run;
  std::string start;  ///< report that ranks the candidates; "" to record one first
  search::Metric metric = {};
  search::ToleranceSpec within = {};
  search::TestPlan plan = {};
  double budget = kSearchBudget;  ///< time limit of the search, in seconds
  std::int64_t parallel = 1;      ///< concurrent runs
};

/// Runs the program until the search is finished, the budget is spent, or a signal asks to stop. All runs go into one
/// report; runs that it already has are not repeated. Prints a message and returns empty if the unchanged program
/// fails. Throws UsageError and ReportError.
std::optional<search::Result> run_search(const SearchOptions& options, const Installation& installation);

/// Progress of a search.
struct SearchAdvance {
  std::size_t evaluations = 0;           ///< sets tried so far
  std::optional<std::size_t> best = {};  ///< size of the smallest passing set
  std::size_t candidates = 0;
  std::string unit = "function";  ///< noun for a candidate
  std::size_t running = 0;        ///< runs in progress
  double seconds_left = 0.0;      ///< rest of the budget
};

/// Returns "search  7 sets tried  best: 3 of 41 functions  2 running  18:20 left".
std::string search_line(const SearchAdvance& advance, int width);

}  // namespace ampprof::cli
