// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/board.h"

#include <unordered_set>
#include <utility>

#include "precision/advice/evidence.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"

namespace ampprof::gui {

struct Board::Rows {
  queries::RunRow run;
  advice::Evidence evidence;
};

Board::Board(const queries::RunRow& run, advice::Evidence evidence)
    : rows_(std::make_unique<const Rows>(Rows{run, std::move(evidence)})),
      evaluation_(rows_->evidence),
      proposed_(advice::proposed(evaluation_)),
      targets_({rows_->run}),
      loss_scales_(advice::loss_scale_advice(rows_->evidence.ops, rows_->evidence.scales)) {
  const std::vector<queries::OpRow>& ops = rows_->evidence.ops;
  targets_.learn_from(ops);
  if (const auto& compiled = rows_->evidence.compiled) compiled_.emplace(ops, compiled->ops);
}

Board::~Board() = default;

const queries::RunRow& Board::run() const { return rows_->run; }
const advice::Evidence& Board::evidence() const { return rows_->evidence; }
bool Board::hasSites() const { return !rows_->evidence.ops.empty(); }

std::vector<const queries::OpRow*> sites_named(const Board& board, const std::vector<std::string>& call_sites) {
  const std::unordered_set<std::string> wanted(call_sites.begin(), call_sites.end());
  std::vector<const queries::OpRow*> found;
  for (const queries::OpRow& op : board.evidence().ops) {
    if (wanted.contains(op.call_site)) found.push_back(&op);
  }
  return found;
}

double loss_noise(const queries::RunRow& run) {
  return advice::largest_loss(run.first_loss_mean, run.last_loss_mean) * 0x1p-24;
}

}  // namespace ampprof::gui
