// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/board_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "analysis/ops/op_figures.h"
#include "gui/data/board.h"
#include "precision/advice/cover.h"
#include "precision/advice/evidence.h"
#include "reports/queries/ops.h"
#include "reports/text/elide.h"
#include "views/table/site_filter.h"

namespace ampprof::gui {
namespace {

using Sites = std::vector<const queries::OpRow*>;

Sites sites_found(const std::vector<queries::OpRow>& ops, const std::string& pattern) {
  const analysis::SiteFilter by_op = views::filter_of({.op = pattern});
  const analysis::SiteFilter by_module = views::filter_of({.module = pattern});
  Sites found;
  for (const queries::OpRow& op : ops) {
    const bool is_found =
        by_op.lets_through(op.phase, op.module, op.op) || by_module.lets_through(op.phase, op.module, op.op);
    if (is_found) found.push_back(&op);
  }
  return found;
}

std::optional<double> relative(const std::optional<ErrorStats>& error) {
  return error ? std::optional(error->relative_l2()) : std::nullopt;
}

std::string why_without_unit(const queries::OpRow& op) {
  if (op.phase == Phase::Forward) return "The op computes in FP32 already.";
  if (op.phase == Phase::Backward)
    return "The op is not the backward of any function in its module that computes in reduced precision.";
  return "Only functions that the forward pass calls can be registered.";
}

double at_least_one(std::int64_t steps) { return std::max(1.0, static_cast<double>(steps)); }

/// Returns the details of the loss change of `op`. `size`: the size that the row shows; an interval that excludes this
/// size is left out.
ImpactDetails impact_of(const queries::OpRow& op, const std::optional<double>& size) {
  ImpactDetails impact{.is_signed = op.loss_impact_is_signed,
                       .is_of_decrease = !op.loss_impact_size && op.gradient_impact_size,
                       .parts = views::rounded_parts(op.impact_squares),
                       .mean = op.loss_impact,
                       .is_resolved = is_resolved(op.impact_by_step)};
  if (impact.is_of_decrease) impact.mean = op.gradient_impact;
  const auto interval = op.loss_impact_is_signed ? std::nullopt : interval_of(op.impact_by_step);
  if (interval && size && interval->low <= *size && *size <= interval->high) impact.interval = interval;
  return impact;
}

/// A line to rank, and the OpRow that has its loss changes by step.
struct RankedLine {
  BoardLine* line = nullptr;
  const queries::OpRow* row = nullptr;
};

void put_ranks(std::vector<RankedLine> lines) {
  std::ranges::stable_sort(lines, std::greater(), [](const RankedLine& line) { return line.line->loss_change; });
  std::vector<analysis::SizedImpact> impacts;
  for (const auto& [line, row] : lines) {
    impacts.push_back({.size = line->loss_change, .is_signed = line->impact.is_signed, .by_step = row->impact_by_step});
  }
  const std::vector<analysis::ImpactRank> ranks = analysis::impact_ranks(impacts);
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i].line->impact.rank = ranks[i];
}

/// Returns a line with the values of `op`, the row of a call site or of a group.
BoardLine line_of(const queries::OpRow& op, const Board& board) {
  const double steps = at_least_one(board.evidence().run.recorded_steps);
  BoardLine line{.name = text::printable(op.call_site)};
  line.is_reduced = op.local || is_reduced_precision(op.dtype_out);
  line.local_error = relative(op.local);
  line.inherited_error = relative(op.inherited);
  line.headroom = analysis::headroom_of(op);
  line.time_us = op.cpu_us / steps;
  if (op.gpu_us) line.gpu_us = *op.gpu_us / steps;
  line.cast_bytes = static_cast<double>(op.cast_bytes) / steps;
  if (const auto verdict = board.targets().verdict(op)) {
    line.tensor_cores = verdict->rule_today;
    line.tensor_core_reason = verdict->reason;
  }
  return line;
}

double step_time_of(const queries::OpRow& op, std::int64_t recorded_steps) {
  return op.gpu_us.value_or(op.cpu_us) / at_least_one(recorded_steps);
}

/// Returns the compile ids of compiled regions: "0/0, 1/0".
std::string ids_of(const Sites& regions) {
  std::vector<std::string> ids;
  for (const queries::OpRow* region : regions) ids.push_back(region->op.substr(region->op.rfind('.') + 1));
  return fmt::format("{}", fmt::join(ids, ", "));
}

void say_what_compiling_does(BoardLine& line, const queries::OpRow& op, const Board& board) {
  if (board.compiled() == nullptr) return;
  const std::int64_t steps = board.evidence().compiled->recorded_steps;
  if (const queries::OpRow* alone = board.compiled()->uncompiled(op)) {
    line.compiled_us = step_time_of(*alone, steps);
    return;
  }
  const Sites regions = board.compiled()->covering(op);
  line.regions = ids_of(regions);
  if (!board.compiled()->is_first_covered(op)) return;
  line.compiled_us = 0.0;
  for (const queries::OpRow* region : regions) *line.compiled_us += step_time_of(*region, steps);
}

void say_what_registering_does(BoardLine& line, const queries::OpRow& op, const advice::PolicyEvaluation& evaluation) {
  const auto place = evaluation.candidate_of(op);
  if (!place) {
    line.cannot = why_without_unit(op);
  } else if (const advice::FunctionInModule& candidate = evaluation.candidates()[*place]; !candidate.cannot.empty()) {
    line.cannot = "The function cannot be registered: " + candidate.cannot + '.';
  } else {
    line.candidates.push_back(*place);
    line.fp32_us = evaluation.fp32_cost().time_us(op);
  }
}

/// Returns the time that FP32 adds if all of `sites` that can be registered as FP32 are registered. Empty if one of
/// these times is unknown, or if no call site can be registered.
std::optional<double> fp32_time_of(const std::vector<BoardLine>& sites) {
  std::optional<double> sum;
  for (const BoardLine& site : sites) {
    if (site.candidates.empty()) continue;
    if (!site.fp32_us) return std::nullopt;
    sum = sum.value_or(0.0) + *site.fp32_us;
  }
  return sum;
}

std::vector<std::size_t> candidates_of(const std::vector<BoardLine>& sites) {
  std::vector<std::size_t> candidates;
  for (const BoardLine& site : sites)
    candidates.insert(candidates.end(), site.candidates.begin(), site.candidates.end());
  std::ranges::sort(candidates);
  const auto twice = std::ranges::unique(candidates);
  candidates.erase(twice.begin(), twice.end());
  return candidates;
}

/// Adds up times under torch.compile. If compiled regions cover call sites of the group, adds only call sites with the
/// same regions as the first covered one: the time of uncovered call sites would look like the time of the whole group.
void add_up_compiled(BoardGroup& group) {
  const auto covered = std::ranges::find_if(group.sites, [](const BoardLine& site) { return !site.regions.empty(); });
  if (covered != group.sites.end()) group.line.regions = covered->regions;
  for (const BoardLine& site : group.sites) {
    if (site.compiled_us && site.regions == group.line.regions)
      group.line.compiled_us = group.line.compiled_us.value_or(0.0) + *site.compiled_us;
  }
}

/// Fills in the group's line from its call sites and from `row`, the op row of the whole group. If the group has only
/// one call site, the group's line becomes that of the call site.
void add_up(BoardGroup& group, const queries::OpRow& row, const advice::Effect& effect) {
  if (group.sites.size() == 1) {
    group = {group.sites.front()};
    return;
  }
  BoardLine& line = group.line;
  for (const BoardLine& site : group.sites) line.overflows += site.overflows;
  add_up_compiled(group);
  const auto is_known = [](const BoardLine& site) { return site.loss_change.has_value(); };
  if (std::ranges::any_of(group.sites, is_known)) {
    line.loss_change = row.loss_impact_size ? advice::predicted_impact({{0, effect}}) : analysis::impact_size_of(row);
  }
  line.impact = impact_of(row, line.loss_change);
  line.fp32_us = fp32_time_of(group.sites);
  line.candidates = candidates_of(group.sites);
  if (line.candidates.empty()) line.cannot = "No call site of the group can be registered.";
}

std::map<std::string, std::int64_t> events_by_site(const std::vector<queries::EventRow>& events) {
  std::map<std::string, std::int64_t> began;
  for (const queries::EventRow& event : events) {
    if (event.by_scaler) ++began[event.first_op];
  }
  return began;
}

BoardLine site_line(const queries::OpRow& op, const Board& board, const std::map<std::string, std::int64_t>& began) {
  BoardLine line = line_of(op, board);
  line.call_site = op.call_site;
  line.loss_change = analysis::impact_size_of(op);
  line.impact = impact_of(op, line.loss_change);
  const auto events = began.find(op.call_site);
  if (events != began.end()) line.overflows = events->second;
  say_what_compiling_does(line, op, board);
  say_what_registering_does(line, op, board.evaluation());
  return line;
}

/// Ranks the call sites of each group. `places`: for each call site, the index of its group.
void rank_within(std::vector<BoardGroup>& groups, const Sites& sites, const std::vector<std::size_t>& places) {
  std::vector<std::vector<RankedLine>> lines(groups.size());
  for (std::size_t i = 0; i < sites.size(); ++i) {
    auto& of_group = lines[places[i]];
    of_group.push_back({&groups[places[i]].sites[of_group.size()], sites[i]});
  }
  for (auto& of_group : lines) put_ranks(std::move(of_group));
}

}  // namespace

