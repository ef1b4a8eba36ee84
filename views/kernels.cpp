// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "analysis/executed.h"
#include "analysis/group.h"
#include "precision/kernel_names/readable_name.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/format.h"
#include "views/views.h"

namespace ampprof::views {
namespace {

struct Kernel {
  const analysis::Group<GpuActivityRow>& group;
  bool is_kernel;
  kernel_names::KernelFacts facts;  ///< of a kernel
  double share;       ///< of the run's GPU time
};

using Totals = std::map<std::int64_t, double>;  // GPU time in us by run

Totals totals_of(const std::vector<GpuActivityRow>& activities) {
  Totals totals;
  for (const GpuActivityRow& row : activities) totals[row.run] += row.use.gpu_us;
  return totals;
}

Json type_or_null(const std::optional<DType>& type) { return type ? Json(short_name(*type)) : Json(); }

Json to_json(const Kernel& kernel) {
  const GpuActivityRow& row = kernel.group.row;
  const auto of_kernel = [&](std::string_view text) { return kernel.is_kernel ? Json(text) : Json(); };
  return {{"run", row.run},
          {"level", text_or_null(row.level)},
          {"kernel", kernel_names::readable_name(row.use.name)},
          {"activity", name_of(row.use.kind)},
          {"kind", of_kernel(name_of(kernel.facts.kind))},
          {"executed", of_kernel(name_of(kernel.facts.executed))},
          {"evidence", kernel.facts.evidence.empty() ? Json() : Json(kernel.facts.evidence)},
          {"confidence", of_kernel(name_of(kernel.facts.confidence))},
          {"multiply", type_or_null(kernel.facts.types.multiply)},
          {"accumulate", type_or_null(kernel.facts.types.accumulate)},
          {"count", row.use.count},
          {"gpu_us", exact(row.use.gpu_us)},
          {"share", exact(kernel.share)},
          {"bytes", row.use.kind == GpuActivityKind::Kernel ? Json() : Json(row.use.bytes)},
          {"call_site", text_or_null(row.call_site)},
          {"phase", row.phase ? Json(name_of(*row.phase)) : Json()},
          {"module", row.call_site.empty() ? Json() : Json(row.module)},
          {"op", text_or_null(row.op)},
          {"call_sites", kernel.group.call_sites},
          {"mangled", row.use.name}};
}

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

std::vector<Cell> cells_of(const Kernel& kernel) {
  const GpuActivityRow& row = kernel.group.row;
  const std::string site = row.phase ? short_site(row.call_site, *row.phase) : "outside of ops";
  const auto& sums = kernel.facts.types.accumulate;
  return {{text::printable(row.level.empty() ? std::to_string(row.run) : row.level), text::Tone::Strong},
          {text::printable(kernel.is_kernel ? kernel_names::short_name_of_kernel(row.use.name) : row.use.name)},
          executed_cell(kernel),
          {sums ? std::string(short_name(*sums)) : std::string(text::kAbsent)},
          {text::count(row.use.count)},
          {text::microseconds(row.use.gpu_us)},
          {text::percent(kernel.share)},
          {text::microseconds(row.use.gpu_us / static_cast<double>(std::max<std::int64_t>(row.use.count, 1)))},
          {kernel.is_kernel ? std::string(text::kAbsent) : text::bytes(static_cast<double>(row.use.bytes))},
          {site},
          {text::count(kernel.group.call_sites)}};
}

}  // namespace

View kernels_view(std::vector<GpuActivityRow> activities, const analysis::SiteFilter& filter,
                  const std::optional<analysis::Grouping>& grouping) {
  const Totals totals = totals_of(activities);
  auto groups = analysis::grouped(std::move(activities), grouping, filter);
  std::ranges::stable_sort(groups, std::greater(),
                           [](const analysis::Group<GpuActivityRow>& group) { return group.row.use.gpu_us; });
  View view{.name = "kernels",
            .keys = {"run",        "level",    "kernel",     "activity", "kind",       "executed", "evidence",
                     "confidence", "multiply", "accumulate", "count",    "gpu_us",     "share",    "bytes",
                     "call_site",  "phase",    "module",     "op",       "call_sites", "mangled"},
            .columns = {{.title = "run", .key = "level"},
                        {.title = "kernel", .flexible = true, .key = "kernel"},
                        {.title = "Tensor Cores", .key = "executed"},
                        {.title = "sums in", .spare = 2, .key = "accumulate"},
                        {.title = "count", .align = Align::Right, .key = "count"},
                        {.title = "GPU time", .align = Align::Right, .key = "gpu_us"},
                        {.title = "share", .align = Align::Right, .key = "share"},
                        {.title = "each", .align = Align::Right, .spare = 3},
                        {.title = "moved", .align = Align::Right, .spare = 4, .key = "bytes"},
                        {.title = "most for", .flexible = true, .spare = 1, .key = "call_site"},
                        {.title = "sites", .align = Align::Right, .spare = 5, .key = "call_sites"}},
            .records = {},
            .none =
                "The report holds no kernel: the program ran without a GPU, or CUPTI could not be used "
                "(ampprof show REPORT missing)."};
  for (const analysis::Group<GpuActivityRow>& group : groups) {
    const GpuActivityUse& use = group.row.use;
    const bool is_kernel = use.kind == GpuActivityKind::Kernel;
    const double total = totals.at(group.row.run);
    const Kernel kernel{group, is_kernel,
                        is_kernel ? kernel_names::classify_kernel(use.name) : kernel_names::KernelFacts{},
                        total > 0.0 ? use.gpu_us / total : 0.0};
    view.records.push_back({to_json(kernel), cells_of(kernel)});
  }
  return view;
}

}  // namespace ampprof::views
