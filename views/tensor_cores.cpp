// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/executed.h"
#include "analysis/group.h"
#include "analysis/targets.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/format.h"
#include "views/probes.h"
#include "views/views.h"

namespace ampprof::views {
namespace {

struct Judged {
  OpRow op;
  std::int64_t call_sites;
  rules::TensorCoreVerdict verdict;
  std::optional<analysis::ProbeFigures> figures;
};

// What can be mended comes first: sizes, then types, then what cannot be helped, then what is well.
int order_of(const rules::TensorCoreVerdict& verdict) {
  if (verdict.rule_today == rules::RuleToday::Inefficient) return 0;
  if (!verdict.dtype_ok) return 1;
  return verdict.rule_today == rules::RuleToday::NotEligible ? 2 : 3;
}

text::Tone tone_of(rules::RuleToday rule) {
  switch (rule) {
    case rules::RuleToday::Efficient:
      return text::Tone::Good;
    case rules::RuleToday::Inefficient:
      return text::Tone::Attention;
    case rules::RuleToday::NotEligible:
      return text::Tone::Bad;
  }
  return text::Tone::Plain;
}

std::string text_of(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string or_absent(const std::string& text) {
  return text.empty() ? std::string(text::kAbsent) : text::printable(text);
}

bool is_by_cublaslt(const rules::TensorCoreVerdict& verdict) { return verdict.evidence.starts_with("cublasLt"); }

Cell executed_cell(const rules::TensorCoreVerdict& verdict) {
  const std::string by = is_by_cublaslt(verdict) ? " (cublasLt)" : "";
  if (verdict.executed == kernel_names::Executed::Used) return {"used" + by, text::Tone::Good};
  if (verdict.executed == kernel_names::Executed::Unknown) return {"unknown"};
  const bool is_fp16 = verdict.executed == kernel_names::Executed::Fp16NotTensorCore;
  return {(is_fp16 ? "FP16, not used" : "not used") + by, text::Tone::Attention};
}

std::vector<Cell> cells_of(const Judged& judged) {
  const auto& [op, call_sites, verdict, figures] = judged;
  std::vector<Cell> cells{
      {text::printable(op.level.empty() ? std::to_string(op.run) : op.level), text::Tone::Strong},
      {short_site(op)},
      {text::count(op.calls)},
      {std::string(short_name(op.dtype_out)), verdict.dtype_ok ? text::Tone::Good : text::Tone::Bad},
      {text_of(name_of(verdict.rule_today)), tone_of(verdict.rule_today)},
      {text_of(name_of(verdict.rule_2018))},
      executed_cell(verdict),
      {or_absent(verdict.offending)},
      {or_absent(verdict.padded)},
      {verdict.padded.empty() ? std::string(text::kAbsent) : "+" + text::percent(verdict.padding_cost)},
      {text::shown(verdict.padded_extra_flops, text::number)},
      {text::shown(verdict.padded_extra_bytes, text::bytes)},
      {verdict.tiling ? text::percent(verdict.tiling->tile_fill) : std::string(text::kAbsent)},
      {text::shown(verdict.tiling ? verdict.tiling->waves : std::nullopt, text::number)},
      {analysis::dimensions_of(verdict)},
      {verdict.target_gpu}};
  std::ranges::move(probe_cells(figures), std::back_inserter(cells));
  return cells;
}

Json to_json(const Judged& judged, const ProbeAlgorithm* algorithm) {
  const auto& [op, call_sites, verdict, figures] = judged;
  Json json{{"run", op.run},
            {"level", text_or_null(op.level)},
            {"call_site", op.call_site},
            {"phase", name_of(op.phase)},
            {"module", op.module},
            {"op", op.op},
            {"calls", op.calls},
            {"input_shapes", text_or_null(op.signature)}};
  json["tensor_core"] = views::to_json(verdict);
  json["call_sites"] = call_sites;
  json["cublaslt"] = cublaslt_json(algorithm);
  json["probe"] = probe_json(figures);
  return json;
}

std::string_view name_of(rules::Grade grade) {
  switch (grade) {
    case rules::Grade::Hint:
      return "hint";
    case rules::Grade::Inefficient:
      return "inefficient";
    case rules::Grade::NotEligible:
      break;
  }
  return "not_eligible";
}

Json to_json(const rules::Finding& finding) {
  return {{"rule", finding.rule},
          {"age", finding.age == rules::RuleAge::Today ? "today" : "2018"},
          {"grade", name_of(finding.grade)},
          {"reason", finding.reason}};
}

std::vector<Column> matmul_columns() {
  std::vector<Column> columns{
      {.title = "run", .key = "level"},
      {.title = "call site", .flexible = true, .key = "call_site"},
      {.title = "calls", .align = Align::Right, .spare = 4, .key = "calls"},
      {"type"},
      {.title = "today", .key = "tensor_core.rule_today"},
      {.title = "rule of 2018", .spare = 2, .key = "tensor_core.rule_2018"},
      {.title = "ran on them", .spare = 3, .key = "tensor_core.executed"},
      {.title = "offending", .flexible = true, .key = "tensor_core.offending"},
      {.title = "pad to", .flexible = true, .key = "tensor_core.padded"},
      {.title = "cost", .align = Align::Right, .spare = 1, .key = "tensor_core.padding_cost"},
      {.title = "FLOP", .align = Align::Right, .spare = 6, .key = "tensor_core.padded_extra_flops"},
      {.title = "memory", .align = Align::Right, .spare = 7, .key = "tensor_core.padded_extra_bytes"},
      {.title = "tile fill", .align = Align::Right, .spare = 8, .key = "tensor_core.tile_fill"},
      {.title = "waves", .align = Align::Right, .spare = 9, .key = "tensor_core.waves"},
      {.title = "dimensions", .flexible = true, .spare = 5},
      {.title = "GPU", .spare = 3, .key = "tensor_core.target_gpu"}};
  std::ranges::move(probe_columns(), std::back_inserter(columns));
  return columns;
}

std::vector<std::string> matmul_keys() {
  return with_tensor_core_keys({"run", "level", "call_site", "phase", "module", "op", "calls", "input_shapes"});
}

}  // namespace

Json to_json(const rules::TensorCoreVerdict& verdict) {
  Json dims = Json::object();
  for (const auto& [name, size] : verdict.dims) dims[name] = size;
  Json findings = Json::array();
  for (const rules::Finding& finding : verdict.findings) findings.push_back(to_json(finding));
  const auto& tiling = verdict.tiling;
  return {{"dims", dims},
          {"dtype_ok", verdict.dtype_ok},
          {"rule_2018", name_of(verdict.rule_2018)},
          {"rule_today", name_of(verdict.rule_today)},
          {"offending", text_or_null(verdict.offending)},
          {"padded", text_or_null(verdict.padded)},
          {"padding_cost", verdict.padded.empty() ? Json() : exact(verdict.padding_cost)},
          {"padded_extra_flops", exact(verdict.padded_extra_flops)},
          {"padded_extra_bytes", exact(verdict.padded_extra_bytes)},
          {"tile_fill", tiling ? exact(tiling->tile_fill) : Json()},
          {"waves", tiling ? exact(tiling->waves) : Json()},
          {"tail_share", tiling ? exact(tiling->tail_share) : Json()},
          {"findings", findings},
          {"reason", text_or_null(verdict.reason)},
          {"executed", name_of(verdict.executed)},
          {"evidence", verdict.evidence},
          {"target_gpu", verdict.target_gpu}};
}

std::vector<std::string> with_tensor_core_keys(std::vector<std::string> keys) {
  for (const char* key : {"dims", "dtype_ok", "rule_2018", "rule_today", "offending", "padded", "padding_cost",
                          "padded_extra_flops", "padded_extra_bytes", "tile_fill", "waves", "tail_share", "findings",
                          "reason", "executed", "evidence", "target_gpu"}) {
    keys.push_back(std::string("tensor_core.") + key);
  }
  keys.emplace_back("call_sites");
  return keys;
}

View tensor_cores_view(std::vector<OpRow> ops, const analysis::Targets& targets,
                       const std::optional<analysis::Grouping>& grouping) {
  std::vector<Judged> judged;
  for (analysis::Group<OpRow>& group : analysis::grouped(std::move(ops), grouping, analysis::Sizes::Apart)) {
    if (auto verdict = targets.verdict(group.row)) {
      auto figures = targets.figures(group.row);
      judged.push_back({std::move(group.row), group.call_sites, std::move(*verdict), std::move(figures)});
    }
  }
  std::stable_sort(judged.begin(), judged.end(),
                   [](const Judged& a, const Judged& b) { return order_of(a.verdict) < order_of(b.verdict); });
  View view{.name = "tensor-cores",
            .keys = matmul_keys(),
            .columns = matmul_columns(),
            .records = {},
            .none = "The report holds no GEMM, no convolution and no recurrent network."};
  view.keys.insert(view.keys.end(), probe_keys().begin(), probe_keys().end());
  for (const Judged& entry : judged) {
    view.records.push_back({to_json(entry, targets.algorithm(entry.op)), cells_of(entry)});
  }
  const bool says_what_ran =
      std::ranges::any_of(judged, [](const Judged& entry) { return entry.op.gpu_us || is_by_cublaslt(entry.verdict); });
  if (!says_what_ran) remove_column(view, "ran on them");
  if (std::ranges::none_of(judged, [](const Judged& entry) { return entry.figures.has_value(); })) {
    for (const Column& column : probe_columns()) remove_column(view, column.title);
  }
  if (grouping) add_site_column(view, 1);
  return view;
}

}  // namespace ampprof::views
