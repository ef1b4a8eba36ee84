// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/group.h"
#include "analysis/op_figures.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/format.h"
#include "views/views.h"

namespace ampprof::views {
namespace {

/// Where the values of an output lie, in FP16's eyes.
struct Ranges {
  std::optional<double> headroom;  ///< powers of two up to 65504; negative where it is passed
  std::optional<double> rounds_to_inf, subnormal, rounds_to_zero;  ///< shares of the values that are not zero
};

Ranges ranges_of(const OpRow& op) {
  Ranges found;
  if (!op.ranges) return found;
  found.headroom = analysis::headroom_of(op);
  const std::int64_t values = op.exponents ? op.exponents->total() : op.ranges->count;
  if (values == 0) return found;
  const auto share = [&](std::int64_t n) { return static_cast<double>(n) / static_cast<double>(values); };
  found.rounds_to_inf = share(op.ranges->rounds_to_inf);
  found.subnormal = share(op.ranges->subnormal);
  found.rounds_to_zero = share(op.ranges->rounds_to_zero);
  return found;
}

/// {"lowest": exponent of the first count, "counts": [...]}, without empty bins at the ends; tails are the bins at
/// kLowest - 1 and kHighest + 1.
Json to_json(const std::optional<ExponentHistogram>& histogram) {
  if (!histogram) return {};
  const auto& counts = histogram->counts;
  const auto occupied = [](std::int64_t count) { return count > 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), occupied);
  const auto last = std::find_if(counts.rbegin(), counts.rend(), occupied).base();
  if (first == counts.end()) return {{"lowest", nullptr}, {"counts", Json::array()}};
  return {{"lowest", ExponentHistogram::exponent_of(static_cast<std::size_t>(first - counts.begin()))},
          {"counts", std::vector<std::int64_t>(first, last)}};
}

/// Four exponents a cell, from 2^-40 to 2^24; heights are logarithms of counts.
std::string sparkline(const ExponentHistogram& histogram) {
  constexpr std::array kBlocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr int kFirst = -39;  // the exponent of 2^-40
  constexpr int kPerCell = 4;
  std::array<double, 16> cells{};
  for (std::size_t bin = 0; bin < ExponentHistogram::kBins; ++bin) {
    const int cell = (ExponentHistogram::exponent_of(bin) - kFirst) / kPerCell;
    cells.at(static_cast<std::size_t>(std::clamp(cell, 0, 15))) += static_cast<double>(histogram.counts[bin]);
  }
  const double most = std::log1p(*std::ranges::max_element(cells));
  std::string line;
  for (const double count : cells) {
    const double height = most > 0 ? std::log1p(count) / most : 0;
    line += count == 0 ? " " : kBlocks.at(static_cast<std::size_t>(std::lround(height * (kBlocks.size() - 1))));
  }
  return line;
}

Json to_json(const analysis::Group<OpRow>& group, const Ranges& ranges) {
  const OpRow& op = group.row;
  return {{"run", op.run},
          {"level", text_or_null(op.level)},
          {"call_site", op.call_site},
          {"phase", name_of(op.phase)},
          {"module", op.module},
          {"op", op.op},
          {"dtype_out", op.dtype_out == DType::Unknown ? Json() : Json(short_name(op.dtype_out))},
          {"scale", exact(op.scale)},
          {"elements", op.ranges ? Json(op.ranges->count) : Json()},
          {"amax", op.ranges ? exact(op.ranges->amax) : Json()},
          {"reference_amax", op.ranges ? exact(op.ranges->reference_amax) : Json()},
          {"smallest", op.ranges ? exact(op.ranges->smallest) : Json()},
          {"headroom_log2", exact(ranges.headroom)},
          {"nonfinite", op.ranges ? Json(op.ranges->nonfinite) : Json()},
          {"nonfinite_expected", op.nonfinite_expected},
          {"rounds_to_inf_share", exact(ranges.rounds_to_inf)},
          {"subnormal_share", exact(ranges.subnormal)},
          {"rounds_to_zero_share", exact(ranges.rounds_to_zero)},
          {"exponents", to_json(op.exponents)},
          {"inherited_exponents", to_json(op.inherited_exponents)},
          {"call_sites", group.call_sites}};
}

Cell share_cell(const std::optional<double>& share, text::Tone tone) {
  return {text::shown(share, text::percent), share.value_or(0) > 0 ? tone : text::Tone::Plain};
}

std::vector<Cell> cells_of(const analysis::Group<OpRow>& group, const Ranges& ranges) {
  const OpRow& op = group.row;
  const text::Tone tone = ranges.headroom.value_or(16) < 0 ? text::Tone::Bad : text::Tone::Plain;
  return {{text::printable(op.level.empty() ? std::to_string(op.run) : op.level), text::Tone::Strong},
          {short_site(op)},
          {type_name(op.dtype_out, group.call_sites)},
          {op.ranges ? text::number(analysis::largest_of(*op.ranges)) : std::string(text::kAbsent)},
          {op.ranges && op.ranges->smallest > 0 ? text::scientific(op.ranges->smallest) : std::string(text::kAbsent)},
          {ranges.headroom ? text::number(std::round(*ranges.headroom * 10) / 10) : std::string(text::kAbsent), tone},
          share_cell(ranges.rounds_to_inf, text::Tone::Bad),
          share_cell(ranges.subnormal, text::Tone::Plain),
          share_cell(ranges.rounds_to_zero, text::Tone::Attention),
          {op.exponents ? sparkline(*op.exponents) : std::string(text::kAbsent)},
          {text::shown(op.scale, text::plain)}};
}

}  // namespace

