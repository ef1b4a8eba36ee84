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

/// Details of the size of a loss change: how reliable the size is, and what contributes to it. E is the expected loss
/// impact, a root mean square (RMS).
struct ImpactDetails {
  bool is_signed = false;       ///< true: the size is or includes an RMS of signed changes; false: the size is E
  bool is_of_decrease = false;  ///< true: change of a step's loss decrease (backward op); false: change of the loss
  std::optional<SizeInterval> interval = {};   ///< 90 % interval of E; empty if unknown, or if the size is outside
  std::vector<views::RoundedPart> parts = {};  ///< shares of the operands in E^2
  std::optional<double> mean = {};             ///< mean of the signed changes over steps
  std::optional<bool> is_resolved = {};        ///< the mean is at least two standard errors from 0; empty for one step
  analysis::ImpactRank rank = {};              ///< rank among sibling rows: groups, or call sites of a group
};

/// A row of the board: a call site or a group.
struct BoardLine {
  std::string name;
  std::string call_site = {};                  ///< OpRow::call_site; "" for a group
  bool is_reduced = false;                     ///< the output type is reduced, or the op has a local error
  std::optional<double> local_error = {};      ///< relative L2 error of the op alone
  std::optional<double> inherited_error = {};  ///< relative L2 error, including errors of earlier ops
  std::optional<double> loss_change = {};      ///< E or RMS, see `impact`; for a group, predicted_impact()
  ImpactDetails impact = {};                   ///< details of loss_change
  /// Number of overflow events, found by a loss scaler, that began at the call site or in the group.
  std::int64_t overflows = 0;
  std::optional<double> headroom = {};  ///< powers of two between the largest value and 65504
  double time_us = 0.0;                 ///< CPU time per step
  std::optional<double> gpu_us = {};    ///< GPU time per step; empty if the run had no GPU
  /// Time per step under torch.compile, on the GPU if there was one. The time of compiled regions is in one line only:
  /// that of the first call site that the regions cover.
  std::optional<double> compiled_us = {};
  /// Compile ids of the compiled regions that cover the call site: "0/0"; "" if there are none.
  std::string regions = {};
  std::optional<double> fp32_us = {};                 ///< time per step that FP32 would add
  double cast_bytes = 0.0;                            ///< bytes that casts write per step
  std::optional<rules::RuleToday> tensor_cores = {};  ///< verdict of the Tensor Core rules; empty if no rule applies
  std::string tensor_core_reason = {};                ///< explanation of tensor_cores
  /// Indices into PolicyEvaluation::candidates() of the functions that can be registered as FP32.
  std::vector<std::size_t> candidates = {};
  std::string cannot = {};  ///< sentence on why `candidates` is empty; "" if it is not
};

struct BoardGroup {
  BoardLine line;                     ///< totals of the group; for a single call site, the line of the call site
  std::vector<BoardLine> sites = {};  ///< call sites of the group; empty for a single call site
};

/// Groups the call sites whose module or op matches `pattern`. Groups and their call sites are in program order. Throws
/// UsageError for an invalid regular expression.
std::vector<BoardGroup> board_groups(const Board& board, analysis::GroupBy by, const std::string& pattern = "");

/// Default sort key of the rows: E; if no E is known, the RMS of signed changes; if no loss change is known, the local
/// error.
enum class BoardOrdering { Estimate, SignedChange, LocalError };
BoardOrdering orderingOf(const Board& board);

}  // namespace ampprof::gui
