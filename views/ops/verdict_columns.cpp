// SPDX-License-Identifier: Apache-2.0
#include "views/ops/verdict_columns.h"

#include <string>
#include <string_view>
#include <utility>

#include "analysis/ops/targets.h"
#include "reports/text/numbers.h"
#include "views/ops/site_columns.h"
#include "views/table/format.h"

namespace ampprof::views {
namespace {

using rules::TensorCoreVerdict;

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

Cell executed_cell(const TensorCoreVerdict& verdict) {
  using kernel_names::Executed;
  const std::string by = is_by_cublaslt(verdict) ? " (cublasLt)" : "";
  if (verdict.executed == Executed::Used) return {"used" + by, text::Tone::Good};
  if (verdict.executed == Executed::Unknown) return {"unknown"};
  return {(verdict.executed == Executed::Fp16NotTensorCore ? "FP16, not used" : "not used") + by,
          text::Tone::Attention};
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

Json dims_of(const TensorCoreVerdict& verdict) {
  Json dims = Json::object();
  for (const auto& [name, size] : verdict.dims) dims[name] = size;
  return dims;
}

Json findings_of(const TensorCoreVerdict& verdict) {
  Json findings = Json::array();
  for (const rules::Finding& finding : verdict.findings) {
    findings.push_back({{"rule", finding.rule},
                        {"age", finding.age == rules::RuleAge::Today ? "today" : "2018"},
                        {"grade", name_of(finding.grade)},
                        {"reason", finding.reason}});
  }
  return findings;
}

using V = TensorCoreVerdict;

bool can_gain_from_padding(const V& verdict) { return !verdict.padded.empty() && !rules::is_refused_for_type(verdict); }

/// Returns the cell of a text about sizes; absent if the op's type rules out Tensor Cores whatever the sizes are.
Cell size_cell(const V& verdict, const std::string& sizes) {
  return text_cell(rules::is_refused_for_type(verdict) ? "" : sizes);
}

/// Returns a column of the FLOPs or bytes that padding adds to a call; absent if padding gains nothing.
ColumnOf<V> extra_column(Named named, std::optional<double> V::*extra, std::string_view title,
                         std::string (*show)(double), int spare) {
  return number_column<V>(
      std::move(named),
      [extra](const V& verdict) { return can_gain_from_padding(verdict) ? verdict.*extra : std::nullopt; }, title, show,
      {.spare = spare});
}

/// A column whose values come from a verdict.
using Part = ColumnOf<V>;

ColumnOf<WithVerdict> column_of(const Part& part) {
  ColumnOf<WithVerdict> column{
      .key = part.key,
      .about = part.about,
      .unit = part.unit,
      .value = [value = part.value](const WithVerdict& line) { return line.verdict ? value(*line.verdict) : Value(); },
      .title = part.title,
      .align = part.align,
      .flexible = part.flexible,
      .spare = part.spare,
      .behind = part.behind};
  if (part.cell) {
    column.cell = [cell = part.cell](const WithVerdict& line) {
      return line.verdict ? cell(*line.verdict) : Cell{std::string(text::kAbsent)};
    };
  }
  return column;
}

const Part kRules[]{{.key = "tensor_core.dims",
                     .about = "Sizes of the matmul by name: M, N, K.",
                     .value = [](const V& verdict) -> Value { return dims_of(verdict); },
                     .title = "dimensions",
                     .cell = [](const V& verdict) -> Cell { return {analysis::dimensions_of(verdict)}; },
                     .flexible = true,
                     .spare = 5,
                     .behind = "tensor_core.waves"},
                    {.key = "tensor_core.dtype_ok",
                     .about = "True if Tensor Cores compute in this type.",
                     .value = [](const V& verdict) -> Value { return verdict.dtype_ok; }},
                    {.key = "tensor_core.rule_2018",
                     .about = "Verdict of the rules of 2018: efficient, inefficient or not_eligible.",
                     .value = [](const V& verdict) -> Value { return std::string(rules::name_of(verdict.rule_2018)); },
                     .title = "rule of 2018",
                     .cell = [](const V& verdict) -> Cell { return {words_of(rules::name_of(verdict.rule_2018))}; },
                     .spare = 2,
                     .behind = "tensor_core.rule_today"},
                    {.key = "tensor_core.rule_today",
                     .about = "Verdict of today's rules: efficient, inefficient or not_eligible.",
                     .value = [](const V& verdict) -> Value { return std::string(rules::name_of(verdict.rule_today)); },
                     .title = "today",
                     .cell = [](const V& verdict) -> Cell {
                       return {words_of(rules::name_of(verdict.rule_today)), tone_of(verdict.rule_today)};
                     }},
                    {.key = "tensor_core.offending",
                     .about = "Sizes and layouts that break a rule. Tables omit them if the type is the obstacle.",
                     .value = [](const V& verdict) { return known(verdict.offending); },
                     .title = "offending",
                     .cell = [](const V& verdict) { return size_cell(verdict, verdict.offending); },
                     .flexible = true,
                     .spare = 1}};

const Part kPadding[]{
    {.key = "tensor_core.padded",
     .about = "Sizes to pad to, such as K = 40. Tables omit them if the type is the obstacle.",
     .value = [](const V& verdict) { return known(verdict.padded); },
     .title = "pad to",
     .cell = [](const V& verdict) { return size_cell(verdict, verdict.padded); },
     .flexible = true},
    {.key = "tensor_core.padding_cost",
     .about =
         "Share of multiplications that padding adds: 0.25 for a quarter more. Absent if the type is the obstacle.",
     .unit = "share",
     .value = [](const V& verdict) { return can_gain_from_padding(verdict) ? Value(verdict.padding_cost) : Value(); },
     .title = "cost",
     .cell = [](const V& verdict) -> Cell {
       if (!can_gain_from_padding(verdict)) return {std::string(text::kAbsent)};
       return {"+" + text::percent(verdict.padding_cost)};
     },
     .align = Align::Right},
    extra_column({"tensor_core.padded_extra_flops", "FLOPs that padding adds to a call.", "FLOP"},
                 &V::padded_extra_flops, "FLOP", text::number, 6),
    extra_column({"tensor_core.padded_extra_bytes", "Memory that padding adds to a call."}, &V::padded_extra_bytes,
                 "memory", text::bytes, 7)};

const Part kTiling[]{
    number_column<V>(
        {"tensor_core.tile_fill", "Estimated share of the tiles' elements that belong to the result.", "share"},
        [](const V& verdict) { return verdict.tiling ? std::optional(verdict.tiling->tile_fill) : std::nullopt; },
        "tile fill", text::percent, {.spare = 8}),
    number_column<V>({"tensor_core.waves", "Estimated number of tiles per multiprocessor: 1 fills the GPU once."},
                     [](const V& verdict) { return verdict.tiling ? verdict.tiling->waves : std::nullopt; }, "waves",
                     text::number, {.spare = 9}),
    {.key = "tensor_core.tail_share",
     .about = "Estimated share of multiprocessors, over all waves, that get no tile.",
     .value = [](const V& verdict) { return verdict.tiling ? value_of(verdict.tiling->tail_share) : Value(); }}};

const Part kEvidence[]{
    {.key = "tensor_core.findings",
     .about = "Rules that apply: `rule`, `age` (today, 2018), `grade` (hint, inefficient, "
              "not_eligible) and `reason`.",
     .value = [](const V& verdict) -> Value { return findings_of(verdict); }},
    {.key = "tensor_core.reason",
     .about = "Reason for the verdict.",
     .value = [](const V& verdict) { return known(verdict.reason); }},
    {.key = "tensor_core.executed",
     .about = "Whether Tensor Cores were used: used, not_used, fp16_not_tc or unknown.",
     .value = [](const V& verdict) -> Value { return std::string(kernel_names::name_of(verdict.executed)); },
     .title = "Tensor Cores used",
     .cell = executed_cell,
     .spare = 3,
     .behind = "tensor_core.rule_2018"},
    {.key = "tensor_core.evidence",
     .about = "Source of `executed`: the rule that read a kernel's name, or cublasLt if no kernel was recorded.",
     .value = [](const V& verdict) -> Value { return verdict.evidence; }},
    {.key = "tensor_core.target_gpu",
     .about = "GPU that the rules are judged for.",
     .value = [](const V& verdict) -> Value { return verdict.target_gpu; },
     .title = "GPU",
     .cell = [](const V& verdict) -> Cell { return {verdict.target_gpu}; },
     .spare = 3,
     .behind = "tensor_core.dims"},
    {.key = "tensor_core.why",
     .about = "Short reason why Tensor Cores cannot be used: the type, or the kind of op.",
     .value = [](const V& verdict) { return known(verdict.why); },
     .title = "why",
     .cell = [](const V& verdict) { return text_cell(verdict.why); },
     .flexible = true,
     .behind = "tensor_core.rule_today"}};

}  // namespace

bool is_by_cublaslt(const TensorCoreVerdict& verdict) { return verdict.evidence.starts_with("cublasLt"); }

std::vector<ColumnOf<WithVerdict>> verdict_columns() {
  std::vector<ColumnOf<WithVerdict>> columns;
  for (const Part& part : kRules) columns.push_back(column_of(part));
  for (const Part& part : kPadding) columns.push_back(column_of(part));
  for (const Part& part : kTiling) columns.push_back(column_of(part));
  for (const Part& part : kEvidence) columns.push_back(column_of(part));
  return columns;
}

}  // namespace ampprof::views
