// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ampprof::cli {

/// One line of a chart. x ascends. Values that are not finite are gaps in the line, and are told below the chart.
struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

struct ChartOptions {
  std::string title;
  std::string x_title;
  bool log2 = false;   ///< y by powers of two; values up to 0 are gaps
  bool steps = false;  ///< a value holds until the next
};

/// Lines as inline SVG, with a legend. Lines differ in colour and in their dashes. Of long lines the extremes of each
/// stretch are drawn, so that no peak is lost. "" where no series has two points.
std::string line_chart(const std::vector<Series>& series, const ChartOptions& options);

}  // namespace ampprof::cli
