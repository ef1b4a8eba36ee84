// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/replay/variant/variant.h"

namespace ampprof {

/// An arithmetic, made before the variant that runs in it.
struct WithExact {
  reference::Exact exact;
};

/// The step in exact arithmetic: a shadow.
struct ExactVariant : private WithExact, public variant::Variant {
  explicit ExactVariant(at::ScalarType precision) : WithExact{reference::Exact(precision)}, Variant(exact) {}
};

}  // namespace ampprof
