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

/// Returns whether calls of this phase are part of what the loss is computed by.
bool is_forward(Phase phase);
/// Returns whether results of this phase may be inputs of the forward: a frozen part may run without gradients.
bool may_make_inputs(Phase phase);

/// Follows what was rounded where no gradient leads, and finds what that does to the outputs of the ops that take it,
/// call site by call site. Thread-safe.
class InputRoundings {
 public:
  /// The most call sites whose roundings are told apart in one tensor: each is one more run of the ops that take it.
  static constexpr std::size_t kMostCallSites = 4;

  /// All of these outlive this.
  InputRoundings(at::ScalarType precision, ImpactSink& impacts, ParameterFacts& parameters, RoundedInputs& inputs,
                 MissingNotes& missing);

  /// Holds the arguments of a call without the rounding of a call site and of all with larger ids.
  struct Variation {
    std::int64_t made_by = 0;
    bool is_decided = false;      ///< through integers
    bool takes_integers = false;  ///< that are not the program's
    std::vector<c10::IValue> arguments{};
  };
  /// Holds what is kept of a call until its op has run.
  struct Kept {
    reference::SavedCall received{};      ///< where there are variations
    std::vector<Variation> variations{};  ///< by ascending call site; empty where nothing was rounded
    std::vector<at::Tensor> written{};    ///< those of the followed tensors that it writes to
  };
  /// Looks at the arguments. Only before the op ran.
  Kept before(const Call& call) const;

  /// Tells what the rounding of one call site did to an output of another.
  struct Difference {
    OutputPair pair;
    std::int64_t made_by = 0;  ///< 0: no call rounded it, or the first of too many
    bool is_decided = false;   ///< integers that the rounding changed are on the way
  };
  /// Follows the results. Returns, of a forward call that takes what was rounded, the differences of each output that a
  /// gradient may come for. They add up to what all rounding did. Only after the op ran.
  std::vector<Difference> after(const Call& call, Kept kept) const;

  /// This tensor has a gradient: it is no input any more.
  void forget(const at::Tensor& tensor) const { inputs_.forget(tensor); }

 private:
  void add_variations(const Call& call, Kept& kept) const;
  Originals originals_of(const at::Tensor& tensor, const RoundedInputs::Step& step) const;
  std::vector<Originals> originals_of_results(const Call& call, Kept& kept) const;
  void add_own_rounding(const Call& call, std::size_t i, Originals& originals) const;
  at::Tensor own_choice(const Call& call, std::size_t i) const;
  void note_pooled() const;

  const at::ScalarType precision_;
  ImpactSink& impacts_;
  ParameterFacts& parameters_;
  RoundedInputs& inputs_;
  MissingNotes& missing_;
};

}  // namespace ampprof::profiler
