// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "analysis/ops/executed.h"
#include "analysis/ops/group.h"
#include "precision/kernel_names/readable_name.h"
#include "reports/queries/gpu_activities.h"
#include "reports/records/dtype.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/gpu/views.h"
#include "views/ops/site_columns.h"
#include "views/ops/views.h"

namespace ampprof::views {
namespace {

struct Kernel : analysis::Group<queries::GpuActivityRow> {
  bool is_kernel;
  kernel_names::KernelFacts facts;  ///< meaningless if `is_kernel` is false
  double share;                     ///< share of the run's GPU time

  const queries::GpuActivityUse& use() const { return row.use; }
};

using KernelColumns = std::vector<ColumnOf<Kernel>>;
using Totals = std::map<std::int64_t, double>;  // GPU time in us by run

Totals totals_of(const std::vector<queries::GpuActivityRow>& activities) {
  Totals totals;
  for (const queries::GpuActivityRow& row : activities) totals[row.run] += row.use.gpu_us;
  return totals;
}

/// Returns `word`, which is derived from the name of a kernel; absent for memcpys and memsets.
Value of_kernel(const Kernel& kernel, std::string_view word) { return kernel.is_kernel ? known(word) : Value(); }

Value type_value(const std::optional<DType>& type) { return type ? Value(std::string(short_name(*type))) : Value(); }

Cell executed_cell(const Kernel& kernel) {
  if (!kernel.is_kernel || !analysis::can_multiply(kernel.facts)) return {std::string(text::kAbsent)};
  switch (kernel.facts.executed) {
    case kernel_names::Executed::Used:
      return {"used", text::Tone::Good};
    case kernel_names::Executed::NotUsed:
      return {"not used"};
    case kernel_names::Executed::Fp16NotTensorCore:
      return {"FP16, not used", text::Tone::Bad};
    case kernel_names::Executed::Unknown:
      break;
  }
  return {"unknown", text::Tone::Attention};
}

double mean_of(const Kernel& kernel) {
  return kernel.use().gpu_us / static_cast<double>(std::max<std::int64_t>(kernel.use().count, 1));
}

std::string name_in_tables(const Kernel& kernel) {
  return kernel.is_kernel ? kernel_names::short_name_of_kernel(kernel.use().name) : kernel.use().name;
}

KernelColumns name_columns() {
  return {run_id<Kernel>(),
          run_level<Kernel>(),
          {.key = "kernel",
           .about = "Demangled name of the kernel, or what a memcpy or memset does.",
           .value = [](const Kernel& kernel) -> Value { return kernel_names::readable_name(kernel.use().name); },
           .title = "kernel",
           .cell = [](const Kernel& kernel) -> Cell { return {text::printable(name_in_tables(kernel))}; },
           .flexible = true},
          {.key = "activity",
           .about = "Activity: kernel, memcpy or memset.",
           .value = [](const Kernel& kernel) -> Value { return std::string(name_of(kernel.use().kind)); }},
          {.key = "kind",
           .about = "What the kernel is for.",
           .value = [](const Kernel& kernel) { return of_kernel(kernel, name_of(kernel.facts.kind)); }},
          {.key = "executed",
           .about = "Whether Tensor Cores were used: used, not_used, fp16_not_tc or unknown.",
           .value = [](const Kernel& kernel) { return of_kernel(kernel, name_of(kernel.facts.executed)); },
           .title = "Tensor Cores",
           .cell = executed_cell},
          {.key = "evidence",
           .about = "Rule that derived the use of Tensor Cores from the kernel's name.",
           .value = [](const Kernel& kernel) { return known(kernel.facts.evidence); }},
          {.key = "confidence",
           .about = "Confidence of the rule that derived the use of Tensor Cores.",
           .value = [](const Kernel& kernel) { return of_kernel(kernel, name_of(kernel.facts.confidence)); }},
          {.key = "multiply",
           .about = "Type of the operands that are multiplied.",
           .value = [](const Kernel& kernel) { return type_value(kernel.facts.types.multiply); }},
          {.key = "accumulate",
           .about = "Type of the accumulator.",
           .value = [](const Kernel& kernel) { return type_value(kernel.facts.types.accumulate); },
           .title = "accumulator",
           .cell = [](const Kernel& kernel) -> Cell {
             const auto& type = kernel.facts.types.accumulate;
             return {std::string(type ? short_name(*type) : text::kAbsent)};
           },
           .spare = 2}};
}

KernelColumns use_columns() {
  return {number_column<Kernel>(
              {"count", "Number of activities."}, [](const Kernel& kernel) { return kernel.use().count; }, "count",
              text::count),
          number_column<Kernel>(
              {"gpu_us", "GPU time of all activities of the row."},
              [](const Kernel& kernel) { return kernel.use().gpu_us; }, "GPU time", text::microseconds),
          number_column<Kernel>({"share", "Share of the GPU time of the run."}, &Kernel::share, "share", text::percent),
          {.about = "Mean GPU time of an activity.",
           .title = "mean",
           .cell = [](const Kernel& kernel) -> Cell { return {text::microseconds(mean_of(kernel))}; },
           .align = Align::Right,
           .spare = 3},
          number_column<Kernel>(
              {"bytes", "Bytes that were copied or set. Null for a kernel."},
              [](const Kernel& kernel) { return kernel.is_kernel ? std::nullopt : std::optional(kernel.use().bytes); },
              "bytes", text::bytes, {.spare = 4})};
}

KernelColumns kernel_site_columns() {
  return {
      {.key = "call_site",
       .about = "Call site that launched most of the GPU time. Null if no op call launched it.",
       .value = [](const Kernel& kernel) { return known(kernel.row.call_site); },
       .title = "top call site",
       .cell = [](const Kernel& kernel) -> Cell {
         const auto& row = kernel.row;
         return {row.phase ? short_site(row.call_site, *row.phase) : "outside of ops"};
       },
       .flexible = true,
       .spare = 1},
      site_phase<Kernel>(),
      {.key = "module",
       .about = "Module path of the call site that launched most of the GPU time.",
       .value = [](const Kernel& kernel) { return kernel.row.call_site.empty() ? Value() : Value(kernel.row.module); }},
      {.key = "op",
       .about = "Op of the call site that launched most of the GPU time.",
       .value = [](const Kernel& kernel) { return known(kernel.row.op); }},
      site_source<Kernel>(),
      number_column<Kernel>({"call_sites", "Number of call sites that launched the activities of the row."},
                            &Kernel::call_sites, "sites", text::count, {.spare = 5}),
      {.key = "mangled",
       .about = "Mangled name of the kernel, as CUPTI reports it.",
       .value = [](const Kernel& kernel) -> Value { return kernel.use().name; }}};
}

const ViewOf<Kernel>& kernels() {
  static const ViewOf<Kernel> kView{
      .name = "kernels",
      .columns = joined({name_columns(), use_columns(), kernel_site_columns()}),
      .none = "No GPU activity matches.",
      .notes =
          "A row combines the GPU activities of one name in one run and phase. --op, --module and --phase select "
          "activities by the op calls that launched them; --group-by splits rows by the launching op calls."};
  return kView;
}

Kernel kernel_of(analysis::Group<queries::GpuActivityRow> group, const Totals& totals) {
  const bool is_kernel = group.row.use.kind == GpuActivityKind::Kernel;
  const double total = totals.at(group.row.run);
  const double share = total > 0.0 ? group.row.use.gpu_us / total : 0.0;
  auto facts = is_kernel ? kernel_names::classify_kernel(group.row.use.name) : kernel_names::KernelFacts{};
  return {std::move(group), is_kernel, facts, share};
}

}  // namespace

View kernels_view(std::vector<queries::GpuActivityRow> activities, const analysis::SiteFilter& filter,
                  const std::optional<analysis::Grouping>& grouping) {
  const Totals totals = totals_of(activities);
  auto groups = analysis::grouped(std::move(activities), grouping, filter);
  std::ranges::stable_sort(groups, std::greater(), [](const auto& group) { return group.row.use.gpu_us; });
  std::vector<Kernel> lines;
  for (auto& group : groups) lines.push_back(kernel_of(std::move(group), totals));
  return view_of(kernels(), lines);
}

}  // namespace ampprof::views
