// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/records/matmul.h"
#include "reports/records/op_call.h"

namespace ampprof {

/// Records of what errors do to gradients, and by them to how far an update decreases the loss.

/// Source of an error of gradients. Numbers are stored in report files: never renumber.
enum class GradientImpactSource : std::uint8_t {
  OpCall = 0,         ///< a backward op call's local error
  ForwardErrors = 1,  ///< all errors of the forward pass together
};

/// Numbers are stored in report files: never renumber.
enum class GradientImpactGap : std::uint8_t {
  None = 0,
  NoCotangent = 1,     ///< its output is part of what one autograd node computes, no gradient of a tensor
  ErrorNotFinite = 2,  ///< the output or its reference is not finite
  LeftOut = 3,         ///< its errors did not fit --impact-memory
};

/// A sentence's worth of reason; "" for None.
std::string_view reason_of(GradientImpactGap gap);

/// To first order: what the errors of one call site in one segment add to the decrease of the loss by its update.
struct GradientImpact {
  std::int64_t segment = 0;
  GradientImpactSource source = GradientImpactSource::OpCall;
  std::int64_t call_site = 0;    ///< 0 for forward errors
  Matmul matmul = Matmul::None;  ///< that a recipe rounds in this call: a convolution's backward is two
  std::optional<double> impact{};
  std::optional<double> square{};  ///< expected square, its roundings being independent; empty where it is not known
  GradientImpactGap gap = GradientImpactGap::None;  ///< None where there is an impact
  std::int64_t no_cotangents = 0;                   ///< outputs of these calls that are part of a node alone, left out
  bool is_ranking_only = false;  ///< the direction is a guess: how the update depends on gradients is not known

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

/// One parameter's gradient as the run made it, unscaled, against that of a forward and backward in high precision.
struct GradientError {
  std::int64_t segment = 0;
  std::string parameter;
  std::int64_t elements = 0;
  std::int64_t flushed = 0;  ///< 0 in the run alone
  double sum_sq_error = 0.0;
  double sum_sq_reference = 0.0;
  double sum_sq_run = 0.0;
  double product = 0.0;                      ///< of both
  std::optional<double> sum_sq_change = {};  ///< of the reference, since the last segment that has one: its noise

  bool operator==(const GradientError&) const = default;
};

}  // namespace ampprof
