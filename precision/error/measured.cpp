// SPDX-License-Identifier: Apache-2.0
#include "precision/error/measured.h"

namespace ampprof {

void Measured::merge(const Measured& other) {
  if (other.local) {
    if (!local) local.emplace();
    local->merge(*other.local);
  }
  ranges.merge(other.ranges);
  exponents.merge(other.exponents);
  minus_infinite += other.minus_infinite;
}

}  // namespace ampprof
