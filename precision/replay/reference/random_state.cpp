// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/reference/random_state.h"

#include <ATen/Context.h>

#include <algorithm>

#include "precision/replay/reference/arguments.h"

namespace ampprof::reference {

RandomState::RandomState(c10::ArrayRef<c10::IValue> arguments) {
  remember(at::detail::getDefaultCPUGenerator());
  if (const auto device = cuda_device_of(arguments)) remember(at::globalContext().defaultGenerator(*device));
  for (const auto& argument : arguments) {
    if (argument.isGenerator()) remember(argument.toGenerator());
  }
}

void RandomState::remember(const at::Generator& generator) {
  if (generator.defined()) places_.emplace_back(generator);
}

bool RandomState::moved() const {
  return std::ranges::any_of(places_, [](const torch_hooks::GeneratorState& place) { return place.moved(); });
}

void RandomState::restore() const {
  for (const torch_hooks::GeneratorState& place : places_) place.restore();
}

}  // namespace ampprof::reference
