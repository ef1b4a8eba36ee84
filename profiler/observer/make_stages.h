// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "profiler/calls/stage.h"

namespace ampprof::profiler {

class ImpactSink;
class ParameterFacts;
class ScalerEvents;
struct SessionCore;

/// Makes the stages that the session's options request, in the order in which they run. Each stage takes only the
/// objects that it uses. All arguments must outlive the stages.
std::vector<std::unique_ptr<Stage>> make_stages(SessionCore& core, ParameterFacts& parameters, ImpactSink& impacts,
                                                ScalerEvents& scaler);

}  // namespace ampprof::profiler
