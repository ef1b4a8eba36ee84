// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace ampprof::variant {

/// The value of a program's tensor in a variant.
struct Counterpart {
  at::Tensor value = {};    ///< undefined if it equals the program's value or is unknown
  bool is_decided = false;  ///< whether it depends on decisions that differ from the run's
};

}  // namespace ampprof::variant
