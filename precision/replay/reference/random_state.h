// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "precision/torch_hooks/generator_place.h"

namespace ampprof::reference {

/// Where the random generators that a call may draw from stood when this was made: the CPU's default, that of the
/// device of a tensor among the arguments, and those that are arguments themselves.
class RandomState {
 public:
  explicit RandomState(c10::ArrayRef<c10::IValue> arguments);

  /// True if a generator stands elsewhere now.
  bool moved() const;

  /// Puts the generators back where they moved.
  void restore() const;

 private:
  void remember(const at::Generator& generator);

  std::vector<torch_hooks::GeneratorPlace> places_;
};

}  // namespace ampprof::reference
