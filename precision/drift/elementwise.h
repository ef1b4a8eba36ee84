// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

namespace ampprof::drift {

/// An operand of an element-wise op: one value per element, or one value for all elements. Does not own its memory.
class Operand {
 public:
  /* implicit */ Operand(double value) : value_(value) {}
  /// Takes one value per element; a span of one element is a value for all elements.
  /* implicit */ Operand(std::span<const double> values)
      : value_(values.front()), values_(values.size() == 1 ? nullptr : values.data()) {}

  /// Returns the operand for an optional argument that the call omits; its value is NaN.
  static Operand absent() { return {std::numeric_limits<double>::quiet_NaN()}; }

  double operator[](std::size_t i) const { return values_ == nullptr ? value_ : values_[i]; }

 private:
  double value_;
  const double* values_ = nullptr;
};

/// An element-wise op of ATen in FP64. A `_foreach_` op applies it to each tensor of a list.
struct ElementwiseOp {
  std::string_view name;  ///< ATen name without the `_` of the in-place variant
  std::size_t operands;   ///< number of operands: the first arguments of the op
  /// Computes `result` from `operands` values. Arguments that the call omits have the value `default_value`.
  void (*compute)(std::span<const Operand> operands, std::span<double> result);
  double default_value = std::numeric_limits<double>::quiet_NaN();
};

/// Returns the op with that name; null if the table has none. `name` is ATen's, with or without overload, `_` of an
/// in-place op and `_foreach_`: "add", "add_.Tensor", "_foreach_add_.List".
const ElementwiseOp* elementwise_op(std::string_view name);

}  // namespace ampprof::drift
