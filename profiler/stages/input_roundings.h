// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "precision/replay/reference/reference.h"
#include "profiler/calls/call.h"
#include "profiler/calls/parameter_facts.h"
#include "profiler/impact/rounded_inputs.h"
#include "profiler/stages/impact_options.h"

namespace ampprof::profiler {

class MissingNotes;

/// Returns whether calls of this phase compute the loss.
bool is_forward(Phase phase);
/// Returns whether results of this phase may be inputs of the forward. Inference is included: a frozen part of the
/// model may run under torch.no_grad().
bool may_make_inputs(Phase phase);

/// Follows roundings in tensors without a gradient, such as those made by preprocessing. Computes the effect of each
/// call site that rounded on the outputs of the ops that take these tensors. Thread-safe.
class InputRoundings {
 public:
  /// Limit of call sites whose roundings are distinguished in one tensor. For each of them, the ops that take the
  /// tensor run once more.
  static constexpr std::size_t kMostCallSites = 4;

  /// All arguments must outlive this object.
  InputRoundings(at::ScalarType precision, ImpactSink& impacts, ParameterFacts& parameters, RoundedInputs& inputs,
                 MissingNotes& missing);

  /// The arguments of a call, without the roundings of `made_by` and of all call sites with larger ids.
  struct Variation {
    std::int64_t made_by = 0;
    bool is_decided = false;      ///< the roundings changed integers (indices, masks) on the way to the arguments
    bool takes_integers = false;  ///< some arguments are integers that differ from the program's
    std::vector<c10::IValue> arguments{};
  };
  /// State of a call until its op has run.
  struct Kept {
    reference::SavedCall received{};      ///< the call as the program made it; empty without variations
    std::vector<Variation> variations{};  ///< by ascending call site; empty if no argument has roundings
    std::vector<at::Tensor> written{};    ///< followed tensors that the call writes to
  };
  /// Finds the arguments with followed roundings. Call it before the op runs.
  Kept before(const Call& call) const;

  /// The effect that the rounding at one call site has on an output of another call.
  struct Difference {
    OutputPair pair;
    std::int64_t made_by = 0;  ///< call site of the rounding; 0 if no call rounded, or if several were merged
    bool is_decided = false;   ///< the rounding changed integers (indices, masks) before this op
  };
  /// Follows the results. Returns one difference per call site for each output that may get a gradient. The differences
  /// of an output add up to the effect of all roundings. Call it after the op has run.
  std::vector<Difference> after(const Call& call, Kept kept) const;

  /// Stops following a tensor that requires a gradient: the gradient covers later effects.
  void forget(const at::Tensor& tensor) const { inputs_.forget(tensor); }

 private:
  void add_variations(const Call& call, Kept& kept) const;
  Originals originals_of(const at::Tensor& tensor, const RoundedInputs::Step& step) const;
  std::vector<Originals> originals_of_results(const Call& call, Kept& kept) const;
  void add_own_rounding(const Call& call, std::size_t i, Originals& originals) const;
  at::Tensor recomputed_integers(const Call& call, std::size_t i) const;
  void note_pooled() const;

  const at::ScalarType precision_;
  ImpactSink& impacts_;
  ParameterFacts& parameters_;
  RoundedInputs& inputs_;
  MissingNotes& missing_;
};

}  // namespace ampprof::profiler
