// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/module_text.h"

#include <QStringList>

#include "gui/data/module_picture.h"
#include "gui/data/site_measure.h"
#include "reports/queries/ops.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

QString printed(const std::string& name) { return QString::fromStdString(text::printable(name)); }

/// Returns a node's share of the total weight: "12 %", "<1 %".
QString shareOf(const ModulePicture& picture, std::size_t node) {
  const double all = picture.tree.nodes.front().weight;
  return QString::fromStdString(text::percent(all > 0.0 ? picture.tree.nodes[node].weight / all : 0.0));
}

/// Returns a measure with its value: "local error 2.1e-04"; for a module "largest local error 2.1e-04".
QString figureLine(const NodeFigures& figures, std::size_t place) {
  const SiteMeasure& measure = siteMeasures()[place];
  const bool is_worst = figures.sites > 1 && measure.total == Total::Largest;
  return QString(is_worst ? "largest %1 %2" : "%1 %2")
      .arg(measure.name, QString::fromStdString(measure.show(*figures.now[place])));
}

}  // namespace

QString labelOf(const ModulePicture& picture, std::size_t node) {
  return node == 0 ? QString("everything") : printed(picture.tree.nodes[node].name);
}

QString figureOf(const ModulePicture& picture, std::size_t node, std::size_t measure) {
  const NodeFigures& figures = picture.figures[node];
  const SiteMeasure& of = siteMeasures()[measure];
  const QString now = QString::fromStdString(text::shown(figures.now[measure], of.show));
  if (figures.before) return now + ", was " + QString::fromStdString(of.show(*figures.before));
  return now + ", " + shareOf(picture, node);
}

QString tipOf(const ModulePicture& picture, std::size_t node, std::size_t measure) {
  const WeightedTree::Node& of = picture.tree.nodes[node];
  const NodeFigures& figures = picture.figures[node];
  const queries::OpRow* row = of.leaf ? picture.sites[*of.leaf]->row : nullptr;
  QStringList lines{row ? printed(row->call_site) : node == 0 ? labelOf(picture, node) : printed(of.path)};
  if (!row) lines << QString::fromStdString(text::counted(static_cast<std::int64_t>(figures.sites), "call site"));
  lines << figureOf(picture, node, measure) + (figures.before ? ", " + shareOf(picture, node) : QString()) +
               " of the area";
  if (figures.before && !figures.is_sure) lines << "The change cannot be told apart from noise.";
  for (std::size_t other = 0; other < siteMeasures().size(); ++other) {
    if (other != measure && figures.now[other]) lines << figureLine(figures, other);
  }
  if (row) {
    lines << QString("%1 → %2, %3 calls")
                 .arg(QString::fromUtf8(short_name(row->dtype_in)), QString::fromUtf8(short_name(row->dtype_out)))
                 .arg(QString::fromStdString(text::count(row->calls)));
    if (!row->source.empty()) lines << printed(row->source);
  }
  return lines.join('\n');
}

QString callSiteOf(const ModulePicture& picture, std::size_t node) {
  const auto leaf = picture.tree.nodes[node].leaf;
  return leaf ? QString::fromStdString(picture.sites[*leaf]->row->call_site) : QString();
}

}  // namespace ampprof::gui
