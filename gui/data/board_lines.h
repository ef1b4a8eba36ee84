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

/// Explains the size of a loss change: how reliable it is, and which parts it consists of.
struct ImpactDetails {
  bool is_signed = false;       ///< the size is, or includes, the RMS of signed changes; false: it is E
  bool is_of_decrease = false;  ///< change of a step's loss decrease, for a backward op; false: change of the loss
  std::optional<SizeInterval> interval = {};   ///< confidence interval of E; empty if the shown size is outside it
  std::vector<views::RoundedPart> parts = {};  ///< shares of E^2
  std::optional<double> mean = {};             ///< signed mean over steps
  std::optional<bool> is_resolved = {};        ///< the mean is at least two standard errors from 0; empty for one step
  analysis::ImpactRank rank = {};              ///< rank among sibling rows: groups, or call sites of a group
};

/// A row of the board: a call site or a group.
struct BoardLine {
  std::string name;
  std::string call_site = {};                  ///< as in OpRow; "" for a group
  bool is_reduced = false;                     ///< computes, or was judged, in reduced precision
  std::optional<double> local_error = {};      ///< relative L2
  std::optional<double> inherited_error = {};  ///< relative L2
  std::optional<double> loss_change = {};      ///< its size: E or RMS, see `impact`; predicted_impact() for a group
  ImpactDetails impact = {};                   ///< details of loss_change
  std::int64_t overflows = 0;                  ///< number of overflow events that began here
  std::optional<double> headroom = {};         ///< powers of two between the largest value and 65504
  double time_us = 0.0;                        ///< CPU time per step
  std::optional<double> gpu_us = {};           ///< GPU time per step; empty if the run had no GPU
  std::optional<double> compiled_us = {};  ///< time per step in the run with torch.compile, on the GPU if there was
                                           ///< one; the first call site that compiled regions cover has their time
  std::string regions = {};                ///< compile ids of the covering regions: "0/0"; "" if not compiled
  std::optional<double> fp32_us = {};      ///< time per step that FP32 would add
  double cast_bytes = 0.0;                 ///< per step
  std::optional<rules::RuleToday> tensor_cores = {};  ///< for a single call site to which the rules apply
  std::string tensor_core_reason = {};                ///< sentences
  std::vector<std::size_t> candidates = {};           ///< that can be registered, as indices in PolicyEvaluation
  std::string cannot = {};                            ///< a sentence that says why there are no candidates; else ""
};

struct BoardGroup {
  BoardLine line;                     ///< the line of the call site itself if the group has only one
  std::vector<BoardLine> sites = {};  ///< two or more; empty for a single call site
};

/// Returns the call sites whose module or op matches `pattern`, in groups. Groups and their call sites are in program
/// order. Throws UsageError for an invalid regular expression.
std::vector<BoardGroup> board_groups(const Board& board, analysis::GroupBy by, const std::string& pattern = "");

/// Sort key of the rows: E; RMS of signed changes if no E is known; local error if no loss change is known.
enum class BoardOrdering { Estimate, SignedChange, LocalError };
BoardOrdering orderingOf(const Board& board);

}  // namespace ampprof::gui
