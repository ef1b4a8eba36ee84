// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "precision/formats/types/number_format.h"
#include "precision/impact/gradient.h"
#include "profiler/calls/call.h"
#include "profiler/impact/impact_ledger.h"
#include "profiler/stages/impact_options.h"
#include "profiler/torch_hooks/cast_operands.h"

namespace ampprof::profiler {

/// Pointer to one of the sums in ImpactSquares.
using SquarePart = std::optional<double> ImpactSquares::*;

/// The gradient by which an error is multiplied.
struct EffectiveGradient {
  impact::Gradient values;
  ImpactGradient kind;
};

/// Returns the gradient by which an error is multiplied. For errors in FP16, this is the replayed step's gradient,
/// since the run's may be flushed to zero. For wider types, it is the mean of both gradients, which covers the joint
/// effect of all ops' errors to second order. Without a replayed step, it is the run's gradient.
EffectiveGradient effective_gradient(const ImpactOptions& options, const at::Tensor& gradient, bool is_of_fp16,
                                     ImpactSource source = ImpactSource::OpCall);

/// Sets a part of the effect's squares to `square` (the sum of (gradient * rounding)^2) if it is finite.
ImpactLedger::Effect with_square(ImpactLedger::Effect effect, SquarePart part, double square, ImpactGradient gradient);

/// Computes the expected impact of the roundings of operands that a call casts, or would cast with `--what-if`, from
/// the gradient of each use of an operand. The signed effect of these roundings is already in the error of the call's
/// output. Thread-safe.
class OperandRoundings {
 public:
  explicit OperandRoundings(const ImpactOptions& options);

  /// Returns the operands that the call casts. For a recipe's matmul, returns all operands that the recipe rounds, or
  /// none.
  std::vector<CastOperand> of(const Call& call, const OutputPair& pair) const;
  /// Returns whether `casts` are all operands that the call rounds. An operand without a gradient, such as a batch, is
  /// not among them.
  bool are_all(const std::vector<CastOperand>& casts, const Call& call, const at::Tensor& output) const;
  /// Returns how many elements of these operands must be kept until the backward pass.
  static std::int64_t kept_elements(const std::vector<CastOperand>& casts);
  /// Registers hooks that add the squares of the roundings of `casts` to `error` in the backward pass. This object must
  /// live as long as the process. `rounded` holds a recipe's roundings; if it is empty, the roundings are those of the
  /// casts.
  void register_gradient_hook(const Call& call, const ImpactLedger::Error& error, const std::vector<CastOperand>& casts,
                              const std::vector<RoundedOperand>& rounded = {}) const;

 private:
  /// Roundings that wait for their gradient.
  struct Waiting {
    ImpactLedger::Error error;
    SquarePart part;
    bool is_to_fp16 = true;
    at::ScalarType type;     ///< type to which the operand was cast
    at::Tensor weight{};     ///< a weight, whose roundings are computed in backward, since it does not change before
    at::Tensor roundings{};  ///< roundings of any other operand
  };

  Waiting waiting_of(const Call& call, const ImpactLedger::Error& error, const CastOperand& cast) const;
  static Waiting waiting_of(const ImpactLedger::Error& error, const RoundedOperand& rounded);
  void meet(const at::Tensor& gradient, const Waiting& waiting) const;
  at::Tensor rounding_of(const at::Tensor& operand, at::ScalarType type) const;
  bool is_fp16(at::ScalarType type) const;

  const ImpactOptions options_;
};

}  // namespace ampprof::profiler
