// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/replay/variant/variant.h"

namespace ampprof {

/// Holds the arithmetic, so that it is made before the variant that uses it.
struct WithExact {
  reference::Exact exact;
};

/// A shadow: the step in exact arithmetic.
struct ExactVariant : private WithExact, public variant::Variant {
  explicit ExactVariant(at::ScalarType precision) : WithExact{reference::Exact(precision)}, Variant(exact) {}
};

}  // namespace ampprof
