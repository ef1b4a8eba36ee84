// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "reports/records/confirmation.h"
#include "reports/store/table.h"

namespace ampprof::store {

inline constexpr auto kConfirmation = table<Confirmation>(
    "confirmation", keys("run"),
    std::tuple{
        column("kind", &Confirmation::kind, "Kind of the finding."),
        column("remedy", &Confirmation::remedy,
               "Remedy that was tried: a line of a policy file, or a word of `ampprof run --remedy`."),
        column("helped", &Confirmation::helped, "1: the finding was gone with the remedy."),
        column("outcome", &Confirmation::outcome, "Sentence that compares the runs with and without the remedy."),
        column("explains", &Confirmation::explains,
               "Kinds of other findings that were also gone, separated by commas.")});

}  // namespace ampprof::store
