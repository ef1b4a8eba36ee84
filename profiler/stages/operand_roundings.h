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

/// Selects a part of the squares.
using SquarePart = std::optional<double> ImpactSquares::*;

/// The gradient that an error meets.
struct MetGradient {
  impact::Gradient values;
  ImpactGradient kind;
};

/// Returns the gradient that an error meets. The run's own gradient may be flushed to zero in FP16. In wider types it
/// is as good as that of the replayed step. The mean of both covers the joint effect of all ops' errors, to second
/// order.
MetGradient gradient_met(const ImpactOptions& options, const at::Tensor& gradient, bool is_of_fp16,
                         ImpactSource source = ImpactSource::OpCall);

/// Adds the square of gradient times roundings to an effect, if the square is finite.
ImpactLedger::Effect with_square(ImpactLedger::Effect effect, SquarePart part, double square, ImpactGradient gradient);

/// Roundings of the operands that a call casts, or would cast with `--what-if`. Each meets the gradient of this use of
/// the operand. Their signed effect is already in the error of the call's output. Thread-safe.
class OperandRoundings {
 public:
  explicit OperandRoundings(const ImpactOptions& options);

  /// Returns the operands that the call casts. For a recipe's matmul, all operands that it rounds, or none.
  std::vector<CastOperand> of(const Call& call, const OutputPair& pair) const;
  /// Returns whether these are all operands that are rounded on their way to `output`. The effect of other roundings,
  /// such as a batch's, is unknown without a gradient.
  bool are_all(const std::vector<CastOperand>& casts, const Call& call, const at::Tensor& output) const;
  /// Returns how many numbers must be kept until gradients come.
  static std::int64_t kept_elements(const std::vector<CastOperand>& casts);
  /// Adds the effects of these roundings to the squares of `error` in the backward pass. This object must live as long
  /// as the process. `rounded` holds a recipe's roundings; if it is empty, operands are rounded by their cast.
  void meet_when_backward_comes(const Call& call, const ImpactLedger::Error& error,
                                const std::vector<CastOperand>& casts,
                                const std::vector<RoundedOperand>& rounded = {}) const;

 private:
  /// Roundings that wait for their gradient.
  struct Waiting {
    ImpactLedger::Error error;
    SquarePart part;
    bool is_to_fp16 = true;
    at::ScalarType type;     ///< that the operand was cast to
    at::Tensor weight{};     ///< its roundings are computed when they are needed, since it does not change until then
    at::Tensor roundings{};  ///< of an operand that is not a weight
  };

  Waiting waiting_of(const Call& call, const ImpactLedger::Error& error, const CastOperand& cast) const;
  static Waiting waiting_of(const ImpactLedger::Error& error, const RoundedOperand& rounded);
  void meet(const at::Tensor& gradient, const Waiting& waiting) const;
  at::Tensor rounding_of(const at::Tensor& operand, at::ScalarType type) const;
  bool is_fp16(at::ScalarType type) const;

  const ImpactOptions options_;
};

}  // namespace ampprof::profiler
