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
  bool steps = false;  ///< holds each value until the next x, like a staircase
};

/// Draws lines as inline SVG with a legend. Lines differ in colour and dashes. Shortens a long line to the smallest and
/// the largest value of each stretch, so that no peak is lost. Returns "" if no series has two points.
std::string line_chart(const std::vector<Series>& series, const ChartOptions& options);

}  // namespace ampprof::cli
