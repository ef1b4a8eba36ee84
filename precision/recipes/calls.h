// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "amp_core/casts/format_hook.h"
#include "precision/recipes/plan.h"

namespace amp::recipes {

/// Returns how a call is run; empty where it runs as it does without recipes: no recipe names it, or none takes it.
std::optional<FormatRun> run_of(const Plan& plan, const FormatCall& call);

}  // namespace amp::recipes
