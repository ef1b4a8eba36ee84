// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/format.h"
#include "views/views.h"

namespace ampprof::views {
namespace {

/// A count over the elements whose update is not zero.
std::optional<double> share_of(const std::optional<std::int64_t>& n, const WeightUpdate& update) {
  if (!n || update.count == 0) return std::nullopt;
  return static_cast<double>(*n) / static_cast<double>(update.count);
}

std::optional<double> mean_ulp(const WeightUpdate& update) {
  if (update.count == 0) return std::nullopt;
  return update.sum_ulp / static_cast<double>(update.count);
}

Json to_json(const UpdateRow& row) {
  const WeightUpdate& total = row.total;
  return {{"run", row.run},
          {"level", text_or_null(row.level)},
          {"call_site", row.call_site},
          {"parameter", total.parameter},
          {"dtype", short_name(total.dtype)},
          {"elements", total.count},
          {"lost", exact(total.lost)},
          {"lost_share", exact(share_of(total.lost, total))},
          {"below_half_ulp", total.below_half_ulp},
          {"below_half_ulp_share", exact(share_of(total.below_half_ulp, total))},
          {"mean_update_ulp", exact(mean_ulp(total))}};
}

std::vector<Cell> cells_of(const UpdateRow& row) {
  const WeightUpdate& total = row.total;
  const auto lost = share_of(total.lost, total);
  return {{text::printable(row.level.empty() ? std::to_string(row.run) : row.level), text::Tone::Strong},
          {text::printable(total.parameter)},
          {std::string(short_name(total.dtype))},
          {text::count(total.count)},
          {text::shown(lost, text::percent), lost.value_or(0) > 0 ? text::Tone::Attention : text::Tone::Plain},
          {text::shown(share_of(total.below_half_ulp, total), text::percent)},
          {text::shown(mean_ulp(total), text::number)},
          {text::printable(row.call_site)}};
}

}  // namespace

View optimizer_view(std::vector<UpdateRow> rows) {
  const auto rank = [](const UpdateRow& row) {
    return std::pair(share_of(row.total.lost, row.total).value_or(-1),
                     share_of(row.total.below_half_ulp, row.total).value_or(-1));
  };
  std::ranges::stable_sort(rows, [&](const UpdateRow& a, const UpdateRow& b) { return rank(a) > rank(b); });
  View view{.name = "optimizer",
            .keys = {"run", "level", "call_site", "parameter", "dtype", "elements", "lost", "lost_share",
                     "below_half_ulp", "below_half_ulp_share", "mean_update_ulp"},
            .columns = {{.title = "run", .key = "level"},
                        {.title = "parameter", .flexible = true, .key = "parameter"},
                        {.title = "type", .key = "dtype"},
                        {.title = "updates", .align = Align::Right, .spare = 1, .key = "elements"},
                        {.title = "lost", .align = Align::Right, .key = "lost_share"},
                        {.title = "< ulp/2", .align = Align::Right, .key = "below_half_ulp_share"},
                        {.title = "mean ulp", .align = Align::Right, .key = "mean_update_ulp"},
                        {.title = "by", .flexible = true, .spare = 2, .key = "call_site"}},
            .records = {},
            .none = "The report holds no weight update."};
  for (const UpdateRow& row : rows) view.records.push_back({to_json(row), cells_of(row)});
  return view;
}

}  // namespace ampprof::views
