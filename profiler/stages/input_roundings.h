// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "precision/replay/reference/reference.h"
#include "profiler/calls/call.h"
#include "profiler/calls/parameter_facts.h"
#include "profiler/impact/rounded_inputs.h"
#include "profiler/stages/impact_options.h"

namespace ampprof::profiler {

/// Returns whether calls of this phase are part of what the loss is computed by.
bool is_forward(Phase phase);
/// Returns whether results of this phase may be inputs of the forward: a frozen part may run without gradients.
bool may_make_inputs(Phase phase);

/// Follows what was rounded where no gradient leads, and finds what that does to the outputs of the ops that take it.
/// Thread-safe.
class InputRoundings {
 public:
  /// All of these outlive this.
  InputRoundings(at::ScalarType precision, ImpactSink& impacts, ParameterFacts& parameters, RoundedInputs& inputs);

  /// Holds what is kept of a call until its op has run.
  struct Kept {
    /// The call on what its arguments would be had nothing rounded them; empty where nothing did.
    std::optional<reference::SavedCall> on_originals{};
    std::vector<at::Tensor> written{};  ///< those of the followed tensors that it writes to
  };
  /// Looks at the arguments. Only before the op ran.
  Kept before(const Call& call) const;

  /// Follows the results. Returns, of a forward call that takes what was rounded, each output that a gradient may come
  /// for, beside what it would be in high precision. Only after the op ran.
  std::vector<OutputPair> after(const Call& call, const Kept& kept) const;

  /// This tensor has a gradient: it is no input any more.
  void forget(const at::Tensor& tensor) const { inputs_.forget(tensor); }

 private:
  std::optional<reference::SavedCall> on_originals(const Call& call) const;
  at::Tensor original_of(const at::Tensor& tensor, const RoundedInputs::Step& step) const;
  std::vector<at::Tensor> results_on_originals(const Call& call, const Kept& kept) const;

  const at::ScalarType precision_;
  ImpactSink& impacts_;
  ParameterFacts& parameters_;
  RoundedInputs& inputs_;
};

}  // namespace ampprof::profiler
