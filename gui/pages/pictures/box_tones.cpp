// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/pictures/box_tones.h"

#include <algorithm>
#include <cmath>

#include "gui/data/module_picture.h"
#include "gui/models/heat_scale.h"

namespace ampprof::gui {
namespace {

using Kind = BoxTone::Kind;

BoxTone heatTone(const NodeFigures& figures, std::size_t measure, double largest, double noise) {
  const auto is_lost = [](const std::optional<double>& figure) { return figure && !std::isfinite(*figure); };
  if (std::ranges::any_of(figures.now, is_lost)) return {Kind::NonFinite};
  const double heat = largest > 0.0 ? heatOf(figures.now[measure], largest, noise) : kNoHeat;
  return std::isnan(heat) ? BoxTone() : BoxTone{Kind::Heat, heat};
}

/// Returns a sort key, which is larger for a worse tone.
std::pair<int, double> badness(const BoxTone& tone) {
  return {tone.kind == Kind::NonFinite ? 2 : tone.kind == Kind::Heat ? 1 : 0, tone.value};
}

BoxTone changeTone(const NodeFigures& figures, std::size_t measure, double strength) {
  if (!figures.now[measure] || !figures.is_sure) return {};
  const double before = figures.before.value_or(0.0);
  const double now = *figures.now[measure];
  if (now == before || (!std::isfinite(now) && !std::isfinite(before))) return {};
  const double change = std::log2(now / before) / std::log2(kStrongestChange);  // infinite if `now` or `before` is 0
  return {Kind::Change, std::isnan(change) ? strength : strength * std::clamp(change, -1.0, 1.0)};
}

}  // namespace

std::vector<BoxTone> heatTones(const ModulePicture& picture, std::size_t measure, double noise) {
  const double largest = largestOf(picture, measure);
  std::vector<BoxTone> tones(picture.figures.size());
  for (std::size_t node = tones.size(); node-- > 0;) {  // children first: they have larger indices
    const WeightedTree::Node& of = picture.tree.nodes[node];
    if (of.leaf) tones[node] = heatTone(picture.figures[node], measure, largest, noise);
    for (const std::size_t child : of.children)
      tones[node] = std::max(tones[node], tones[child], [](auto& a, auto& b) { return badness(a) < badness(b); });
  }
  return tones;
}

std::vector<BoxTone> changeTones(const ModulePicture& picture, std::size_t measure, bool has_noise) {
  std::vector<BoxTone> tones;
  for (const NodeFigures& figures : picture.figures)
    tones.push_back(changeTone(figures, measure, strengthOf(has_noise)));
  return tones;
}

}  // namespace ampprof::gui
