// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace ampprof::variant {

/// The value of a program's tensor in a variant.
struct Counterpart {
  at::Tensor value = {};    ///< undefined if the value equals the program's or is unknown
  bool is_decided = false;  ///< whether the value depends on decisions that differ from the run's
};

}  // namespace ampprof::variant
