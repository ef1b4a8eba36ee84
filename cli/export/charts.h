// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ampprof::cli {

/// One line of a chart. x ascends. Non-finite values are gaps in the line; a note below the chart counts them.
struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

struct ChartOptions {
  std::string title;
  std::string x_title;
  bool log2 = false;   ///< logarithmic y axis, base 2; values <= 0 are gaps
  bool steps = false;  ///< draws each value up to the next x, as steps
};

/// Draws lines as inline SVG with a legend. Lines differ in colour and dashes. Draws the extremes of each stretch of a
/// long line, so that no peak is lost. Returns "" if no series has two points.
std::string line_chart(const std::vector<Series>& series, const ChartOptions& options);

}  // namespace ampprof::cli
