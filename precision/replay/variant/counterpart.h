// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace ampprof::variant {

/// Holds the value that a tensor of the program has in a step beside the run.
struct Counterpart {
  at::Tensor value = {};    ///< undefined where it is the same, or not known
  bool is_decided = false;  ///< decisions that differ from the run's are on the way to it
};

}  // namespace ampprof::variant
