// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace ampprof::queries {
struct GradientErrorRow;
struct OpRow;
}  // namespace ampprof::queries

namespace ampprof::analysis {

struct Symptoms;

inline constexpr double kBadGradient = 0.25;  ///< smallest relative error of a bad gradient

/// Returns the row of the gradient with the largest error of at least kBadGradient; null if all are smaller.
const queries::GradientErrorRow* bad_gradient(const Symptoms& symptoms);

/// The first op whose result is wrong although its own rounding is small, and the effect on the run.
struct Amplifier {
  const queries::OpRow* op;
  double error;             ///< relative error of gradients, or of the result of inference
  std::string consequence;  ///< a sentence
};

/// Returns the amplifier of the forward pass if a gradient is off by a quarter or more, else the amplifier of inference
/// if its result is off by a tenth or more; empty if there is none.
std::optional<Amplifier> amplifier_of(const Symptoms& symptoms);

}  // namespace ampprof::analysis
