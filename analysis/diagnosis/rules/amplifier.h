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

inline constexpr double kBadGradient = 0.25;  ///< relative error of a gradient

/// Returns the row of the gradient that is most off, by at least kBadGradient; null where all are better.
const queries::GradientErrorRow* bad_gradient(const Symptoms& symptoms);

/// The first op whose result is wrong although it rounds well itself, and what is off because of it.
struct Amplifier {
  const queries::OpRow* op;
  double error;             ///< of gradients, or of what inference returns; relative
  std::string consequence;  ///< a sentence
};

/// Returns nothing where gradients are less than a quarter off, and what inference returns less than a tenth.
std::optional<Amplifier> amplifier_of(const Symptoms& symptoms);

}  // namespace ampprof::analysis
