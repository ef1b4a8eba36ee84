// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "profiler/calls/stage.h"

namespace ampprof::profiler {

class Session;

/// The stages that the session's options ask for, in the order in which they run.
std::vector<std::unique_ptr<Stage>> make_stages(Session& session);

std::unique_ptr<Stage> make_memory_stage(Session& session);
std::unique_ptr<Stage> make_reference_stage(Session& session);
std::unique_ptr<Stage> make_impact_stage(Session& session);
std::unique_ptr<Stage> make_nonfinite_stage(Session& session);
std::unique_ptr<Stage> make_inherited_stage(Session& session);
std::unique_ptr<Stage> make_update_stage(Session& session);
std::unique_ptr<Stage> make_what_if_stage(Session& session);
std::unique_ptr<Stage> make_grad_scaler_stage(Session& session);

}  // namespace ampprof::profiler
