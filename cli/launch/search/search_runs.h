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
  RunOptions run;     ///< program, report, first seed, type, the policy beneath every set; with a recipe it is
                      ///< matmuls that are kept in high precision
  std::string start;  ///< report that ranks the candidates; "" to record the program for that
  search::Metric metric = {};
  search::Within within = {};
  search::TestPlan plan = {};
  double budget = kSearchBudget;  ///< seconds
  std::int64_t parallel = 1;      ///< concurrent runs
};

/// Runs the program until the search is finished, the budget is spent, or somebody asks to stop. All runs are in one
/// report; existing ones are not repeated. Empty if the program itself fails, after a message. Throws UsageError and
/// ReportError.
std::optional<search::Result> run_search(const SearchOptions& options, const Installation& installation);

/// Progress of a search.
struct SearchAdvance {
  std::size_t evaluations = 0;           ///< sets with runs
  std::optional<std::size_t> best = {};  ///< size of the smallest passing set
  std::size_t candidates = 0;
  std::string unit = "function";  ///< noun for a candidate
  std::size_t running = 0;        ///< runs in progress
  double seconds_left = 0.0;      ///< rest of the budget
};

/// Returns "search  7 sets tried  best: 3 of 41 functions  2 running  18:20 left".
std::string search_line(const SearchAdvance& advance, int width);

}  // namespace ampprof::cli
