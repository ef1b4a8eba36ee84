// SPDX-License-Identifier: Apache-2.0
#include "analysis/recipes/recipe_times.h"

#include <algorithm>
#include <optional>
#include <string>

#include "analysis/ops/targets.h"
#include "precision/gpu/device_caps.h"
#include "reports/queries/ops.h"
#include "reports/queries/probes.h"
#include "reports/queries/recipes.h"

namespace ampprof::analysis {
namespace {

using queries::RecipeMatmulRow;

constexpr const char* kBf16 = "bf16";  // the name that advice uses for unquantized operands

bool is_on(const gpu::PeakRates& gpu, const std::string& device) {
  const auto caps = gpu::device_caps(device);
  const auto rates = caps ? gpu::peak_rates(*caps) : std::nullopt;
  return rates && rates->name == gpu.name;
}

bool is_alone(const RecipeMatmulRow& row, std::int64_t site, const std::vector<const RecipeMatmulRow*>& rows) {
  return std::ranges::none_of(rows, [&](const RecipeMatmulRow* other) {
    return other->run == row.run && other->matmul != row.matmul &&
           std::ranges::find(other->computed_by, site) != other->computed_by.end();
  });
}

/// Returns the mean time of the calls that compute a matmul, in µs. Empty if one of these calls was not timed, or also
/// computes another matmul.
std::optional<double> time_of(const RecipeMatmulRow& row, const std::vector<const RecipeMatmulRow*>& rows,
                              const Bf16Times& times) {
  double sum = 0.0;
  for (const std::int64_t site : row.computed_by) {
    const auto found = times.find({row.run, site});
    if (found == times.end() || !is_alone(row, site, rows)) return std::nullopt;
    sum += found->second;
  }
  if (row.computed_by.empty()) return std::nullopt;
  return sum / static_cast<double>(row.computed_by.size());
}

}  // namespace

Bf16Times bf16_times(const queries::Report& report, const std::vector<queries::RunRow>& runs,
                     const gpu::PeakRates& gpu) {
  Bf16Times times;
  auto timed = queries::probe_times(report);
  std::erase_if(timed, [&](const queries::ProbeTimeRow& row) { return !is_on(gpu, row.time.device); });
  if (timed.empty()) return times;
  Targets targets(runs);
  targets.learn_from(Probes(timed, {}));
  for (const queries::OpRow& op : queries::ops(report)) {
    const auto figures = targets.figures(op);
    if (figures && figures->bf16) times[{op.run, op.call_site_id}] = figures->bf16->median_us;
  }
  return times;
}

void put_times(advice::RecipeLayer& layer, const std::vector<const RecipeMatmulRow*>& rows, const Bf16Times& times) {
  for (const RecipeMatmulRow* row : rows) {
    if (const auto time = time_of(*row, rows, times)) layer.measured_us[matmul_index(row->matmul)][kBf16] = *time;
  }
}

}  // namespace ampprof::analysis
