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

/// Names what was rounded.
using SquarePart = std::optional<double> ImpactSquares::*;

/// The gradient that an error meets.
struct MetGradient {
  impact::Gradient values;
  ImpactGradient kind;
};

/// Returns the gradient that an error meets. The run's own may be flushed in FP16. In wider types it is as good as that
/// of the replayed step, and their mean counts what the errors of all ops do together, to second order.
MetGradient gradient_met(const ImpactOptions& options, const at::Tensor& gradient, bool is_of_fp16,
                         ImpactSource source = ImpactSource::OpCall);

/// Adds the square of gradient times roundings to an effect, where it is finite.
ImpactLedger::Effect with_square(ImpactLedger::Effect effect, SquarePart part, double square, ImpactGradient gradient);

/// Roundings of the operands that a call casts, or with `--what-if` would cast: each meets the gradient that this use
/// of the operand has. Their signed effect is in the error of the call's output already. Thread-safe.
class OperandRoundings {
 public:
  explicit OperandRoundings(const ImpactOptions& options);

  /// Returns, of a recipe's matmul, all operands that it rounds, or none.
  std::vector<CastOperand> of(const Call& call, const OutputPair& pair) const;
  /// Returns whether these are all operands that are rounded on their way to `output`. Of others, as of a batch, no
  /// gradient tells what their rounding does.
  bool are_all(const std::vector<CastOperand>& casts, const Call& call, const at::Tensor& output) const;
  /// Returns how many numbers are kept until gradients come.
  static std::int64_t kept_elements(const std::vector<CastOperand>& casts);
  /// Adds what they do to the squares of `error` when backward comes. This object must live as long as the process.
  /// `rounded`: how a recipe rounds them; empty: as they are cast.
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
    at::Tensor weight{};     ///< whose roundings are found when they are needed: it stays as it is until then
    at::Tensor roundings{};  ///< of any other operand
  };

  Waiting waiting_of(const Call& call, const ImpactLedger::Error& error, const CastOperand& cast) const;
  static Waiting waiting_of(const ImpactLedger::Error& error, const RoundedOperand& rounded);
  void meet(const at::Tensor& gradient, const Waiting& waiting) const;
  at::Tensor rounding_of(const at::Tensor& operand, at::ScalarType type) const;
  bool is_fp16(at::ScalarType type) const;

  const ImpactOptions options_;
};

}  // namespace ampprof::profiler
