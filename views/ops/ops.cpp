// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/ops.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "analysis/ops/op_figures.h"
#include "analysis/ops/targets.h"
#include "reports/records/dtype.h"
#include "reports/records/statistics.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/ops/site_columns.h"
#include "views/ops/verdict_columns.h"
#include "views/ops/views.h"

namespace ampprof::views {
namespace {

struct OpLine : analysis::Group<queries::OpRow>, WithVerdict {};

using OpColumns = std::vector<ColumnOf<OpLine>>;

std::string types_of(const OpLine& line) {
  const std::string in = type_name(line.row.dtype_in, line.call_sites);
  const std::string out = type_name(line.row.dtype_out, line.call_sites);
  return in == out ? in : in + ">" + out;
}

// Returns the expected size of the loss impact, by which ops are sorted, or the signed mean if the size is unknown.
std::string impact_of(const queries::OpRow& op) {
  if (op.loss_impact_size || !op.loss_impact) return text::shown(op.loss_impact_size, text::scientific);
  return text::signed_scientific(*op.loss_impact);
}

Cell impact_cell(const OpLine& line) {
  const queries::OpRow& op = line.row;
  if (!op.gradient_impact_size) return {impact_of(op)};
  const text::Tone tone = op.gradient_impact_is_ranking_only ? text::Tone::Faint : text::Tone::Plain;
  return {text::scientific(*op.gradient_impact_size), tone};
}

/// Appends sentences that explain the column E (expected impact) for backward ops.
void say_gradient_impact(const std::vector<queries::OpRow>& ops, std::vector<Sentence>& said) {
  const auto is_known = [](const queries::OpRow& op) { return op.gradient_impact_size.has_value(); };
  const auto only_ranks = [](const queries::OpRow& op) { return op.gradient_impact_is_ranking_only; };
  if (std::ranges::none_of(ops, is_known)) return;
  said.push_back({"E of backward ops is their step impact: the change of the loss decrease per step."});
  if (std::ranges::any_of(ops, only_ranks)) {
    said.push_back(
        {"Ranking only: ampprof does not know how the update depends on gradients, so only the order of these step "
         "impacts is meaningful.",
         text::Tone::Attention});
  }
}

/// Describes the order of ops that analysis::matters_more() defines.
std::string order_of(const std::vector<queries::OpRow>& ops) {
  if (ops.empty()) return "";
  if (analysis::orders_by_impact(ops)) {
    return "Sorted by E, the expected (RMS) loss impact per step. Rows whose local error is NaN or inf come first; "
           "rows without E come last, sorted by local error.";
  }
  return "Sorted by local error, which says little about the effect on the loss. Record with --impact to sort by loss "
         "impact.";
}

/// Returns a data member of an op's `Statistics`, or the result of a member function; empty for an op without
/// `Statistics`.
template <auto Statistics, auto Member>
auto statistic_of(const OpLine& line) {
  const auto& statistics = line.row.*Statistics;
  using Type = std::remove_cvref_t<decltype(std::invoke(Member, *statistics))>;
  return statistics ? std::optional<Type>(std::invoke(Member, *statistics)) : std::nullopt;
}

template <auto Statistics, auto Member>
Value value_in(const OpLine& line) {
  return value_of(statistic_of<Statistics, Member>(line));
}

OpColumns place_columns() {
  return {run_id<OpLine>(),
          run_level<OpLine>(),
          site_name<OpLine>(),
          site_phase<OpLine>(),
          site_module<OpLine>(),
          site_op<OpLine>(),
          site_source<OpLine>("input_shapes"),
          number_column<OpLine>({"calls", "Number of op calls."}, [](const OpLine& line) { return line.row.calls; },
                                "calls", text::count, {.spare = 2}),
          {.key = "input_shapes",
           .about = "Types and shapes of the most frequent arguments, in the order of the op's arguments, then "
                    "attributes. Ops that Tensor Core rules judge also have strides (f16[64,33]{40,1}) and the "
                    "alignment of an address below 16 bytes (f16[64,33]@2).",
           .value = [](const OpLine& line) { return known(line.row.signature); },
           .title = "inputs",
           .cell = [](const OpLine& line) { return text_cell(line.row.signature); },
           .flexible = true,
           .spare = 9,
           .behind = "cast_bytes"},
          {.key = "dtype_in",
           .about = "Type of the inputs.",
           .value = [](const OpLine& line) { return known(line.row.dtype_in); }},
          {.key = "dtype_out",
           .about = "Type of the output.",
           .value = [](const OpLine& line) { return known(line.row.dtype_out); },
           .title = "type",
           .cell = [](const OpLine& line) -> Cell { return {types_of(line)}; }}};
}

OpColumns cost_columns() {
  return {
      number_column<OpLine>({"cpu_us", "CPU time of all calls."}, [](const OpLine& line) { return line.row.cpu_us; },
                            "CPU time", text::microseconds, {.spare = 6, .behind = "scale"}),
      {.key = "cpu_us_per_call",
       .about = "Mean CPU time of a call.",
       .value = [](const OpLine& line) { return value_of(line.row.cpu_us_per_call()); }},
      number_column<OpLine>({"gpu_us", "GPU time of all activities that the calls launched."},
                            [](const OpLine& line) { return line.row.gpu_us; }, "GPU time", text::microseconds,
                            {.spare = 6, .behind = "cpu_us"}),
      number_column<OpLine>({"cast_bytes", "Bytes that AMP's casts wrote for the calls of the row."},
                            [](const OpLine& line) { return line.row.cast_bytes; }, "cast", text::bytes,
                            {.spare = 8, .behind = "gpu_us"})};
}

/// Title and format in tables of a metric of the local error. Metrics without a MetricLook are only in JSON and CSV.
struct MetricLook {
  std::string_view key;
  const char* title;
  std::string (*show)(double);
  int spare = 0;
  const char* behind = "";
};

constexpr MetricLook kMetricLooks[]{{"local_rel_l2", "local error", text::scientific},
                                    {"local_max_ulp", "max ulp", text::number, 4, "loss_impact_size"}};

ColumnOf<OpLine> column_of(const ErrorMetric& figure) {
  const auto figure_of = [of = figure.of](const OpLine& line) {
    return line.row.local ? std::optional(of(*line.row.local)) : std::nullopt;
  };
  const auto look = std::ranges::find(kMetricLooks, figure.key, &MetricLook::key);
  if (look == std::end(kMetricLooks)) {
    return {.key = std::string(figure.key),
            .about = std::string(figure.about),
            .unit = std::string(figure.unit),
            .value = [figure_of](const OpLine& line) { return value_of(figure_of(line)); }};
  }
  return number_column<OpLine>({std::string(figure.key), std::string(figure.about), std::string(figure.unit)},
                               figure_of, look->title, look->show, {look->spare, look->behind});
}

OpColumns error_columns() {
  OpColumns columns;
  std::ranges::transform(kErrorMetrics, std::back_inserter(columns), column_of);
  columns.push_back(number_column<OpLine>(
      {"inherited_rel_l2", "Accumulated error: relative L2 distance from the step in exact arithmetic (--inherited)."},
      statistic_of<&queries::OpRow::inherited, &ErrorStats::relative_l2>, "accumulated", text::scientific));
  return columns;
}

OpColumns range_columns() {
  constexpr auto kRanges = &queries::OpRow::ranges;
  return {
      number_column<OpLine>({"nonfinite", "Number of output elements that are NaN or inf."},
                            statistic_of<kRanges, &RangeStats::nonfinite>, "NaN/inf", text::count,
                            {.tone = text::Tone::Bad}),
      number_column<OpLine>({"flushed", "Number of output elements that are 0 but not 0 in the reference."},
                            statistic_of<&queries::OpRow::local, &ErrorStats::flushed>, "flushed", text::count,
                            {.spare = 1, .tone = text::Tone::Attention}),
      number_column<OpLine>({"rounds_to_inf", "Number of reference elements that FP16 rounds to inf: |x| >= 65520."},
                            statistic_of<kRanges, &RangeStats::rounds_to_inf>, "over FP16", text::count,
                            {.spare = 5, .tone = text::Tone::Attention}),
      {.key = "rounds_to_zero",
       .about = "Number of reference elements that FP16 rounds to 0: 0 < |x| <= 2^-25.",
       .value = value_in<kRanges, &RangeStats::rounds_to_zero>},
      {.key = "subnormal",
       .about =
           "Number of reference elements below FP16's normal range, 0 < |x| < 2^-14. They lose bits or round to 0.",
       .value = value_in<kRanges, &RangeStats::subnormal>},
      number_column<OpLine>({"amax", "Largest finite magnitude of the output, divided by the loss scale."},
                            statistic_of<kRanges, &RangeStats::amax>, "amax", text::number, {.spare = 3})};
}

OpColumns loss_columns() {
  return {
      number_column<OpLine>({"scale", "Last loss scale in force. Magnitudes of the row are divided by it."},
                            [](const OpLine& line) { return line.row.scale; }, "scale", text::plain, {.spare = 7}),
      {.key = "loss_impact",
       .about = "Mean loss impact per step: change of the loss due to the errors of the row's calls.",
       .value = [](const OpLine& line) { return value_of(line.row.loss_impact); }},
      {.key = "loss_impact_rms",
       .about = "Root mean square of `loss_impact` over steps. Null if several impacts were added.",
       .value = [](const OpLine& line) { return value_of(line.row.loss_impact_rms); }},
      {.key = "loss_impact_size",
       .about = "E: expected loss impact per step, root mean square.",
       .value = [](const OpLine& line) { return value_of(line.row.loss_impact_size); },
       .title = "E",
       .cell = impact_cell,
       .align = Align::Right,
       .behind = "inherited_rel_l2"},
      {.key = "gradient_impact",
       .about = "Step impact: change of the loss decrease per step due to the errors of a backward op. Negative: the "
                "loss decreases less.",
       .value = [](const OpLine& line) { return value_of(line.row.gradient_impact); }},
      {.key = "gradient_impact_size",
       .about =
           "Expected size (root mean square) of `gradient_impact`. Tables show it in the column E of backward ops.",
       .value = [](const OpLine& line) { return value_of(line.row.gradient_impact_size); }},
      {.key = "gradient_impact_share",
       .about = "Sum of the gradient impacts divided by the sum of the loss decreases in the same steps.",
       .value = [](const OpLine& line) { return value_of(line.row.gradient_impact_share); }},
      {.key = "gradient_impact_is_ranking_only",
       .about =
           "True if only the order of step impacts is meaningful, because the derivative of the update is not known.",
       .value = [](const OpLine& line) -> Value { return line.row.gradient_impact_is_ranking_only; }}};
}

OpColumns all_columns() {
  OpColumns columns = joined({place_columns(), cost_columns(), error_columns(), range_columns(), loss_columns()});
  append(columns, without_cells(verdict_columns()));
  columns.push_back(call_sites<OpLine>());
  return columns;
}

const ViewOf<OpLine>& ops() {
  static const ViewOf<OpLine> kView{
      .name = "ops",
      .columns = all_columns(),
      .none = "No op call matches.",
      .notes =
          "Tables shorten the phase of a call site: `bwd conv1/convolution_backward` is backward, `opt` is optimizer "
          "and `eval` is inference. A call site without a mark is forward."};
  return kView;
}

}  // namespace

std::string short_site(const std::string& call_site, Phase phase) {
  std::string site = text::printable(call_site);
  const std::string word(name_of(phase));
  if (!site.starts_with(word + ' ')) return site;
  return site.replace(0, word.size(), short_name(phase));
}

std::string short_site(const queries::OpRow& op) { return short_site(op.call_site, op.phase); }

std::string type_name(DType type, std::int64_t call_sites) {
  return type == DType::Unknown && call_sites > 1 ? "mixed" : std::string(short_name(type));
}

Json to_json(const queries::OpRow& op, const analysis::Targets& targets) {
  return json_of(ops().columns, OpLine{{op, 1}, {targets.verdict(op)}});
}

View ops_view(const std::vector<queries::OpRow>& rows, const analysis::Targets& targets,
              const std::optional<analysis::Grouping>& grouping) {
  std::string order = order_of(rows);
  std::vector<Sentence> said;
  if (analysis::orders_by_impact(rows)) say_gradient_impact(rows, said);
  auto groups = analysis::grouped(rows, grouping);
  std::ranges::stable_sort(groups, analysis::matters_more, &analysis::Group<queries::OpRow>::row);
  std::vector<OpLine> lines;
  for (analysis::Group<queries::OpRow>& group : groups) {
    auto verdict = targets.verdict(group.row);
    lines.push_back({std::move(group), {std::move(verdict)}});
  }
  auto hidden = hidden_without(grouping);
  const bool saw_gpu = std::ranges::any_of(lines, [](const OpLine& line) { return line.row.gpu_us.has_value(); });
  if (!saw_gpu) hidden.emplace_back("gpu_us");
  View view = view_of(ops(), lines, hidden);
  view.order = std::move(order);
  view.said = std::move(said);
  if (rows.empty()) {
    view.none = "The report holds no op call.";
    view.remedy = "For the reason, see the view missing.";
  }
  return view;
}

}  // namespace ampprof::views
