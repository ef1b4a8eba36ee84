// SPDX-License-Identifier: Apache-2.0
#include "profiler/stages/stages.h"

#include "profiler/observer/session.h"

namespace ampprof::profiler {

std::vector<std::unique_ptr<Stage>> make_stages(Session& session) {
  std::vector<std::unique_ptr<Stage>> stages;
  if (session.options().reference != recording::ReferenceMode::Off) {
    stages.push_back(make_memory_stage(session));  // first: before a later stage makes copies
    const bool asks_what_if = !session.options().what_if.empty();
    stages.push_back(asks_what_if ? make_what_if_stage(session) : make_reference_stage(session));
    stages.push_back(make_update_stage(session));
    stages.push_back(make_nonfinite_stage(session));
    if (session.options().impact) stages.push_back(make_impact_stage(session));
  }
  if (session.options().inherited) stages.push_back(make_inherited_stage(session));
  stages.push_back(make_grad_scaler_stage(session));
  return stages;
}

}  // namespace ampprof::profiler
