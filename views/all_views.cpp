// SPDX-License-Identifier: Apache-2.0
#include "views/all_views.h"

namespace ampprof::views {

const std::vector<OpRow>& ViewSource::ops() {
  if (!read_ops) {
    read_ops = of_steps(&Report::ops, &Report::ops_in);
    targets.learn_from(*read_ops);
    targets.learn_from(analysis::Probes(of_runs(&Report::probe_times), of_runs(&Report::probe_algorithms)));
  }
  return *read_ops;
}

analysis::ReportRows rows_of(ViewSource& source) {
  return {source.runs, source.ops(), source.of_runs(&Report::events), source.missing(),
          source.of_runs(&Report::impacts)};
}

const std::vector<NamedView>& all_views() {
  static const std::vector<NamedView> kViews{
      {"runs", [](ViewSource& source) { return runs_view(source.runs); }},
      {"ops", [](ViewSource& source) { return ops_view(source.ops(), source.targets, source.grouping); }, true, true},
      {"events", [](ViewSource& source) { return events_view(source.of_runs(&Report::events)); }},
      {"kernels",
       [](ViewSource& source) {
         return kernels_view(source.of_steps(&Report::gpu_activities, &Report::gpu_activities_in), source.filter,
                             source.grouping);
       },
       true, true, true},
      {"idle", [](ViewSource& source) { return idle_view(source.of_runs(&Report::gaps), source.grouping); }, true},
      {"tensor-cores",
       [](ViewSource& source) { return tensor_cores_view(source.ops(), source.targets, source.grouping); }, true, true},
      {"ranges", [](ViewSource& source) { return ranges_view(source.ops(), source.grouping); }, true, true},
      {"impact", [](ViewSource& source) { return impact_view(source.of_runs(&Report::impacts), source.grouping); },
       true},
      {"casts",
       [](ViewSource& source) {
         return casts_view(source.of_steps(&Report::casts, &Report::casts_in), source.grouping);
       },
       true, true},
      {"optimizer", [](ViewSource& source) { return optimizer_view(source.of_runs(&Report::updates)); }},
      {"loss-scale",
       [](ViewSource& source) { return loss_scale_view(source.runs, source.ops(), source.of_runs(&Report::scales)); }},
      {"missing", [](ViewSource& source) { return missing_view(source.missing(), source.runs); }},
  };
  return kViews;
}

}  // namespace ampprof::views
