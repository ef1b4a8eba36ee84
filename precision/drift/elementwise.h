// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

namespace ampprof::drift {

/// An operand of an element-wise op: one value per element, or one value for all. Does not own its memory.
class Operand {
 public:
  /* implicit */ Operand(double value) : value_(value) {}
  /// A span of one element is a value for all elements.
  /* implicit */ Operand(std::span<const double> values)
      : value_(values.front()), values_(values.size() == 1 ? nullptr : values.data()) {}

  /// An optional argument that was not given.
  static Operand absent() { return {std::numeric_limits<double>::quiet_NaN()}; }

  double operator[](std::size_t i) const { return values_ == nullptr ? value_ : values_[i]; }

 private:
  double value_;
  const double* values_ = nullptr;
};

/// An element-wise op of ATen in FP64. `_foreach_` ops apply it to each member of their lists.
struct ElementwiseOp {
  std::string_view name;  ///< without the `_` of the op that writes to its first argument
  std::size_t operands;   ///< the number of operands it reads, its first arguments
  /// Computes `result` from `operands` values; arguments that the call omits are `default_value`.
  void (*compute)(std::span<const Operand> operands, std::span<double> result);
  double default_value = std::numeric_limits<double>::quiet_NaN();
};

/// Returns the op of that name; null if the table has none. `name` is ATen's, with or without overload, `_` of an
/// in-place op and `_foreach_`: "add", "add_.Tensor", "_foreach_add_.List".
const ElementwiseOp* elementwise_op(std::string_view name);

}  // namespace ampprof::drift
