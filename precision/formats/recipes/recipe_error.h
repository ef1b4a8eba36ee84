// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace ampprof::recipes {

/// A recipe that there is not or that cannot be, or rounding that a device cannot do: a sentence for the user.
class RecipeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ampprof::recipes
