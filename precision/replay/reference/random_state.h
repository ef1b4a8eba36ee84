// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "precision/torch_hooks/generator_state.h"

namespace ampprof::reference {

/// Stores the states of the random generators that a call may use: the default generator of the CPU and of the device
/// of a tensor argument, and generators among the arguments.
class RandomState {
 public:
  explicit RandomState(c10::ArrayRef<c10::IValue> arguments);

  /// Returns whether a generator has changed since construction.
  bool moved() const;

  /// Restores the generators that changed.
  void restore() const;

 private:
  void remember(const at::Generator& generator);

  std::vector<torch_hooks::GeneratorState> places_;
};

}  // namespace ampprof::reference
