// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/replay/variant/variant.h"

namespace ampprof {

/// Base class that constructs the arithmetic before Variant, which refers to it.
struct WithExact {
  reference::Exact exact;
};

/// A shadow that computes the step in exact arithmetic.
struct ExactVariant : private WithExact, public variant::Variant {
  explicit ExactVariant(at::ScalarType precision) : WithExact{reference::Exact(precision)}, Variant(exact) {}
};

}  // namespace ampprof
