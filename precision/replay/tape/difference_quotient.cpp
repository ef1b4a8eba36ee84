// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/tape/difference_quotient.h"

#include <ATen/ATen.h>

#include <optional>
#include <utility>
#include <vector>

#include "precision/replay/reference/arguments.h"
#include "precision/replay/reference/reference.h"
#include "precision/tensors/length.h"

namespace ampprof::tape {
namespace {

/// Differentiates one op along the tangents of its operands, by a central difference of the op in FP64.
class Quotient {
 public:
  Quotient(const c10::OperatorHandle& op, const torch::jit::Stack& stack, std::int64_t level) : op_(op), level_(level) {
    for (const c10::IValue& argument : stack) {
      reference::visit_tensors(argument, [&](const at::Tensor& tensor) {
        if (!reference::is_floating(tensor)) return;
        const auto [value, tangent] = at::_unpack_dual(tensor, level);
        if (tangent.defined()) lengths_.emplace_back(tensors::length_of(value), tensors::length_of(tangent));
      });
    }
  }

  void run(torch::jit::Stack& stack) const {
    const at::Tensor step = step_length();
    const std::vector<at::Tensor> ahead = moved(stack, step);
    const std::vector<at::Tensor> behind = moved(stack, step.neg());
    torch::jit::Stack results = arguments(stack, {}, std::nullopt);
    op_.callBoxed(results);
    std::size_t next = 0;
    for (c10::IValue& result : results) {
      result = reference::change_tensors(result, [&](const at::Tensor& tensor) {
        const std::size_t i = next++;
        if (!reference::is_floating(tensor)) return tensor;
        const at::Tensor tangent = ahead[i].sub(behind[i]).div(step.mul(2.0)).to(tensor.scalar_type());
        return at::_make_dual(tensor, tangent.view_as(tensor), level_);
      });
    }
    stack = std::move(results);
  }

 private:
  /// Returns the factor that scales the tangents to a ten-thousandth of the length of the operands: one element. Does
  /// not wait for the device.
  at::Tensor step_length() const {
    at::Tensor values = at::scalar_tensor(1e-30, at::kDouble), tangents = at::scalar_tensor(1e-300, at::kDouble);
    for (const auto& [value, tangent] : lengths_) {
      values = value.square().add(values);
      tangents = tangent.square().add(tangents);
    }
    return values.div(tangents).sqrt().mul(1e-4);
  }

  /// Returns the arguments, moved by `step` times their tangents. `step` has one element; if undefined, nothing moves.
  /// Casts floating arguments to `type`, if given.
  torch::jit::Stack arguments(const torch::jit::Stack& stack, const at::Tensor& step,
                              std::optional<at::ScalarType> type) const {
    torch::jit::Stack changed;
    for (std::size_t i = 0; i < stack.size(); ++i) {
      c10::IValue argument = reference::change_tensors(stack[i], [&](const at::Tensor& tensor) {
        if (!reference::is_floating(tensor)) return tensor;
        const auto [value, tangent] = at::_unpack_dual(tensor, level_);
        const at::Tensor wide = type ? value.to(*type) : value;
        return tangent.defined() && step.defined() ? wide.add(tangent.to(wide.scalar_type()).mul(step)) : wide;
      });
      const c10::Argument& schema = op_.schema().arguments()[i];
      changed.push_back(type ? reference::in_precision(schema, argument, *type) : std::move(argument));
    }
    return changed;
  }

  std::vector<at::Tensor> moved(const torch::jit::Stack& stack, const at::Tensor& step) const {
    torch::jit::Stack changed = arguments(stack, step, at::kDouble);
    op_.callBoxed(changed);
    return reference::tensors_in(changed);
  }

  const c10::OperatorHandle& op_;
  std::int64_t level_;
  std::vector<std::pair<at::Tensor, at::Tensor>> lengths_;  ///< by moving operand: its length, and that of its tangent
};

}  // namespace

void run_with_quotient(const c10::OperatorHandle& op, torch::jit::Stack& stack, std::int64_t level) {
  Quotient(op, stack, level).run(stack);
}

}  // namespace ampprof::tape
