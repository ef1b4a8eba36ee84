// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace ampprof::profiler {

/// A factor by which a program multiplies a loss before its backward.
struct LossFactor {
  const void* tensor = nullptr;      ///< identity of the scalar tensor; null for a plain number
  std::optional<double> value = {};  ///< empty if the factor is a tensor on a device
};

/// Identifies a multiplication in the program's source.
struct LossSite {
  std::int32_t line = 0;  ///< id of the line (SourcePlaces::Id), not its number; 0 if unknown
  std::int32_t nth = 0;   ///< index among a chain's products on this line, from the loss on: (loss * a) / b has 0 and 1

  auto operator<=>(const LossSite&) const = default;
};

/// A multiplication of a one-element value on the way to a backward pass: a loss by its scale, or by a weight.
struct LossProduct {
  LossFactor factor = {};
  LossSite site = {};
};

/// The multiplications from the loss to the root of a backward pass, the last one first. Empty if the root is not a
/// product.
///
/// The values of a chain are numbered: 0 is the root, i + 1 the operand of chain[i].
using LossChain = std::vector<LossProduct>;

}  // namespace ampprof::profiler
