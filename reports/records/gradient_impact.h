// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/records/matmul.h"
#include "reports/records/op_call.h"

namespace ampprof {

/// Records of the errors of gradients, and of their impact on the loss decrease of an update.

/// Source of an error of gradients. Numbers are stored in report files: never renumber.
enum class GradientImpactSource : std::uint8_t {
  OpCall = 0,         ///< a backward op call's local error
  ForwardErrors = 1,  ///< all errors of the forward pass together
};

/// Numbers are stored in report files: never renumber.
enum class GradientImpactGap : std::uint8_t {
  None = 0,
  NoCotangent = 1,     ///< the op's output is an intermediate value of one autograd node, not a gradient of a tensor
  ErrorNotFinite = 2,  ///< the output or its reference is not finite
  LeftOut = 3,         ///< the op's errors did not fit --impact-memory
};

/// Returns the reason as part of a sentence; "" for None.
std::string_view reason_of(GradientImpactGap gap);

/// First-order impact of one call site's errors in one segment on the loss decrease by the segment's update.
struct GradientImpact {
  std::int64_t segment = 0;
  GradientImpactSource source = GradientImpactSource::OpCall;
  std::int64_t call_site = 0;    ///< 0 for forward errors
  Matmul matmul = Matmul::None;  ///< the matmul that a recipe rounds in this call: a convolution's backward has two
  std::optional<double> impact{};
  std::optional<double> square{};  ///< expected square if its roundings are independent; empty if unknown
  GradientImpactGap gap = GradientImpactGap::None;  ///< None if there is an impact
  std::int64_t no_cotangents = 0;                   ///< outputs without a cotangent: intermediate values, left out
  bool is_ranking_only = false;  ///< the direction is a guess: how the update depends on gradients is unknown

  bool operator==(const GradientImpact&) const = default;
};

/// The loss of one segment's batches in high precision, before and after its update.
struct StepDecrease {
  std::int64_t segment = 0;
  double before = 0.0;
  double after = 0.0;

  double decrease() const { return before - after; }
  bool operator==(const StepDecrease&) const = default;
};

/// The gradient of one parameter in the run, unscaled, compared with that of a forward and backward in high precision.
struct GradientError {
  std::int64_t segment = 0;
  std::string parameter;
  std::int64_t elements = 0;
  std::int64_t flushed = 0;  ///< elements that are 0 only in the run
  double sum_sq_error = 0.0;
  double sum_sq_reference = 0.0;
  double sum_sq_run = 0.0;
  double product = 0.0;                      ///< inner product of both gradients
  std::optional<double> sum_sq_change = {};  ///< squared change of the reference since the last segment that has one

  bool operator==(const GradientError&) const = default;
};

}  // namespace ampprof
