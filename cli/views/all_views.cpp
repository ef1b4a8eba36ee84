// SPDX-License-Identifier: Apache-2.0
#include "cli/views/all_views.h"

namespace ampprof::cli {

const std::vector<NamedView>& all_views() {
  static const std::vector<NamedView> kViews{
      {"runs", [](ViewSource& source) { return runs_view(source.runs); }},
      {"ops", [](ViewSource& source) { return ops_view(source.ops(), source.targets); }},
      {"events", [](ViewSource& source) { return events_view(source.report.events()); }},
      {"tensor-cores", [](ViewSource& source) { return tensor_cores_view(source.ops(), source.targets); }},
      {"ranges", [](ViewSource& source) { return ranges_view(source.ops()); }},
      {"impact", [](ViewSource& source) { return impact_view(source.report.impacts()); }},
      {"casts", [](ViewSource& source) { return casts_view(source.report.casts()); }},
      {"optimizer", [](ViewSource& source) { return optimizer_view(source.report.updates()); }},
      {"loss-scale",
       [](ViewSource& source) { return loss_scale_view(source.runs, source.ops(), source.report.scales()); }},
      {"missing", [](ViewSource& source) { return missing_view(source.report.missing()); }},
  };
  return kViews;
}

}  // namespace ampprof::cli
