// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "analysis/ops/group.h"
#include "analysis/ops/op_figures.h"
#include "reports/queries/ops.h"
#include "reports/records/dtype.h"
#include "reports/records/exponents.h"
#include "reports/records/statistics.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/ops/site_columns.h"
#include "views/ops/views.h"

namespace ampprof::views {
namespace {

/// Relation of an output's values to the range of FP16.
struct Ranges {
  std::optional<double> headroom;                                  ///< see analysis::headroom_of()
  std::optional<double> rounds_to_inf, subnormal, rounds_to_zero;  ///< shares of the nonzero values
};

/// Counts the nonzero values, infinities included, so that no share exceeds 1. The histogram of exponents lacks
/// infinities. rounds_to_inf counts infinities and values from 2^16 on, whose exponents (of frexp) are 17 and more.
std::int64_t nonzero_values(const queries::OpRow& op) {
  if (!op.exponents) return op.ranges->count;
  const auto& counts = op.exponents->counts;
  const std::int64_t finite = std::accumulate(
      counts.begin() + static_cast<std::ptrdiff_t>(ExponentHistogram::bin_of(17)), counts.end(), std::int64_t{0});
  return op.exponents->total() + std::max<std::int64_t>(op.ranges->rounds_to_inf - finite, 0);
}

Ranges ranges_of(const queries::OpRow& op) {
  Ranges found;
  if (!op.ranges) return found;
  found.headroom = analysis::headroom_of(op);
  const std::int64_t values = nonzero_values(op);
  if (values == 0) return found;
  const auto share = [&](std::int64_t n) { return static_cast<double>(n) / static_cast<double>(values); };
  found.rounds_to_inf = share(op.ranges->rounds_to_inf);
  found.subnormal = share(op.ranges->subnormal);
  found.rounds_to_zero = share(op.ranges->rounds_to_zero);
  return found;
}

/// Returns {"lowest": exponent of the first count, "counts": [...]}, without empty bins at the ends. Exponents below
/// kLowest and above kHighest are counted at kLowest - 1 and kHighest + 1.
Value exponents_of(const std::optional<ExponentHistogram>& histogram) {
  if (!histogram) return {};
  const auto& counts = histogram->counts;
  const auto occupied = [](std::int64_t count) { return count > 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), occupied);
  const auto last = std::find_if(counts.rbegin(), counts.rend(), occupied).base();
  if (first == counts.end()) return Json{{"lowest", nullptr}, {"counts", Json::array()}};
  return Json{{"lowest", ExponentHistogram::exponent_of(static_cast<std::size_t>(first - counts.begin()))},
              {"counts", std::vector<std::int64_t>(first, last)}};
}

/// Draws a histogram from 2^-40 to 2^24, four exponents per character. Heights are logarithms of counts.
std::string sparkline(const ExponentHistogram& histogram) {
  constexpr std::array kBlocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr int kFirst = -39;  // frexp() exponent of 2^-40
  constexpr int kPerCell = 4;
  std::array<double, 16> cells{};
  for (std::size_t bin = 0; bin < ExponentHistogram::kBins; ++bin) {
    const int cell = (ExponentHistogram::exponent_of(bin) - kFirst) / kPerCell;
    cells.at(static_cast<std::size_t>(std::clamp(cell, 0, 15))) += static_cast<double>(histogram.counts[bin]);
  }
  const double most = std::log1p(*std::ranges::max_element(cells));
  std::string line;
  for (const double count : cells) {
    const double height = std::log1p(count) / most * (kBlocks.size() - 1);
    line += count == 0 ? " " : kBlocks.at(static_cast<std::size_t>(std::lround(height)));
  }
  return line;
}

struct RangesLine : analysis::Group<queries::OpRow> {
  Ranges shares;
};

using RangesColumns = std::vector<ColumnOf<RangesLine>>;

template <auto Member>
Value range_value(const RangesLine& line) {
  return line.row.ranges ? Value((*line.row.ranges).*Member) : Value();
}

Cell headroom_cell(const RangesLine& line) {
  const auto& headroom = line.shares.headroom;
  const text::Tone tone = headroom && *headroom < 0 ? text::Tone::Bad : text::Tone::Plain;
  return {headroom ? text::fixed(*headroom, 1) : std::string(text::kAbsent), tone};
}

RangesColumns ranges_site_columns() {
  return {run_id<RangesLine>(),
          run_level<RangesLine>(),
          site_name<RangesLine>(),
          site_phase<RangesLine>(),
          site_module<RangesLine>(),
          site_op<RangesLine>(),
          site_source<RangesLine>(),
          {.key = "dtype_out",
           .about = "Type of the output.",
           .value = [](const RangesLine& line) { return known(line.row.dtype_out); },
           .title = "type",
           .cell = [](const RangesLine& line) -> Cell { return {type_name(line.row.dtype_out, line.call_sites)}; },
           .spare = 3},
          number_column<RangesLine>({"scale", "Last loss scale in force. Magnitudes of the row are divided by it."},
                                    [](const RangesLine& line) { return line.row.scale; }, "scale", text::plain,
                                    {.spare = 4, .behind = "exponents"})};
}

RangesColumns size_columns() {
  return {{.key = "elements",
           .about = "Number of output elements.",
           .value = range_value<&RangeStats::count>,
           .title = "values",
           .cell = [](const RangesLine& line) -> Cell {
             return {line.row.ranges ? text::count(line.row.ranges->count) : std::string(text::kAbsent)};
           },
           .align = Align::Right,
           .spare = 1},
          {.key = "amax",
           .about = "Largest finite magnitude of the output. Tables show the reference's magnitude if it is larger.",
           .value = range_value<&RangeStats::amax>,
           .title = "amax",
           .cell = [](const RangesLine& line) -> Cell {
             const auto& ranges = line.row.ranges;
             return {ranges ? text::number(analysis::largest_of(*ranges)) : std::string(text::kAbsent)};
           },
           .align = Align::Right},
          {.key = "reference_amax",
           .about = "Largest finite magnitude of the reference.",
           .value = range_value<&RangeStats::reference_amax>},
          {.key = "smallest",
           .about = "Smallest finite magnitude of the output that is not 0.",
           .value = range_value<&RangeStats::smallest>,
           .title = "smallest",
           .cell = [](const RangesLine& line) -> Cell {
             const auto& ranges = line.row.ranges;
             const bool is_known = ranges && ranges->smallest > 0;
             return {is_known ? text::scientific(ranges->smallest) : std::string(text::kAbsent)};
           },
           .align = Align::Right,
           .spare = 2},
          {.key = "headroom_log2",
           .about = "Powers of two from the largest value to 65504. Negative if the value is larger.",
           .unit = "log2",
           .value = [](const RangesLine& line) { return value_of(line.shares.headroom); },
           .title = "headroom",
           .cell = headroom_cell,
           .align = Align::Right},
          {.key = "nonfinite",
           .about = "Number of output elements that are NaN or inf.",
           .value = range_value<&RangeStats::nonfinite>},
          {.key = "nonfinite_expected",
           .about = "True if NaN or inf are expected, such as the -inf of a mask.",
           .value = [](const RangesLine& line) -> Value { return line.row.nonfinite_expected; }}};
}

RangesColumns share_columns() {
  return {
      number_column<RangesLine>(
          {"rounds_to_inf_share",
           "Share of the values that FP16 rounds to inf. Values that are 0 or NaN are not counted."},
          [](const RangesLine& line) { return line.shares.rounds_to_inf; }, "inf", text::percent,
          {.tone = text::Tone::Bad}),
      number_column<RangesLine>(
          {"subnormal_share",
           "Share of the values, without 0 and NaN, that are below FP16's normal range: they lose bits or round to 0."},
          [](const RangesLine& line) { return line.shares.subnormal; }, "subn.", text::percent, {.spare = 1}),
      number_column<RangesLine>(
          {"rounds_to_zero_share", "Share of the values, without 0 and NaN, that FP16 rounds to 0."},
          [](const RangesLine& line) { return line.shares.rounds_to_zero; }, "zero", text::percent,
          {.tone = text::Tone::Attention}),
      {.key = "exponents",
       .about = "Histogram of binary exponents of the reference, or of the output if there is no reference: `lowest` "
                "is the exponent of the first of `counts`. |x| in [2^(e-1), 2^e) counts at e; -65 and 33 count all "
                "smaller and larger values.",
       .value = [](const RangesLine& line) { return exponents_of(line.row.exponents); },
       .title = "2^-40 .. 2^24",
       .cell = [](const RangesLine& line) -> Cell {
         return {line.row.exponents ? sparkline(*line.row.exponents) : std::string(text::kAbsent)};
       },
       .drawing = true},
      {.key = "inherited_exponents",
       .about = "Histogram like `exponents`, but of the step in exact arithmetic (--inherited).",
       .value = [](const RangesLine& line) { return exponents_of(line.row.inherited_exponents); }},
      call_sites<RangesLine>()};
}

const ViewOf<RangesLine>& ranges() {
  static const ViewOf<RangesLine> kView{.name = "ranges",
                                        .columns = joined({ranges_site_columns(), size_columns(), share_columns()}),
                                        .none = "No op call matches."};
  return kView;
}

// Orders by headroom, smallest first. Outputs that are recorded or judged in reduced precision come before all others.
std::pair<bool, double> rank_of(const RangesLine& line) {
  const bool is_judged = is_reduced_precision(line.row.dtype_out) || line.row.local;
  return {!is_judged, line.shares.headroom.value_or(1e9)};
}

}  // namespace

View ranges_view(const std::vector<queries::OpRow>& ops, const std::optional<analysis::Grouping>& grouping) {
  std::vector<RangesLine> lines;
  for (auto& group : analysis::grouped(ops, grouping)) {
    const Ranges shares = ranges_of(group.row);
    lines.push_back({std::move(group), shares});
  }
  std::ranges::stable_sort(lines, {}, rank_of);
  return view_of(ranges(), lines, hidden_without(grouping));
}

}  // namespace ampprof::views
