// SPDX-License-Identifier: Apache-2.0
// The sections of the page that are pictures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "analysis/diagnosis/highlights.h"
#include "analysis/ops/op_figures.h"
#include "analysis/ranks/report_rows.h"
#include "cli/export/charts.h"
#include "cli/export/html.h"
#include "cli/export/sections.h"
#include "reports/queries/losses.h"
#include "reports/queries/scales.h"
#include "reports/text/numbers.h"
#include "views/runs/run_choice.h"
#include "views/view_source.h"

namespace ampprof::cli {
namespace {

constexpr std::size_t kHeatRows = 40;

// The heat map covers 2^-40 to 2^24; each cell covers two powers of two.
constexpr int kLowestPower = -40;
constexpr int kHighestPower = 24;
constexpr int kCells = (kHighestPower - kLowestPower) / 2;
// Exponents of FP16's smallest subnormal, its smallest normal number, and its overflow limit.
constexpr std::array kEdges{-24, -14, 16};

using HeatCells = std::array<double, kCells>;

/// Returns the loss of each step: the mean over its micro-batches, added up over losses.
Series losses_of(const PageSource& page, const queries::RunRow& run) {
  Series series{views::label_of(run, page.rows->runs), {}};
  for (const queries::StepValue& loss : queries::loss_by_step(page.views.report, run.run)) {
    series.points.emplace_back(static_cast<double>(loss.step), loss.value);
  }
  return series;
}

std::vector<Series> scales_of(const PageSource& page, const queries::RunRow& run) {
  std::map<std::int32_t, Series> by_loss;
  for (const queries::ScaleRow& row : queries::scales(page.views.report, run.run)) {
    Series& series = by_loss[row.update.loss_id];
    if (series.points.empty()) series.points.emplace_back(static_cast<double>(row.step), row.update.scale_before);
    series.points.emplace_back(static_cast<double>(row.step) + 1, row.update.scale_after);
  }
  std::vector<Series> all;
  for (auto& [loss_id, series] : by_loss) {
    series.name = views::label_of(run, page.rows->runs) + (by_loss.size() > 1 ? fmt::format(" loss {}", loss_id) : "");
    all.push_back(std::move(series));
  }
  return all;
}

HeatCells cells_of(const ExponentHistogram& histogram) {
  HeatCells cells{};
  for (std::size_t bin = 0; bin < ExponentHistogram::kBins; ++bin) {
    // Values with exponent e, as frexp() returns it, begin at 2^(e-1).
    const int power = ExponentHistogram::exponent_of(bin) - 1;
    const int cell = (std::clamp(power, kLowestPower, kHighestPower - 1) - kLowestPower) / 2;
    cells.at(static_cast<std::size_t>(cell)) += static_cast<double>(histogram.counts.at(bin));
  }
  return cells;
}

// The darkness of a cell is the logarithm of its count, so that a few extreme values are visible.
std::string heat_row(const ExponentHistogram& histogram) {
  const HeatCells cells = cells_of(histogram);
  const double most = std::log1p(*std::ranges::max_element(cells));
  std::string html;
  for (int i = 0; i < kCells; ++i) {
    const int power = kLowestPower + 2 * i;
    const double values = cells.at(static_cast<std::size_t>(i));
    const bool is_edge = std::ranges::find(kEdges, power) != kEdges.end();
    html += fmt::format("<i{}", is_edge ? " class=\"edge\"" : "");
    if (values > 0) {
      html += fmt::format(" style=\"--share:{:.2f}\" title=\"2^{} to 2^{}: {}\"",
                          most > 0 ? 0.15 + 0.85 * std::log1p(values) / most : 0, power, power + 2,
                          escaped(text::number(values)));
    }
    html += "></i>";
  }
  return html;
}

std::string share_of(const queries::OpRow& op, std::int64_t RangeStats::*member) {
  const std::int64_t all = op.exponents ? op.exponents->total() : 0;
  if (!op.ranges || all == 0) return std::string(text::kAbsent);
  return text::percent(static_cast<double>((*op.ranges).*member) / static_cast<double>(all));
}

std::string heat_line(const queries::OpRow& op) {
  const auto headroom = analysis::headroom_of(op);
  return fmt::format(
      "<tr><td>{}</td><td class=\"row\">{}</td><td class=\"number{}\">{}</td><td class=\"number\">{}</td>"
      "<td class=\"number\">{}</td></tr>\n",
      escaped(op.call_site), heat_row(*op.exponents), headroom.value_or(1) < 0 ? " bad" : "",
      headroom ? fmt::format("{:.1f}", *headroom) : std::string(text::kAbsent),
      escaped(share_of(op, &RangeStats::rounds_to_inf)), escaped(share_of(op, &RangeStats::rounds_to_zero)));
}

std::string heat_scale() {
  std::string html = "<div class=\"scale\">";
  for (const int power : {kLowestPower + 3, -24, -14, 0, 16}) {
    const int marked = power == kLowestPower + 3 ? kLowestPower : power;
    html += fmt::format("<span style=\"left:{:.1f}%\">2<sup>{}</sup></span>",
                        100.0 * (power - kLowestPower) / (kHighestPower - kLowestPower), marked);
  }
  return html + "</div>";
}

}  // namespace

std::string curves_section(const PageSource& page) {
  std::vector<Series> losses;
  std::vector<Series> scales;
  for (const queries::RunRow& run : page.rows->shown()) {
    losses.push_back(losses_of(page, run));
    std::ranges::move(scales_of(page, run), std::back_inserter(scales));
  }
  std::erase_if(losses, [](const Series& series) { return series.points.empty(); });
  const std::string charts =
      line_chart(losses, {.title = "Loss", .x_title = "step"}) +
      line_chart(scales, {.title = "Loss scale", .x_title = "step", .log2 = true, .steps = true});
  if (charts.empty()) return "";
  return html_section("curves", "Loss and loss scale", "<div class=\"charts\">\n" + charts + "</div>\n");
}

std::string exponents_section(const PageSource& page) {
  const auto run = analysis::run_of_interest(page.rows->shown());
  if (!run) return "";
  std::vector<queries::OpRow> ops;
  std::ranges::copy_if(page.rows->ops, std::back_inserter(ops),
                       [&](const queries::OpRow& op) { return op.run == run->run && op.exponents; });
  if (ops.empty()) return "";
  std::ranges::stable_sort(ops, {}, [](const queries::OpRow& op) { return analysis::headroom_of(op).value_or(1e9); });
  std::string html =
      "<p class=\"note\">Magnitudes of the values at each call site: the darker, the more values (logarithmic). The "
      "lines are the limits of FP16: it has only 0 below 2<sup>-24</sup> and fewer bits below 2<sup>-14</sup>, and it "
      "overflows at 2<sup>16</sup>. Headroom is the number of powers of two from the largest value up to 65504; call "
      "sites with the least headroom come first.</p>\n<div class=\"frame\" tabindex=\"0\"><table "
      "class=\"heat\">\n<thead><tr><th scope=\"col\">call site</th><th scope=\"col\" class=\"row\">" +
      heat_scale() +
      "</th><th scope=\"col\" class=\"number\">headroom</th><th scope=\"col\" class=\"number\">to inf</th>"
      "<th scope=\"col\" class=\"number\">to zero</th></tr></thead>\n<tbody>\n";
  const std::size_t shown = std::min(kHeatRows, ops.size());
  for (std::size_t i = 0; i < shown; ++i) html += heat_line(ops[i]);
  return html_section("exponents", "Where values lie, " + views::label_of(*run, page.rows->runs),
                      html + "</tbody></table></div>\n" + page.rest(ops.size(), shown, "ranges"));
}

}  // namespace ampprof::cli
