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
inline constexpr double kSearchBudget = 30 * 60;  ///< seconds

/// Options of `ampprof search`, checked as far as the text alone allows.
struct SearchOptions {
  RunOptions run;     ///< program, report, first seed, type, the policy that is beneath every set; with a recipe it is
                      ///< matmuls that are kept in high precision
  std::string start;  ///< report that ranks the candidates; "" to record the program for that
  search::Metric metric = {};
  search::Within within = {};
  search::TestPlan plan = {};
  double budget = kSearchBudget;  ///< seconds
  std::int64_t parallel = 1;      ///< runs at the same time
};

/// Runs the program until the search is at its end, the budget is spent, or somebody asks to stop. All runs are in one
/// report; those that are there already are not repeated. Empty where the program fails by itself, which it has said
/// then. Throws UsageError and ReportError.
std::optional<search::Result> run_search(const SearchOptions& options, const Installation& installation);

/// How far a search has come.
struct SearchAdvance {
  std::size_t evaluations = 0;           ///< sets that were run
  std::optional<std::size_t> best = {};  ///< size of the smallest set that passed
  std::size_t candidates = 0;
  std::string unit = "function";  ///< what a candidate is about
  std::size_t running = 0;    ///< runs that go on
  double seconds_left = 0.0;  ///< of the budget
};

/// "search  7 sets tried  best: 3 of 41 functions  2 running  18:20 left".
std::string search_line(const SearchAdvance& advance, int width);

}  // namespace ampprof::cli
