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

/// Data of the decision board: one run, and the predicted effects of registering its functions as FP32. Not movable,
/// since its members refer to each other. Immutable, so threads can share it.
class Board {
 public:
  Board(const queries::RunRow& run, advice::Evidence evidence);
  Board(const Board&) = delete;
  ~Board();

  const queries::RunRow& run() const;
  const advice::Evidence& evidence() const;
  bool hasSites() const;
  const advice::PolicyEvaluation& evaluation() const { return evaluation_; }
  /// Returns the candidates that advise() proposes to register as FP32.
  const advice::PolicyEvaluation::Places& proposed() const { return proposed_; }
  const analysis::Targets& targets() const { return targets_; }
  /// Returns the advice on the loss scale; null if there is none, or if the run has several losses.
  const advice::LossScaleAdvice* lossScale() const {
    return loss_scales_.size() == 1 ? &loss_scales_.front() : nullptr;
  }
  /// Returns times of the program under torch.compile; null if the report has no run with torch.compile.
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

/// Returns the rows of the named call sites (OpRow::call_site). Leaves out names that the board's run lacks.
std::vector<const queries::OpRow*> sites_named(const Board& board, const std::vector<std::string>& call_sites);

/// Returns the loss change caused by rounding the loss itself to FP32.
double loss_noise(const queries::RunRow& run);

}  // namespace ampprof::gui
