// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/recipe_board.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "analysis/ops/group.h"
#include "analysis/recipes/recipe_evidence.h"
#include "reports/queries/runs.h"
#include "reports/text/numbers.h"
#include "views/runs/run_choice.h"
#include "views/table/site_filter.h"

namespace ampprof::gui {
namespace {

using Row = queries::RecipeMatmulRow;

std::string labelOf(const TriedRecipe& recipe, const std::vector<TriedRecipe>& all,
                    const std::vector<queries::RunRow>& runs) {
  const auto of_name = std::ranges::count(all, recipe.recipe, &TriedRecipe::recipe);
  const auto run = std::ranges::find(runs, recipe.run, &queries::RunRow::run);
  if (of_name == 1 || run == runs.end()) return recipe.recipe;
  return recipe.recipe + " (" + views::label_of(*run, runs) + ")";
}

std::vector<TriedRecipe> recipesOf(const std::vector<Row>& rows, const std::vector<queries::RunRow>& runs) {
  std::vector<TriedRecipe> recipes;
  for (const Row& row : rows) {
    const TriedRecipe recipe{row.run, row.recipe, {}};
    if (std::ranges::find(recipes, recipe) == recipes.end()) recipes.push_back(recipe);
  }
  std::vector<std::string> labels;
  for (const TriedRecipe& recipe : recipes) labels.push_back(labelOf(recipe, recipes, runs));
  for (std::size_t i = 0; i < recipes.size(); ++i) recipes[i].label = labels[i];
  return recipes;
}

/// Adds the impacts of `row` to those of `into`, step by step, if `row` has any.
void mergeSteps(Row& into, const Row& row) {
  if (row.by_step.empty()) return;
  if (into.by_step.empty()) {
    into.by_step = row.by_step;
  } else {
    add_steps(into.by_step, row.by_step);
  }
}

/// Adds `row` to `into`. Skips an unquantized `row`; replaces an unquantized `into`.
void merge(Row& into, const Row& row) {
  if (!row.is_quantized) return;
  if (!into.is_quantized) {
    into = row;
    return;
  }
  mergeSteps(into, row);
  into.has_hardware = into.has_hardware && row.has_hardware;
  into.calls += row.calls;
  into.steps = std::max(into.steps, row.steps);
  into.first.merge(row.first);
  into.second.merge(row.second);
  into.sum_sq_error += row.sum_sq_error;
  into.sum_sq_exact += row.sum_sq_exact;
  into.has_impact = into.has_impact || row.has_impact;
  into.gaps += row.gaps;
  into.is_ranking_only = into.is_ranking_only || row.is_ranking_only;
  into.is_signed = into.is_signed || row.is_signed;
}

void merge(RecipeCell& into, const RecipeCell& cell) {
  if (!cell.row) return;
  if (into.row) {
    merge(*into.row, *cell.row);
  } else {
    into.row = cell.row;
    into.is_screened = cell.is_screened;
  }
  std::set<std::size_t> candidates(into.candidates.begin(), into.candidates.end());
  candidates.insert(cell.candidates.begin(), cell.candidates.end());
  into.candidates.assign(candidates.begin(), candidates.end());
}

double work(const Row& row) { return row.flops() * static_cast<double>(row.calls) / std::max<double>(1, row.steps); }

std::string sizesOf(const Row& row) {
  const std::string of_one = text::count(row.rows) + " × " + text::count(row.columns);
  return row.groups > 1 ? text::count(row.groups) + " of " + of_one : of_one;
}

RecipeCell cellOf(const RecipeBoard& board, const Row& row, bool is_screened) {
  RecipeCell cell{.row = row, .is_screened = is_screened};
  const auto candidate = row.is_quantized ? board.candidateOf(row) : std::nullopt;
  if (candidate) cell.candidates.push_back(*candidate);
  return cell;
}

/// One line per call site, in the order of their first rows.
struct Lines {
  std::vector<RecipeLine> lines = {};
  std::vector<std::pair<std::string, std::string>> classes = {};  // for each line: module name without numbers, and op
  std::map<std::string, std::size_t> places = {};

