// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "reports/records/confirmation.h"
#include "reports/store/table.h"

namespace ampprof::store {

inline constexpr auto kConfirmation =
    table<Confirmation>("confirmation", keys("run"),
                        std::tuple{column("kind", &Confirmation::kind), column("remedy", &Confirmation::remedy),
                                   column("helped", &Confirmation::helped), column("outcome", &Confirmation::outcome),
                                   column("explains", &Confirmation::explains)});

}  // namespace ampprof::store
