// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "reports/records/step.h"
#include "reports/store/table.h"

namespace ampprof::store {

inline constexpr auto kOptimizerTotal = table<OptimizerTotal>(
    "optimizer", keys("run"),
    std::tuple{column("id", &OptimizerTotal::id, "Number of the optimizer within its run, from 1."),
               column("parameter", &OptimizerTotal::parameter,
                      "Name of one parameter that the optimizer updates; '' if the parameter has no name."),
               column("parameters", &OptimizerTotal::parameters,
                      "Number of parameters that the optimizer was seen to update."),
               column("updates", &OptimizerTotal::updates, "Number of updates that were done."),
               column("skipped", &OptimizerTotal::skipped, "Number of updates that were skipped.")});

}  // namespace ampprof::store
