// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "reports/records/step.h"
#include "reports/store/table.h"

namespace ampprof::store {

inline constexpr auto kOptimizerTotal = table<OptimizerTotal>(
    "optimizer", keys("run"),
    std::tuple{column("id", &OptimizerTotal::id), column("parameter", &OptimizerTotal::parameter),
               column("parameters", &OptimizerTotal::parameters), column("updates", &OptimizerTotal::updates),
               column("skipped", &OptimizerTotal::skipped)});

}  // namespace ampprof::store
