// SPDX-License-Identifier: Apache-2.0
#include "views/all_views.h"

#include <utility>

#include "analysis/diagnosis/diagnose.h"
#include "analysis/ranks/collectives.h"
#include "analysis/ranks/report_rows.h"
#include "reports/queries/casts.h"
#include "reports/queries/decisions.h"
#include "reports/queries/drifts.h"
#include "reports/queries/events.h"
#include "reports/queries/gaps.h"
#include "reports/queries/gpu_activities.h"
#include "reports/queries/gradient_impacts.h"
#include "reports/queries/impacts.h"
#include "reports/queries/losses.h"
#include "reports/queries/missing.h"
#include "reports/queries/recipes.h"
#include "reports/queries/scales.h"
#include "reports/queries/stale_casts.h"
#include "reports/queries/updates.h"
#include "views/diagnosis/findings.h"
#include "views/diagnosis/missing.h"
#include "views/events/views.h"
#include "views/gpu/no_gpu_activity.h"
#include "views/gpu/views.h"
#include "views/losses/views.h"
#include "views/ops/views.h"
#include "views/ranks/views.h"
#include "views/recipes/views.h"
#include "views/runs/views.h"
#include "views/view_source.h"

namespace ampprof::views {
namespace {

/// Adds to an empty view of GPU activity why the runs have no such activity.
View explained(View view, const ViewSource& source) {
  if (!view.records.empty()) return view;
  return with_reason_for_no_gpu(std::move(view), source.runs, source.missing());
}

/// Returns a view of faults. If it is empty because no run read values, says so.
View unless_unread(View view, const ViewSource& source) {
  const auto reads = [](const queries::RunRow& run) { return run.reads_values(); };
  if (!view.records.empty() || source.runs.empty() || std::ranges::any_of(source.runs, reads)) return view;
  view.none = "Errors, NaN and inf were not measured: --reference off records times only.";
  view.remedy = "Record the program without --reference off.";
  return view;
}

}  // namespace

const std::vector<NamedView>& all_views() {
  static const std::vector<NamedView> kViews{
      {"findings", "faults, the costliest first, with remedies",
       [](ViewSource& source) { return unless_unread(findings_view(analysis::diagnose(rows_of(source))), source); }},
      {"runs", "runs: their settings, times and losses", [](ViewSource& source) { return runs_view(source.runs); }},
      {"ops", "call sites: times, errors, ranges and loss impacts",
       [](ViewSource& source) { return ops_view(source.ops(), source.targets, source.grouping); }, true, true},
      {"events", "overflows: where NaN or inf began, and where they went",
       [](ViewSource& source) { return unless_unread(events_view(source.of_runs(queries::events)), source); }},
      {"kernels", "kernels, memcpys and memsets of a GPU by name",
       [](ViewSource& source) {
         return explained(kernels_view(source.of_steps(queries::gpu_activities), source.filter, source.grouping),
                          source);
       },
       true, true, true},
      {"idle", "idle times of a GPU, by what it waited for",
       [](ViewSource& source) { return explained(idle_view(source.of_runs(queries::gaps), source.grouping), source); },
       true},
      {"tensor-cores", "matmuls, and the Tensor Core rules that they break",
       [](ViewSource& source) { return tensor_cores_view(source.ops(), source.targets, source.grouping); }, true, true},
      {"ranges", "ranges of the outputs, and what FP16 cannot hold",
       [](ViewSource& source) { return ranges_view(source.ops(), source.grouping); }, true, true},
      {"impact", "what each rounding does to the loss",
       [](ViewSource& source) {
         return impact_view(source.of_runs(queries::impacts), source.grouping,
                            source.of_runs(queries::gradient_impacts));
       },
       true},
      {"gradients", "errors of the gradients of parameters",
       [](ViewSource& source) { return gradients_view(source.of_runs(queries::gradient_errors)); }},
      {"recipes", "matmuls in FP8 and FP4 recipes: predicted effects",
       [](ViewSource& source) {
         return recipes_view(source.of_runs(queries::recipe_matmuls), source.of_runs(queries::loss_changes));
       }},
      {"casts", "casts that AMP or torch.autocast inserted",
       [](ViewSource& source) { return casts_view(source.of_steps(queries::casts), source.grouping); }, true, true},
      {"stale-casts", "copies that are older than their parameter",
       [](ViewSource& source) { return stale_casts_view(source.of_runs(queries::stale_casts)); }},
      {"optimizer", "weight updates, and how many of them are lost",
       [](ViewSource& source) { return optimizer_view(source.of_runs(queries::updates)); }},
      {"decisions", "integers and masks that rounding changes",
       [](ViewSource& source) { return decisions_view(source.of_runs(queries::decisions)); }},
      {"drift", "tensors that outlive steps: drift from exact arithmetic",
       [](ViewSource& source) { return drift_view(source.of_runs(queries::drifts)); }},
      {"losses", "losses of each step",
       [](ViewSource& source) { return losses_view(source.of_runs(queries::losses)); }},
      {"loss-scale", "loss scales: what gradients lose at each, and which to use",
       [](ViewSource& source) {
         return loss_scale_view(source.names(), source.ops(), source.of_runs(queries::scales));
       }},
      {"ranks", "ranks of a distributed program",
       [](ViewSource& source) { return ranks_view(source.report, source.runs); }},
      {"collectives", "collectives of torch.distributed: times and bandwidths",
       [](ViewSource& source) { return collectives_view(analysis::collective_sites(source.report, source.runs)); }},
      {"missing", "what the report does not hold, and why",
       [](ViewSource& source) { return missing_view(source.missing(), source.runs); }},
  };
  return kViews;
}

}  // namespace ampprof::views
