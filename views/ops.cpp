// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/group.h"
#include "analysis/op_figures.h"
#include "analysis/targets.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/format.h"
#include "views/views.h"

namespace ampprof::views {
namespace {

void add_error(Json& json, const OpRow& op) {
  const auto& local = op.local;
  json["local_rel_l2"] = local ? exact(local->relative_l2()) : Json();
  json["local_max_abs"] = local ? exact(local->max_abs) : Json();
  json["local_max_ulp"] = local ? exact(local->max_ulp) : Json();
  json["local_mean_ulp"] = local ? exact(local->mean_ulp()) : Json();
  json["local_cosine"] = local ? exact(local->cosine()) : Json();
  json["inherited_rel_l2"] = op.inherited ? exact(op.inherited->relative_l2()) : Json();
}

void add_ranges(Json& json, const OpRow& op) {
  const auto& ranges = op.ranges;
  json["nonfinite"] = ranges ? Json(ranges->nonfinite) : Json();
  json["flushed"] = op.local ? Json(op.local->flushed) : Json();
  json["rounds_to_inf"] = ranges ? Json(ranges->rounds_to_inf) : Json();
  json["rounds_to_zero"] = ranges ? Json(ranges->rounds_to_zero) : Json();
  json["subnormal"] = ranges ? Json(ranges->subnormal) : Json();
  json["amax"] = ranges ? exact(ranges->amax) : Json();
}

Json name_or_null(DType dtype) { return dtype == DType::Unknown ? Json() : Json(short_name(dtype)); }

std::string types_of(const analysis::Group<OpRow>& group) {
  const std::string in = type_name(group.row.dtype_in, group.call_sites);
  const std::string out = type_name(group.row.dtype_out, group.call_sites);
  return in == out ? in : in + ">" + out;
}

// The mean where the root mean square is not known, as of several call sites.
std::string impact_of(const OpRow& op) {
  if (op.loss_impact && !op.loss_impact_rms)
    return (*op.loss_impact > 0 ? "+" : "") + text::scientific(*op.loss_impact);
  return text::shown(op.loss_impact_rms, text::scientific);
}

Cell bad_if_any(const std::optional<std::int64_t>& n, text::Tone tone) {
  return {text::shown(n, text::count), n.value_or(0) > 0 ? tone : text::Tone::Plain};
}

std::vector<Cell> cells_of(const analysis::Group<OpRow>& group) {
  const OpRow& op = group.row;
  const auto& local = op.local;
  const auto& ranges = op.ranges;
  const auto of_ranges = [&](std::int64_t RangeStats::*member) {
    return ranges ? std::optional((*ranges).*member) : std::nullopt;
  };
  return {{text::printable(op.level.empty() ? std::to_string(op.run) : op.level), text::Tone::Strong},
          {short_site(op)},
          {text::count(op.calls)},
          {types_of(group)},
          {local ? text::scientific(local->relative_l2()) : std::string(text::kAbsent)},
          {op.inherited ? text::scientific(op.inherited->relative_l2()) : std::string(text::kAbsent)},
          {impact_of(op)},
          {local ? text::number(local->max_ulp) : std::string(text::kAbsent)},
          bad_if_any(of_ranges(&RangeStats::nonfinite), text::Tone::Bad),
          bad_if_any(local ? std::optional(local->flushed) : std::nullopt, text::Tone::Attention),
          bad_if_any(of_ranges(&RangeStats::rounds_to_inf), text::Tone::Attention),
          {ranges ? text::number(ranges->amax) : std::string(text::kAbsent)},
          {text::shown(op.scale, text::plain)},
          {text::microseconds(op.cpu_us)},
          {text::shown(op.gpu_us, text::microseconds)},
          {text::bytes(static_cast<double>(op.cast_bytes))},
          {text::printable(op.signature.empty() ? text::kAbsent : op.signature)},
          {text::printable(op.source.empty() ? text::kAbsent : op.source)}};
}

const std::vector<Column>& op_columns() {
  static const std::vector<Column> kColumns{
      {.title = "run", .key = "level"},
      {.title = "call site", .flexible = true, .key = "call_site"},
      {.title = "calls", .align = Align::Right, .spare = 2, .key = "calls"},
      {.title = "type", .key = "dtype_out"},
      {.title = "rel error", .align = Align::Right, .key = "local_rel_l2"},
      {.title = "inherited", .align = Align::Right, .spare = 3, .key = "inherited_rel_l2"},
      {.title = "impact", .align = Align::Right, .spare = 1, .key = "loss_impact_rms"},
      {.title = "max ulp", .align = Align::Right, .spare = 4, .key = "local_max_ulp"},
      {.title = "NaN/inf", .align = Align::Right, .key = "nonfinite"},
      {.title = "flushed", .align = Align::Right, .spare = 1, .key = "flushed"},
      {.title = "over FP16", .align = Align::Right, .spare = 5, .key = "rounds_to_inf"},
      {.title = "amax", .align = Align::Right, .spare = 3, .key = "amax"},
      {.title = "scale", .align = Align::Right, .spare = 7, .key = "scale"},
      {.title = "CPU time", .align = Align::Right, .spare = 6, .key = "cpu_us"},
      {.title = "GPU time", .align = Align::Right, .spare = 6, .key = "gpu_us"},
      {.title = "cast", .align = Align::Right, .spare = 8, .key = "cast_bytes"},
      {.title = "inputs", .flexible = true, .spare = 9, .key = "input_shapes"},
      {.title = "source", .flexible = true, .spare = 10, .key = "source"}};
  return kColumns;
}

std::vector<std::string> op_keys() {
  return with_tensor_core_keys({"run",
                                "level",
                                "call_site",
                                "phase",
                                "module",
                                "op",
                                "source",
                                "calls",
                                "input_shapes",
                                "dtype_in",
                                "dtype_out",
                                "cpu_us",
                                "gpu_us",
                                "cast_bytes",
                                "local_rel_l2",
                                "local_max_abs",
                                "local_max_ulp",
                                "local_mean_ulp",
                                "local_cosine",
                                "inherited_rel_l2",
                                "nonfinite",
                                "flushed",
                                "rounds_to_inf",
                                "rounds_to_zero",
                                "subnormal",
                                "amax",
                                "scale",
                                "loss_impact",
                                "loss_impact_rms"});
}

std::string_view short_name(Phase phase) {
  switch (phase) {
    case Phase::Forward:
      return "";
    case Phase::Recompute:
      return "again";
    case Phase::Backward:
      return "bwd";
    case Phase::Optimizer:
      return "opt";
    case Phase::Inference:
      return "eval";
  }
  return "?";
}

}  // namespace

std::string short_site(const std::string& call_site, Phase phase) {
  std::string site = text::printable(call_site);
  const std::string word(name_of(phase));
  if (!site.starts_with(word + ' ')) return site;
  return site.replace(0, word.size(), short_name(phase));
}

std::string type_name(DType type, std::int64_t call_sites) {
  return type == DType::Unknown && call_sites > 1 ? "mixed" : std::string(short_name(type));
}

void add_site_column(View& view, std::size_t behind) {
  view.columns.insert(view.columns.begin() + static_cast<std::ptrdiff_t>(behind) + 1,
                      {.title = "sites", .align = Align::Right, .key = "call_sites"});
  for (auto& [json, cells, values] : view.records) {
    cells.insert(cells.begin() + static_cast<std::ptrdiff_t>(behind) + 1,
                 {text::count(json.at("call_sites").get<std::int64_t>())});
  }
}

void remove_column(View& view, const std::string& title) {
  const auto column = std::ranges::find(view.columns, title, &Column::title);
  const auto place = column - view.columns.begin();
  view.columns.erase(column);
  for (Record& record : view.records) record.cells.erase(record.cells.begin() + place);
}

Json to_json(const OpRow& op, const analysis::Targets& targets, std::int64_t call_sites) {
  Json json{{"run", op.run},
            {"level", text_or_null(op.level)},
            {"call_site", op.call_site},
            {"phase", name_of(op.phase)},
            {"module", op.module},
            {"op", op.op},
            {"source", text_or_null(op.source)},
            {"calls", op.calls},
            {"input_shapes", text_or_null(op.signature)},
            {"dtype_in", name_or_null(op.dtype_in)},
            {"dtype_out", name_or_null(op.dtype_out)},
            {"cpu_us", exact(op.cpu_us)},
            {"gpu_us", exact(op.gpu_us)},
            {"cast_bytes", op.cast_bytes}};
  add_error(json, op);
  add_ranges(json, op);
  json["scale"] = exact(op.scale);
  json["loss_impact"] = exact(op.loss_impact);
  json["loss_impact_rms"] = exact(op.loss_impact_rms);
  const auto verdict = targets.verdict(op);
  json["tensor_core"] = verdict ? to_json(*verdict) : Json();
  json["call_sites"] = call_sites;
  return json;
}

View ops_view(std::vector<OpRow> ops, const analysis::Targets& targets,
              const std::optional<analysis::Grouping>& grouping) {
  auto groups = analysis::grouped(std::move(ops), grouping);
  std::ranges::stable_sort(groups, analysis::has_larger_error, &analysis::Group<OpRow>::row);
  View view{.name = "ops", .keys = op_keys(), .columns = op_columns(), .records = {}, .none = "No op call matches."};
  for (const analysis::Group<OpRow>& group : groups) {
    view.records.push_back({to_json(group.row, targets, group.call_sites), cells_of(group)});
  }
  const bool saw_gpu =
      std::ranges::any_of(groups, [](const analysis::Group<OpRow>& group) { return group.row.gpu_us.has_value(); });
  if (!saw_gpu) remove_column(view, "GPU time");
  if (grouping) add_site_column(view, 1);
  return view;
}

}  // namespace ampprof::views
