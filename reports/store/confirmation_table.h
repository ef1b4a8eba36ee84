// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "reports/records/confirmation.h"
#include "reports/store/table.h"

namespace ampprof::store {

inline constexpr auto kConfirmation = table<Confirmation>(
    "confirmation", keys("run"),
    std::tuple{column("kind", &Confirmation::kind, "Kind of the finding."),
               column("remedy", &Confirmation::remedy, "Line of a policy file, or word of `ampprof run --remedy`."),
               column("helped", &Confirmation::helped, "1: the finding was gone."),
               column("outcome", &Confirmation::outcome, "Sentence that compares the runs."),
               column("explains", &Confirmation::explains,
                      "Kinds of other findings that were gone, too, with commas between them.")});

}  // namespace ampprof::store
