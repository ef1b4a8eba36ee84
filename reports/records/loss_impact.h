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

/// A sentence's worth of reason; "" for None.
std::string_view reason_of(ImpactGap gap);

/// Source of a change of the loss. Numbers are stored in report files: never renumber.
enum class ImpactSource : std::uint8_t {
  OpCall = 0,     ///< an op call's local error
  Parameter = 1,  ///< the rounding of a parameter that the model holds in reduced precision
  Input = 2,      ///< the rounding of what came in from outside, as an input batch; no call is known to have made it
  BeforeGradients = 3,  ///< an op call's local error that no gradient leads to: in a count, a buffer, a frozen part
  Decision = 4,         ///< likewise, where it changed integers on the way: an index, a mask
};

/// Gradient that an error met. Numbers are stored in report files: never renumber.
enum class ImpactGradient : std::uint8_t {
  Run = 0,     ///< that of the run
  Shadow = 1,  ///< that of the shadow: the run's own may be flushed
  Mean = 2,    ///< the mean of both, which counts what errors do together
};

/// "run", "shadow", "mean".
std::string_view name_of(ImpactGradient gradient);

/// Expected squares of the change of one loss, by what was rounded: each a sum of (gradient times rounding)^2 over the
/// elements, which are rounded independently of each other, divided by the square of the loss scale. Empty where
/// nothing of that kind was measured.
struct ImpactSquares {
  std::optional<double> activation{};  ///< operands that are computed, or come in a batch
  std::optional<double> weight{};      ///< operands that are parameters
  std::optional<double> output{};

  /// Returns E^2, the sum; empty where there is none of them.
  std::optional<double> sum() const;
  /// Adds what another part has.
  void add(const ImpactSquares& other);

  bool operator==(const ImpactSquares&) const = default;
};

/// First-order change of one loss by one error: the sum of gradient times error, divided by the loss scale.
struct LossImpact {
  std::int64_t segment = 0;
  std::int32_t loss_id = 0;
  ImpactSource source = ImpactSource::OpCall;
  std::int64_t call_site = 0;  ///< that made the error; of Input the one that took it; 0 for a parameter
  std::string name;            ///< of the parameter; "" otherwise
  std::optional<double> impact;
  ImpactGap gap = ImpactGap::None;  ///< None where there is an impact
  ImpactSquares squares{};          ///< of the error's roundings; empty where they are not known
  ImpactGradient gradient = ImpactGradient::Run;
};

}  // namespace ampprof
