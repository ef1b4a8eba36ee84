// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace amp {

/// Wrong use of the engine: an unknown level, properties that do not go together, an optimizer it does not know.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace amp