View ranges_view(std::vector<OpRow> ops, const std::optional<analysis::Grouping>& grouping) {
  auto groups = analysis::grouped(std::move(ops), grouping);
  // What FP32 holds comes behind what was, or was judged, in reduced precision.
  const auto rank = [](const OpRow& op) {
    const bool is_judged = is_reduced_precision(op.dtype_out) || op.local;
    return std::pair(!is_judged, ranges_of(op).headroom.value_or(1e9));
  };
  std::ranges::stable_sort(groups, {}, [&](const analysis::Group<OpRow>& group) { return rank(group.row); });
  View view{.name = "ranges",
            .keys = {"run",
                     "level",
                     "call_site",
                     "phase",
                     "module",
                     "op",
                     "dtype_out",
                     "scale",
                     "elements",
                     "amax",
                     "reference_amax",
                     "smallest",
                     "headroom_log2",
                     "nonfinite",
                     "nonfinite_expected",
                     "rounds_to_inf_share",
                     "subnormal_share",
                     "rounds_to_zero_share",
                     "exponents",
                     "inherited_exponents",
                     "call_sites"},
            .columns = {{.title = "run", .key = "level"},
                        {.title = "call site", .flexible = true, .key = "call_site"},
                        {.title = "type", .spare = 3, .key = "dtype_out"},
                        {.title = "amax", .align = Align::Right, .key = "amax"},
                        {.title = "smallest", .align = Align::Right, .spare = 2, .key = "smallest"},
                        {.title = "headroom", .align = Align::Right, .key = "headroom_log2"},
                        {.title = "inf", .align = Align::Right, .key = "rounds_to_inf_share"},
                        {.title = "subn.", .align = Align::Right, .spare = 1, .key = "subnormal_share"},
                        {.title = "zero", .align = Align::Right, .key = "rounds_to_zero_share"},
                        {.title = "2^-40 .. 2^24", .drawing = true},
                        {.title = "scale", .align = Align::Right, .spare = 4, .key = "scale"}},
            .records = {},
            .none = "No op call matches."};
  for (const analysis::Group<OpRow>& group : groups) {
    const Ranges ranges = ranges_of(group.row);
    view.records.push_back({to_json(group, ranges), cells_of(group, ranges)});
  }
  if (grouping) add_site_column(view, 1);
  return view;
}

}  // namespace ampprof::views
