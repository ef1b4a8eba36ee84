// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amp_core/levels/error.h"
#include "precision/formats/recipes/recipe_error.h"

namespace amp::recipes {

/// Returns the result of `work()`. Turns a RecipeError into an Error with the same sentence, since users of the engine
/// catch Error.
template <class Work>
auto with_amp_errors(Work work) {
  try {
    return work();
  } catch (const ampprof::recipes::RecipeError& error) {
    throw Error(error.what());
  }
}

}  // namespace amp::recipes