std::vector<BoardGroup> board_groups(const Board& board, analysis::GroupBy by, const std::string& pattern) {
  const Sites sites = sites_found(board.evidence().ops, pattern);
  std::vector<queries::OpRow> rows;
  for (const queries::OpRow* op : sites) rows.push_back(*op);
  const auto places = analysis::group_indices(rows, by);
  const auto grouped = analysis::grouped(std::move(rows), analysis::Grouping{by, analysis::SiteFilter{}});
  std::vector<BoardGroup> groups;
  for (const auto& group : grouped) groups.push_back({line_of(group.row, board)});
  std::vector<advice::Effect> effects(groups.size());
  const auto began = events_by_site(board.evidence().events);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    groups[places[i]].sites.push_back(site_line(*sites[i], board, began));
    const double mean = sites[i]->loss_impact.value_or(0.0);
    effects[places[i]].add(advice::effect_of(mean, sites[i]->loss_impact_size.value_or(std::abs(mean))));
  }
  rank_within(groups, sites, places);
  for (std::size_t i = 0; i < groups.size(); ++i) add_up(groups[i], grouped[i].row, effects[i]);
  std::vector<RankedLine> top;
  for (std::size_t i = 0; i < groups.size(); ++i) top.push_back({&groups[i].line, &grouped[i].row});
  put_ranks(std::move(top));
  return groups;
}

BoardOrdering orderingOf(const Board& board) {
  const std::vector<queries::OpRow>& ops = board.evidence().ops;
  if (!analysis::orders_by_impact(ops)) return BoardOrdering::LocalError;
  const bool has_estimate = std::ranges::any_of(ops, [](const queries::OpRow& op) {
    return op.loss_impact_size.value_or(0.0) > 0.0 && !op.loss_impact_is_signed;
  });
  return has_estimate ? BoardOrdering::Estimate : BoardOrdering::SignedChange;
}

}  // namespace ampprof::gui
