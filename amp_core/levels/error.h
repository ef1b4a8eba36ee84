// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace amp {

/// Thrown for wrong use of the engine: an unknown level, contradictory properties, an unknown optimizer.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace amp
