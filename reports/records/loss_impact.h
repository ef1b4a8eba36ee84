// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/records/op_call.h"

namespace ampprof {

/// Why a loss impact has no value. Numbers are stored in report files: never renumber.
enum class ImpactGap : std::uint8_t {
  None = 0,
  GradientNotFinite = 1,
  ScaleUnknown = 2,
  ErrorNotFinite = 3,  ///< the output or its reference is not finite
  NoMaster = 4,        ///< a half parameter without an FP32 original to compare it with
};

/// Returns the reason as part of a sentence; "" for None.
std::string_view reason_of(ImpactGap gap);

/// Source of a change of the loss. Numbers are stored in report files: never renumber.
enum class ImpactSource : std::uint8_t {
  OpCall = 0,           ///< an op call's local error
  Parameter = 1,        ///< the rounding of a parameter that the model holds in reduced precision
  Input = 2,            ///< the rounding of external data, such as an input batch: no recorded call produced it
  BeforeGradients = 3,  ///< the local error of an op call that no gradient reaches: in a count, a buffer, a frozen part
  Decision = 4,         ///< like BeforeGradients, if the error changed integers: an index, a mask
};

/// The gradient that an error was multiplied by. Numbers are stored in report files: never renumber.
enum class ImpactGradient : std::uint8_t {
  Run = 0,     ///< the gradient of the run
  Shadow = 1,  ///< the gradient of the shadow, since the run's gradient may be flushed to 0
  Mean = 2,    ///< the mean of both gradients, which includes the joint effect of errors
};

/// Returns "run", "shadow" or "mean".
std::string_view name_of(ImpactGradient gradient);

/// Expected squares of the change of one loss, by the operand that was rounded. Each is a sum of (gradient times
/// rounding)^2 over the elements, whose roundings are independent, divided by the square of the loss scale. Empty if no
/// rounding of such operands was measured.
struct ImpactSquares {
  std::optional<double> activation{};  ///< operands that are activations or input batches
  std::optional<double> weight{};      ///< operands that are parameters
  std::optional<double> output{};

  /// Returns E^2, the sum of the three squares; empty if all three are empty.
  std::optional<double> sum() const;
  /// Adds the squares of another error.
  void add(const ImpactSquares& other);

  bool operator==(const ImpactSquares&) const = default;
};

/// First-order change of one loss due to one error: the sum of gradient times error, divided by the loss scale.
struct LossImpact {
  std::int64_t segment = 0;
  std::int32_t loss_id = 0;
  ImpactSource source = ImpactSource::OpCall;
  std::int64_t call_site = 0;  ///< call site of the error; for Input that of the consumer; 0 for a parameter
  std::string name;            ///< name of the parameter; "" otherwise
  std::optional<double> impact;
  ImpactGap gap = ImpactGap::None;  ///< None if there is an impact
  ImpactSquares squares{};          ///< expected squares due to the error's roundings; empty if unknown
  ImpactGradient gradient = ImpactGradient::Run;
};

}  // namespace ampprof
