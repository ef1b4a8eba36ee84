// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/gpu/compiled_times.h"
#include "analysis/ops/targets.h"
#include "precision/advice/loss_scale.h"
#include "precision/advice/policy_evaluation.h"

namespace ampprof::queries {
struct RunRow;
}

namespace ampprof::gui {

/// Holds what the decision board is about: one run, and what registering its functions as FP32 would do. Its parts
/// refer to each other, so it stays where it is; nothing changes it, so threads can share it.
class Board {
 public:
  Board(const queries::RunRow& run, advice::Evidence evidence);
  Board(const Board&) = delete;
  ~Board();

  const queries::RunRow& run() const;
  const advice::Evidence& evidence() const;
  /// Tells whether the run has any call site.
  bool hasSites() const;
  const advice::PolicyEvaluation& evaluation() const { return evaluation_; }
  /// The candidates that advise() registers.
  const advice::PolicyEvaluation::Places& proposed() const { return proposed_; }
  const analysis::Targets& targets() const { return targets_; }
  /// Returns the advice on the loss scale; null without any, and where there are several losses.
  const advice::LossScaleAdvice* lossScale() const {
    return loss_scales_.size() == 1 ? &loss_scales_.front() : nullptr;
  }
  /// Returns what the run with torch.compile says of these call sites; null where there is none.
  const analysis::CompiledTimes* compiled() const { return compiled_ ? &*compiled_ : nullptr; }

 private:
  struct Rows;
  std::unique_ptr<const Rows> rows_;
  advice::PolicyEvaluation evaluation_;
  advice::PolicyEvaluation::Places proposed_;
  analysis::Targets targets_;
  std::vector<advice::LossScaleAdvice> loss_scales_;
  std::optional<analysis::CompiledTimes> compiled_;
};

/// The rows of call sites by their names, as in OpRow; names that the board's run does not have are left out.
std::vector<const queries::OpRow*> sites_named(const Board& board, const std::vector<std::string>& call_sites);

/// A change of the loss that rounding it to FP32 makes as well.
double loss_noise(const queries::RunRow& run);

}  // namespace ampprof::gui
