// SPDX-License-Identifier: Apache-2.0
#include "analysis/ranks/collectives.h"

#include <algorithm>

#include "reports/text/numbers.h"
#include "views/ops/site_columns.h"
#include "views/ops/views.h"
#include "views/ranks/views.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using analysis::CollectiveSite;

using CollectiveColumns = std::vector<ColumnOf<CollectiveSite>>;

ColumnOf<CollectiveSite> time_column(Named named, std::optional<double> CollectiveSite::*ms, std::string_view title,
                                     int spare) {
  return number_column<CollectiveSite>(std::move(named), ms, title, text::milliseconds, {.spare = spare});
}

using Bandwidth = std::optional<double> (CollectiveSite::*)() const;

/// Returns a column of bandwidths. Cells mark a lower bound with "≥".
ColumnOf<CollectiveSite> bandwidth_column(Named named, Bandwidth bandwidth, std::string_view title, int spare) {
  return {.key = std::move(named.key),
          .about = std::move(named.about),
          .unit = std::move(named.unit),
          .value = [bandwidth](const CollectiveSite& line) { return value_of((line.*bandwidth)()); },
          .title = title,
          .cell = [bandwidth](const CollectiveSite& line) -> Cell {
            const std::optional<double> bytes = (line.*bandwidth)();
            if (!bytes) return {std::string(text::kAbsent)};
            return {(line.bandwidth_is_bound() ? "≥ " : "") + text::bytes(*bytes) + "/s"};
          },
          .align = Align::Right,
          .spare = spare};
}

CollectiveColumns collective_identity() {
  return {number_column<CollectiveSite>(
              {"launch",
               "Number of the launch, the same as in the view ranks. A run with a single rank is a launch of its own."},
              &CollectiveSite::launch, "launch", digits),
          run_id<CollectiveSite>(),
          run_level<CollectiveSite>(),
          site_name<CollectiveSite>(),
          site_phase<CollectiveSite>(),
          site_module<CollectiveSite>(),
          site_op<CollectiveSite>(),
          site_source<CollectiveSite>(),
          {.key = "group",
           .about = "Name of the group of ranks.",
           .value = [](const CollectiveSite& line) { return known(line.row.call.group); },
           .title = "group",
           .cell = [](const CollectiveSite& line) { return text_cell(line.row.call.group); },
           .flexible = true,
           .spare = 8},
          number_column<CollectiveSite>({"group_size", "Number of ranks of the group."},
                                        [](const CollectiveSite& line) {
                                          const std::int64_t ranks = line.row.call.group_size;
                                          return ranks > 0 ? std::optional(ranks) : std::nullopt;
                                        },
                                        "ranks", text::count, {.spare = 5}),
          {.key = "recorded_ranks",
           .about = "Number of ranks of the group that recorded the call.",
           .value = [](const CollectiveSite& line) -> Value { return line.ranks; }},
          {.key = "reduction",
           .about = "Reduction: sum, avg, max and so on. Null if nothing is reduced.",
           .value = [](const CollectiveSite& line) { return known(line.row.call.reduction); }},
          {.key = "dtype",
           .about = "Type of the elements.",
           .value = [](const CollectiveSite& line) { return known(line.row.call.dtype); },
           .title = "type",
           .cell = [](const CollectiveSite& line) -> Cell { return {type_name(line.row.call.dtype, 1)}; },
           .spare = 1}};
}

CollectiveColumns collective_figures() {
  return {number_column<CollectiveSite>({"calls", "Number of calls, over all ranks that recorded them."},
                                        &CollectiveSite::calls, "calls", text::count, {.spare = 1}),
          number_column<CollectiveSite>(
              {"bytes", "Bytes of a call: of all inputs or of all outputs, whichever is more."},
              [](const CollectiveSite& line) { return line.row.call.bytes; }, "size", text::bytes),
          time_column({"total_ms",
                       "Total time of the calls, each until its work was done; for NCCL, the time of its kernels. Null "
                       "if unknown."},
                      &CollectiveSite::total_ms, "total", 4),
          time_column({"median_ms", "Median time of a call."}, &CollectiveSite::median_ms, "median", 0),
          time_column({"p99_ms", "99th percentile of the time of a call."}, &CollectiveSite::p99_ms, "p99", 3),
          time_column({"wait_ms",
                       "Median time that a call waited until the last rank joined: its time on a rank minus the "
                       "shortest time on any rank. Null unless all ranks of the group recorded it."},
                      &CollectiveSite::wait_ms, "wait", 0),
          time_column({"transfer_ms", "Median time of a call without the wait for the last rank."},
                      &CollectiveSite::transfer_ms, "transfer", 6),
          bandwidth_column(
              {"algbw",
               "Bytes divided by `transfer_ms`, or by `median_ms` if waits are not known, as nccl-tests defines algbw.",
               "bytes/s"},
              &CollectiveSite::algorithm_bandwidth, "algbw", 2),
          bandwidth_column({"busbw",
                            "`algbw` times 2(n-1)/n for an all-reduce, (n-1)/n for all-gather, reduce-scatter, "
                            "all-to-all, gather and scatter, 1 for broadcast and reduce, as nccl-tests defines busbw.",
                            "bytes/s"},
                           &CollectiveSite::bus_bandwidth, "busbw", 0),
          {.key = "rounding_rel_l2",
           .about = "Rounding error of all-reduces (sum, avg) on the CPU with --sketch: estimate of ||result - sum|| / "
                    "||sum||, where the sum is not rounded. Null unless all ranks of the group recorded it.",
           .value = [](const CollectiveSite& line) { return value_of(line.rounding); },
           .title = "rounded away",
           .cell = [](const CollectiveSite& line) -> Cell {
             return {line.rounding ? "≈ " + text::scientific(*line.rounding) : std::string(text::kAbsent)};
           },
           .align = Align::Right,
           .spare = 1},
          {.key = "rounding_standard_error",
           .about = "Standard error of `rounding_rel_l2`.",
           .value = [](const CollectiveSite& line) { return value_of(line.rounding_error); }},
          {.key = "rounding_calls",
           .about = "Number of all-reduces that `rounding_rel_l2` combines.",
           .value = [](const CollectiveSite& line) -> Value { return line.roundings; }},
          {.key = "bandwidth_is_bound",
           .about = "True if waits are not known, so that both bandwidths are lower bounds.",
           .value = [](const CollectiveSite& line) -> Value {
             return line.algorithm_bandwidth() ? Value(line.bandwidth_is_bound()) : Value();
           }}};
}

const ViewOf<CollectiveSite>& declared_collectives() {
  static const ViewOf<CollectiveSite> kView{.name = "collectives",
                                            .columns = joined({collective_identity(), collective_figures()}),
                                            .none = "The report holds no collective of c10d (torch.distributed).",
                                            .remedy =
                                                "With ampprof run --ranks 2, record a program that calls "
                                                "torch.distributed.",
                                            .notes = "A row is a call site, group, reduction, type and size."};
  return kView;
}

}  // namespace

View collectives_view(const std::vector<analysis::CollectiveSite>& sites) {
  const bool is_one =
      std::ranges::all_of(sites, [&](const CollectiveSite& site) { return site.launch == sites.front().launch; });
  const std::vector<std::string_view> hidden =
      is_one ? std::vector<std::string_view>{"launch", "level"} : std::vector<std::string_view>{};
  return view_of(declared_collectives(), sites, hidden);
}

}  // namespace ampprof::views
