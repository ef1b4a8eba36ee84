// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/losses/impact_order.h"
#include "analysis/ops/group.h"
#include "precision/rules/verdict.h"
#include "reports/records/impact_estimate.h"
#include "views/losses/impact_parts.h"

namespace ampprof::gui {

class Board;

/// Says how far the size of a loss change can be trusted, and what it is made of.
struct ImpactDetails {
  bool is_signed = false;       ///< the size is, or holds, the root mean square of signed changes; else it is E
  bool is_of_decrease = false;  ///< it is what a backward op changes the decrease of the loss by, in a step
  std::optional<SizeInterval> interval = {};   ///< that holds E; empty where the size is not in it
  std::vector<views::RoundedPart> parts = {};  ///< of E^2
  std::optional<double> mean = {};             ///< signed, over steps
  std::optional<bool> is_resolved = {};        ///< whether that is two of its standard errors; empty of one step
  analysis::ImpactRank rank = {};              ///< among the rows beside it
};

/// A row of the board: a call site, or several.
struct BoardLine {
  std::string name;
  std::string call_site = {};                  ///< as in OpRow; "" for several
  bool is_reduced = false;                     ///< computes, or was judged, in reduced precision
  std::optional<double> local_error = {};      ///< relative
  std::optional<double> inherited_error = {};  ///< relative
  std::optional<double> loss_change = {};      ///< its size (E); of several as predicted_impact()
  ImpactDetails impact = {};                   ///< of that
  std::int64_t overflows = 0;                  ///< overflow events that began here
  std::optional<double> headroom = {};         ///< powers of two up to 65504
  double time_us = 0.0;                        ///< a step, of the CPU
  std::optional<double> gpu_us = {};           ///< a step; empty where the run saw no GPU
  std::optional<double> compiled_us = {};  ///< a step of the run with torch.compile, of the GPU where it saw one; of
                                           ///< the regions that cover it at the first call site that they cover
  std::string regions = {};                ///< that cover it: "0/0"; "" where it was not compiled
  std::optional<double> fp32_us = {};      ///< a step, what FP32 would take more
  double cast_bytes = 0.0;                 ///< a step
  std::optional<rules::RuleToday> tensor_cores = {};  ///< of one call site that the rules judge
  std::string tensor_core_reason = {};                ///< sentences
  std::vector<std::size_t> candidates = {};           ///< of the evaluation, those that can be registered; each once
  std::string cannot = {};                            ///< where there are none: why, a sentence
};

struct BoardGroup {
  BoardLine line;                     ///< a call site's own where there is but one
  std::vector<BoardLine> sites = {};  ///< two or more
};

/// The call sites whose module or op a regular expression is found in, in groups, both in the order of the program.
/// Throws UsageError for a wrong regular expression.
std::vector<BoardGroup> board_groups(const Board& board, analysis::GroupBy by, const std::string& pattern = "");

/// Says by what rows rank: by E, by signed changes where no E is known, or, where no loss change is, by local error.
enum class BoardOrdering { Estimate, SignedChange, LocalError };
BoardOrdering orderingOf(const Board& board);

}  // namespace ampprof::gui
