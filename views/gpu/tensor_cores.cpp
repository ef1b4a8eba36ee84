// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "analysis/ops/targets.h"
#include "reports/queries/ops.h"
#include "reports/records/dtype.h"
#include "reports/text/numbers.h"
#include "views/gpu/views.h"
#include "views/ops/site_columns.h"
#include "views/ops/verdict_columns.h"
#include "views/recipes/probes.h"

namespace ampprof::views {
namespace {

struct MatmulLine : analysis::Group<queries::OpRow>, WithVerdict, Probed {};

// Returns the sort key of a row: 0 for a matmul in a reduced type that cannot use Tensor Cores, 1 for unsuitable sizes,
// 2 for an FP32 matmul (mostly of O0), 3 for an embedding (it multiplies nothing), 4 for an efficient matmul.
int order_of(const MatmulLine& line) {
  const rules::TensorCoreVerdict& verdict = *line.verdict;
  if (analysis::cannot_use_tensor_cores(verdict)) return line.row.dtype_out == DType::Float ? 2 : 0;
  if (verdict.rule_today == rules::RuleToday::Inefficient) return 1;
  return rules::is_embedding(verdict) ? 3 : 4;
}

std::vector<ColumnOf<MatmulLine>> matmul_columns() {
  std::vector<ColumnOf<MatmulLine>> columns{
      run_id<MatmulLine>(),
      run_level<MatmulLine>(),
      site_name<MatmulLine>(),
      site_phase<MatmulLine>(),
      site_module<MatmulLine>(),
      site_op<MatmulLine>(),
      site_source<MatmulLine>(),
      number_column<MatmulLine>({"calls", "Number of op calls."}, [](const MatmulLine& line) { return line.row.calls; },
                                "calls", text::count, {.spare = 4}),
      {.key = "input_shapes",
       .about = "Types and shapes of the arguments, then attributes.",
       .value = [](const MatmulLine& line) { return known(line.row.signature); }},
      {.about = "Type of the output.", .title = "type", .cell = [](const MatmulLine& line) -> Cell {
         return {std::string(short_name(line.row.dtype_out)),
                 line.verdict->dtype_ok ? text::Tone::Good : text::Tone::Bad};
       }}};
  append(columns, verdict_columns());
  columns.push_back(call_sites<MatmulLine>());
  append(columns, cublaslt_columns());
  append(columns, probe_columns());
  return columns;
}

const ViewOf<MatmulLine>& matmuls() {
  static const ViewOf<MatmulLine> kView{.name = "tensor-cores",
                                        .columns = matmul_columns(),
                                        .none = "The report holds no GEMM, no convolution and no recurrent network."};
  return kView;
}

/// Returns the keys of columns that tables omit, because no line has a value or because they need a grouping.
std::vector<std::string_view> hidden_in(const std::vector<MatmulLine>& lines,
                                        const std::optional<analysis::Grouping>& grouping) {
  auto hidden = hidden_without(grouping);
  const bool says_what_ran = std::ranges::any_of(
      lines, [](const MatmulLine& line) { return line.row.gpu_us || is_by_cublaslt(*line.verdict); });
  if (!says_what_ran) hidden.emplace_back("tensor_core.executed");
  if (std::ranges::all_of(lines, [](const MatmulLine& line) { return line.verdict->why.empty(); })) {
    hidden.emplace_back("tensor_core.why");
  }
  if (std::ranges::none_of(lines, [](const MatmulLine& line) { return line.figures.has_value(); })) {
    for (const auto& column : matmuls().columns) {
      if (column.key.starts_with("probe.")) hidden.push_back(column.key);
    }
  }
  return hidden;
}

}  // namespace

View tensor_cores_view(const std::vector<queries::OpRow>& ops, const analysis::Targets& targets,
                       const std::optional<analysis::Grouping>& grouping) {
  std::vector<MatmulLine> lines;
  for (analysis::Group<queries::OpRow>& group : analysis::grouped(ops, grouping, analysis::Sizes::Apart)) {
    if (auto verdict = targets.verdict(group.row)) {
      Probed probed{targets.algorithm(group.row), targets.figures(group.row)};
      lines.push_back({std::move(group), {std::move(verdict)}, std::move(probed)});
    }
  }
  std::ranges::stable_sort(lines, {}, order_of);
  return view_of(matmuls(), lines, hidden_in(lines, grouping));
}

}  // namespace ampprof::views
