// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/module_picture.h"

#include <algorithm>
#include <cmath>

#include "gui/data/site_measure.h"
#include "reports/queries/ops.h"
#include "reports/text/elide.h"

namespace ampprof::gui {
namespace {

std::string moduleOf(const queries::OpRow& op) {
  return op.module.empty() ? std::string(name_of(op.phase)) + " outside modules" : op.module;
}

/// Returns the name of a call site without its module, since the module's box encloses the call site's:
/// "backward convolution_backward".
std::string nameOf(const queries::OpRow& op) {
  std::string name = text::printable(op.call_site);
  const std::size_t module = op.module.empty() ? std::string::npos : name.find(op.module + '/');
  if (module != std::string::npos) name.erase(module, op.module.size() + 1);
  return name;
}

bool isSure(const PicturedSite& site, const SiteMeasure& measure, bool has_noise) {
  if (site.figures.empty() || !has_noise) return true;
  const bool is_of_gpu = site.row->gpu_us && !measure.figure_on_gpu.empty();
  const auto figure = is_of_gpu ? measure.figure_on_gpu : measure.figure;
  const auto verdict = compare::metric_named(site.figures, figure).verdict;
  return !verdict || *verdict != compare::Verdict::CannotTell;
}

NodeFigures figuresOf(const PicturedSite& site, std::size_t weighed, bool has_noise) {
  NodeFigures figures{.sites = 1};
  for (const SiteMeasure& measure : siteMeasures()) figures.now.push_back(measure.of(*site.row, site.steps));
  const SiteMeasure& measure = siteMeasures()[weighed];
  if (site.before) figures.before = measure.of(*site.before, site.steps_before);
  figures.is_sure = isSure(site, measure, has_noise);
  return figures;
}

NodeFigures figuresOf(const std::vector<const NodeFigures*>& parts, std::size_t weighed) {
  NodeFigures whole{.now = {}, .is_sure = false};
  std::vector<std::optional<double>> figures(parts.size());
  for (std::size_t measure = 0; measure < siteMeasures().size(); ++measure) {
    std::ranges::transform(parts, figures.begin(), [&](const NodeFigures* part) { return part->now[measure]; });
    whole.now.push_back(totalOf(siteMeasures()[measure], figures));
  }
  std::ranges::transform(parts, figures.begin(), &NodeFigures::before);
  whole.before = totalOf(siteMeasures()[weighed], figures);
  for (const NodeFigures* part : parts) {
    whole.sites += part->sites;
    whole.is_sure = whole.is_sure || part->is_sure;
  }
  return whole;
}

std::vector<WeightedLeaf> leavesOf(const std::vector<const PicturedSite*>& sites, const SiteMeasure& measure) {
  double largest = 0.0;
  std::vector<WeightedLeaf> leaves;
  for (const PicturedSite* site : sites) {
    const double weight = weightOf(measure, measure.of(*site->row, site->steps).value_or(0.0));
    if (std::isfinite(weight)) largest = std::max(largest, weight);
    leaves.push_back({.module = moduleOf(*site->row), .name = nameOf(*site->row), .weight = weight});
  }
  for (WeightedLeaf& leaf : leaves) {
    if (!std::isfinite(leaf.weight)) leaf.weight = largest > 0.0 ? largest : 1.0;
  }
  return leaves;
}

}  // namespace

ModulePicture modulePicture(const PicturedSites& sites, std::optional<Phase> phase, std::size_t measure) {
  ModulePicture picture;
  for (const PicturedSite& site : sites.sites) {
    if (!phase || site.row->phase == *phase) picture.sites.push_back(&site);
  }
  picture.tree = weightedTree(leavesOf(picture.sites, siteMeasures()[measure]));
  picture.figures.resize(picture.tree.nodes.size());
  for (std::size_t node = picture.tree.nodes.size(); node-- > 0;) {  // children first: they have larger indices
    const WeightedTree::Node& of = picture.tree.nodes[node];
    if (of.leaf) {
      picture.figures[node] = figuresOf(*picture.sites[*of.leaf], measure, sites.has_noise);
      continue;
    }
    std::vector<const NodeFigures*> parts;
    for (const std::size_t child : of.children) parts.push_back(&picture.figures[child]);
    picture.figures[node] = figuresOf(parts, measure);
  }
  return picture;
}

double largestOf(const ModulePicture& picture, std::size_t measure) {
  double largest = 0.0;
  for (std::size_t node = 0; node < picture.figures.size(); ++node) {
    const double figure = picture.figures[node].now[measure].value_or(0.0);
    if (picture.tree.nodes[node].leaf && std::isfinite(figure)) largest = std::max(largest, figure);
  }
  return largest;
}

}  // namespace ampprof::gui
