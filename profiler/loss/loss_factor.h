// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace ampprof::profiler {

/// The number that a loss was multiplied by before its backward, as far as the multiplication tells.
struct LossFactor {
  const void* tensor = nullptr;      ///< identity of the scalar tensor; null for a number of the program's
  std::optional<double> value = {};  ///< empty where it lies on a device
};

/// Tells the multiplications of a program apart.
struct LossSite {
  std::int32_t line = 0;  ///< that multiplies (SourcePlaces::Id); 0 where it is not known
  std::int32_t nth = 0;   ///< of those of a chain on this line, from the loss on: (loss * a) / b has 0 and 1

  auto operator<=>(const LossSite&) const = default;
};

/// A multiplication of one value on the way to a backward pass: a loss by its scale, or by a weight.
struct LossProduct {
  LossFactor factor = {};
  LossSite site = {};
};

/// The multiplications that made the root of a pass, the last one first. Empty where the root is no product.
///
/// The values of a chain are numbered: 0 is the root, i + 1 the operand of chain[i].
using LossChain = std::vector<LossProduct>;

}  // namespace ampprof::profiler