  RecipeLine& at(const Row& row) {
    const auto [place, is_new] = places.try_emplace(row.call_site, lines.size());
    if (is_new) {
      lines.push_back({.name = row.call_site, .call_site = row.call_site, .source = row.source, .sizes = sizesOf(row)});
      classes.emplace_back(analysis::class_of(row.module), row.op);
    }
    return lines[place->second];
  }
};

/// Adds a row to the line of its call site. Rows of the same call site in several segments of a step are added up.
void add(Lines& lines, const RecipeBoard& board, const Row& row, std::size_t side, bool is_screened) {
  RecipeLine& line = lines.at(row);
  if (side == 0) line.flops_share += work(row);
  merge(line.cells[side][matmul_index(row.matmul)], cellOf(board, row, is_screened));
}

std::vector<RecipeGroup> alone(std::vector<RecipeLine> lines) {
  std::vector<RecipeGroup> groups;
  for (RecipeLine& line : lines) groups.push_back({std::move(line)});
  return groups;
}

std::string nameOf(const std::pair<std::string, std::string>& of_class) {
  return of_class.first.empty() ? of_class.second : of_class.first + '/' + of_class.second;
}

void addUp(RecipeLine& line, const RecipeLine& site) {
  if (line.sizes != site.sizes) line.sizes = "several";
  line.flops_share += site.flops_share;
  for (std::size_t side = 0; side < line.cells.size(); ++side) {
    for (std::size_t m = 0; m < kMatmuls.size(); ++m) merge(line.cells[side][m], site.cells[side][m]);
  }
}

std::vector<RecipeGroup> byClass(Lines lines) {
  std::vector<RecipeGroup> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (std::size_t i = 0; i < lines.lines.size(); ++i) {
    const auto [place, is_new] = places.try_emplace(lines.classes[i], groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].sites.push_back(std::move(lines.lines[i]));
  }
  for (const auto& [of_class, place] : places) {
    RecipeGroup& group = groups[place];
    if (group.sites.size() == 1) {
      group = {std::move(group.sites.front())};
      continue;
    }
    group.line = {.name = nameOf(of_class), .sizes = group.sites.front().sizes};
    for (const RecipeLine& site : group.sites) addUp(group.line, site);
  }
  return groups;
}

void putRanks(std::vector<RecipeCell*> cells) {
  std::erase_if(cells, [](const RecipeCell* cell) { return !cell->isQuantized() || !cell->row->size(); });
  std::ranges::stable_sort(cells, std::greater(), [](const RecipeCell* cell) { return cell->row->size(); });
  std::vector<analysis::SizedImpact> impacts;
  for (const RecipeCell* cell : cells)
    impacts.push_back({.size = cell->row->size(), .is_signed = cell->row->is_signed, .by_step = cell->row->by_step});
  const auto ranks = analysis::impact_ranks(impacts);
  std::optional<double> first;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i == 0 || ranks[i].place != ranks[i - 1].place) first = cells[i]->row->size();
    cells[i]->rank = ranks[i];
    if (ranks[i].is_tied) cells[i]->tied_size = first;
  }
}

/// Ranks impacts on the loss (fprop) separately from impacts on the loss decrease of a step (dgrad, wgrad).
void rank(const std::vector<RecipeLine*>& lines) {
  for (std::size_t side = 0; side < 2; ++side) {
    std::vector<RecipeCell*> on_loss, on_gradients;
    for (RecipeLine* line : lines) {
      on_loss.push_back(&line->cells[side][matmul_index(Matmul::Fprop)]);
      on_gradients.push_back(&line->cells[side][matmul_index(Matmul::Dgrad)]);
      on_gradients.push_back(&line->cells[side][matmul_index(Matmul::Wgrad)]);
    }
    putRanks(std::move(on_loss));
    putRanks(std::move(on_gradients));
  }
}

