// SPDX-License-Identifier: Apache-2.0
#include "cli/export/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/export/html.h"
#include "reports/text/numbers.h"

namespace ampprof::cli {
namespace {

using Point = std::pair<double, double>;

constexpr double kWidth = 480, kHeight = 250;
constexpr double kLeft = 58, kRight = 12, kTop = 12, kBottom = 40;
constexpr std::size_t kStretches = 300;
constexpr int kStyles = 6;

/// Maps a range of values to a range of pixels along one axis.
struct Scale {
  double low = 0, high = 1;
  double from = 0, to = 1;

  // Computes with halves, because high - low may overflow.
  double half_range() const { return high / 2 - low / 2; }
  double at(double value) const { return from + (value / 2 - low / 2) / half_range() * (to - from); }
};

double shown_value(double y, bool log2) {
  if (!log2) return y;
  return y > 0 ? std::log2(y) : std::numeric_limits<double>::quiet_NaN();
}

// Splits a long line into stretches and keeps the smallest and the largest value of each, in order. If a stretch has
// non-finite values, keeps only the first of them, as a gap.
std::vector<Point> thinned(const std::vector<Point>& points) {
  if (points.size() <= 2 * kStretches) return points;
  std::vector<Point> kept;
  const std::size_t length = (points.size() + kStretches - 1) / kStretches;
  for (std::size_t begin = 0; begin < points.size(); begin += length) {
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = points.begin() + static_cast<std::ptrdiff_t>(std::min(begin + length, points.size()));
    const auto gap = std::find_if(first, last, [](const Point& p) { return !std::isfinite(p.second); });
    auto [least, greatest] =
        std::minmax_element(first, last, [](const Point& a, const Point& b) { return a.second < b.second; });
    if (gap != last) {
      kept.push_back(*gap);
      continue;
    }
    if (greatest < least) std::swap(least, greatest);
    kept.push_back(*least);
    if (greatest != least) kept.push_back(*greatest);
  }
  return kept;
}

Scale scale_of(const std::vector<Point>& points, double Point::*axis, double from, double to) {
  Scale scale{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest(), from, to};
  for (const Point& point : points) {
    if (!std::isfinite(point.second)) continue;
    scale.low = std::min(scale.low, point.*axis);
    scale.high = std::max(scale.high, point.*axis);
  }
  if (scale.low > scale.high) return {0, 1, from, to};
  const double size = std::max(std::abs(scale.low), std::abs(scale.high));
  if (!(scale.half_range() > 1e-9 * size)) {
    scale.low -= std::max(size / 100, 1e-9);
    scale.high += std::max(size / 100, 1e-9);
  }
  return scale;
}

// Returns 1, 2 or 5 times a power of ten, so that the axis has about five ticks.
double tick_distance(const Scale& scale, bool whole) {
  const double least = scale.half_range() / 2.5;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (factor * power >= least) return whole ? std::max(1.0, std::round(factor * power)) : factor * power;
  }
  return 10 * power;
}

std::vector<double> ticks_of(const Scale& scale, bool whole) {
  constexpr int kMost = 12;
  const double distance = tick_distance(scale, whole);
  const double first = std::ceil(scale.low / distance);
  std::vector<double> ticks;
  for (int i = 0; i < kMost && (first + i) * distance <= scale.high; ++i) ticks.push_back((first + i) * distance);
  return ticks;
}

// Formats numbers as people write them: 0.5, not 0.500.
std::string tick_label(double tick) {
  const double size = std::abs(tick);
  return size == 0 || (size >= 1e-3 && size < 1e5) ? text::plain(tick) : text::number(tick);
}

std::string y_axis(const Scale& y, bool log2) {
  std::string svg;
  for (const double tick : ticks_of(y, log2)) {
    const std::string label =
        log2 ? fmt::format("2<tspan dy=\"-5\" class=\"power\">{:.0f}</tspan>", tick) : escaped(tick_label(tick));
    svg += fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", kLeft, kWidth - kRight,
                       y.at(tick), y.at(tick));
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" class=\"end\">{}</text>\n", kLeft - 6, y.at(tick) + 4, label);
  }
  return svg;
}

std::string x_axis(const Scale& x, const std::string& title) {
  std::string svg;
  for (const double tick : ticks_of(x, true)) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" class=\"middle\">{}</text>\n", x.at(tick), kHeight - kBottom + 16,
                       escaped(text::plain(tick)));
  }
  return svg + fmt::format("<text x=\"{}\" y=\"{}\" class=\"middle\">{}</text>\n", (kLeft + kWidth - kRight) / 2,
                           kHeight - 4, escaped(title));
}

std::string path_of(const std::vector<Point>& points, const Scale& x, const Scale& y, bool steps) {
  std::string path;
  bool draws = false;
  for (const auto& [at, value] : points) {
    if (!std::isfinite(value)) {
      draws = false;
      continue;
    }
    if (draws && steps) path += fmt::format("H{:.1f}V{:.1f}", x.at(at), y.at(value));
    if (draws && !steps) path += fmt::format("L{:.1f},{:.1f}", x.at(at), y.at(value));
    // Draws a dot for a value between two gaps, since a line of one point would be invisible.
    if (!draws) path += fmt::format("M{:.1f},{:.1f}h0", x.at(at), y.at(value));
    draws = true;
  }
  return path;
}

std::string legend(const std::vector<Series>& series) {
  std::string html = "<p class=\"legend\">";
  for (std::size_t i = 0; i < series.size(); ++i) {
    html += fmt::format(
        "<span><svg width=\"34\" height=\"10\" aria-hidden=\"true\"><path class=\"s{}\" "
        "d=\"M1,5H33\"/></svg>{}</span> ",
        i % kStyles, escaped(series[i].name));
  }
  return html + "</p>\n";
}

std::string gaps_of(const Series& series) {
  const auto is_gap = [](const Point& point) { return !std::isfinite(point.second); };
  const auto count = std::ranges::count_if(series.points, is_gap);
  if (count == 0) return "";
  const auto first = std::ranges::find_if(series.points, is_gap);
  return fmt::format("<p class=\"note\">{}: no finite value in {}, first in step {}.</p>\n", escaped(series.name),
                     text::counted(count, "step"), text::plain(first->first));
}

}  // namespace

std::string line_chart(const std::vector<Series>& series, const ChartOptions& options) {
  if (std::ranges::none_of(series, [](const Series& line) { return line.points.size() >= 2; })) return "";
  std::vector<std::vector<Point>> lines;
  std::vector<Point> all;
  for (const Series& line : series) {
    auto& points = lines.emplace_back(thinned(line.points));
    for (Point& point : points) point.second = shown_value(point.second, options.log2);
    all.insert(all.end(), points.begin(), points.end());
  }
  const Scale x = scale_of(all, &Point::first, kLeft, kWidth - kRight);
  const Scale y = scale_of(all, &Point::second, kHeight - kBottom, kTop);
  std::string html = fmt::format(
      "<figure>\n<figcaption>{0}</figcaption>\n<svg viewBox=\"0 0 {1} {2}\" role=\"img\" aria-label=\"{0}\">\n",
      escaped(options.title), kWidth, kHeight);
  html += y_axis(y, options.log2) + x_axis(x, options.x_title);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    html += fmt::format("<path class=\"s{}\" d=\"{}\"/>\n", i % kStyles, path_of(lines[i], x, y, options.steps));
  }
  html += "</svg>\n" + legend(series);
  for (const Series& line : series) html += gaps_of(line);
  return html + "</figure>\n";
}

}  // namespace ampprof::cli
