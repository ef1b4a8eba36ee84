// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace ampprof::recipes {

/// Thrown for unknown or invalid recipes and for rounding that a device does not support. The text is a sentence for
/// the user.
class RecipeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ampprof::recipes