void rankAll(std::vector<RecipeGroup>& groups) {
  std::vector<RecipeLine*> top;
  for (RecipeGroup& group : groups) {
    top.push_back(&group.line);
    std::vector<RecipeLine*> sites;
    for (RecipeLine& site : group.sites) sites.push_back(&site);
    rank(sites);
  }
  rank(top);
}

}  // namespace

RecipeBoard::RecipeBoard(std::vector<Row> rows, std::vector<queries::RunRow> runs, analysis::Bf16Times times)
    : rows_(std::move(rows)), runs_(std::move(runs)), times_(std::move(times)), recipes_(recipesOf(rows_, runs_)) {
  for (const Row& row : rows_) {
    if (!row.is_quantized || row.module.empty()) continue;
    const KeptMatmul kept{row.module, row.op, row.matmul};
    if (places_.try_emplace(kept, candidates_.size()).second) candidates_.push_back(kept);
  }
}

RecipeBoard::~RecipeBoard() = default;

std::vector<const Row*> RecipeBoard::rowsOf(const TriedRecipe& recipe) const {
  std::vector<const Row*> found;
  for (const Row& row : rows_) {
    if (row.run == recipe.run && row.recipe == recipe.recipe) found.push_back(&row);
  }
  return found;
}

std::optional<std::size_t> RecipeBoard::candidateOf(const Row& row) const {
  const auto found = places_.find({row.module, row.op, row.matmul});
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

std::shared_ptr<const RecipeBoard> readRecipes(const std::filesystem::path& report) {
  const queries::Report read(report);
  std::vector<Row> rows = queries::recipe_matmuls(read);
  std::vector<queries::RunRow> runs = queries::runs(read);
  analysis::Bf16Times times;
  if (!rows.empty()) {
    const queries::RunRow& run = *std::ranges::find(runs, rows.front().run, &queries::RunRow::run);
    times = analysis::bf16_times(read, runs, analysis::gpu_for_recipes("", run.device));
  }
  return std::make_shared<const RecipeBoard>(std::move(rows), std::move(runs), std::move(times));
}

std::optional<double> RecipeCell::size() const {
  if (!isQuantized()) return std::nullopt;
  return is_screened ? row->relative_error() : row->size();
}

bool RecipeCell::isResolved() const {
  if (!isQuantized() || !row->has_impact) return true;
  const bool has_estimate = row->estimate() && !row->is_signed;
  return has_estimate || is_resolved(row->by_step).value_or(true);
}

std::vector<RecipeGroup> recipeGroups(const RecipeBoard& board, const RecipeChoice& choice, bool alike_as_one,
                                      const std::string& pattern) {
  const analysis::SiteFilter by_op = views::filter_of({.op = pattern});
  const analysis::SiteFilter by_module = views::filter_of({.module = pattern});
  Lines lines;
  double all = 0.0;
  const auto read = [&](const TriedRecipe& recipe, std::size_t side) {
    const auto rows = board.rowsOf(recipe);
    const bool is_screened = std::ranges::none_of(rows, &Row::has_impact);
    for (const Row* row : rows) {
      if (side == 0) all += work(*row);
      const bool is_found = by_op.lets_through(row->phase, row->module, row->op) ||
                            by_module.lets_through(row->phase, row->module, row->op);
      if (is_found) add(lines, board, *row, side, is_screened);
    }
  };
  read(choice.recipe, 0);
  if (choice.other) read(*choice.other, 1);
  for (RecipeLine& line : lines.lines) line.flops_share = all > 0.0 ? line.flops_share / all : 0.0;
  auto groups = alike_as_one ? byClass(std::move(lines)) : alone(std::move(lines.lines));
  rankAll(groups);
  return groups;
}

}  // namespace ampprof::gui
