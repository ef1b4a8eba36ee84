// SPDX-License-Identifier: Apache-2.0
#include "profiler/drift/elementwise_call.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "precision/drift/fused_optimizers.h"
#include "profiler/calls/call.h"

namespace ampprof::profiler {
namespace {

using Argument = ElementwiseCall::Argument;

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

/// Returns element `i` of a list argument, or the argument itself if it is not a list. Returns NaN for None and for an
/// empty list; empty for any other value that is neither a number nor a tensor.
std::optional<Argument> member_of(const c10::IValue& value, std::size_t i) {
  if (value.isNone()) return Argument(kAbsent);
  if (value.isTensor()) return Argument(value.toTensor());
  if (value.isScalar()) {
    const at::Scalar scalar = value.toScalar();
    return scalar.isComplex() ? std::nullopt : std::optional<Argument>(scalar.toDouble());
  }
  if (!value.isList()) return std::nullopt;
  const auto members = value.toListRef();
  if (members.empty()) return Argument(kAbsent);
  return i < members.size() ? member_of(members[i], i) : std::nullopt;
}

/// Returns the argument at index `place` for list element `i`. `_foreach_addcdiv_.Tensor` packs the factors of all
/// elements in one tensor.
std::optional<Argument> argument_of(const CallContext& call, std::size_t place, std::size_t i) {
  auto argument = member_of(call.arguments()[place], i);
  const bool is_packed = call.op.schema().arguments()[place].name() == "scalars";
  const at::Tensor* const tensor = argument && is_packed ? std::get_if<at::Tensor>(&*argument) : nullptr;
  if (tensor == nullptr || tensor->dim() != 1) return argument;
  if (!tensor->device().is_cpu()) return std::nullopt;
  return Argument(tensor->select(0, static_cast<std::int64_t>(i)).item<double>());
}

/// Returns the element-wise op on list element `i`. Takes only the arguments that the op reads; later ones, such as
/// memory_format, do not change values.
std::optional<ElementwiseCall> call_of(const CallContext& call, const drift::ElementwiseOp& op, std::size_t i) {
  ElementwiseCall result{.op = &op};
  for (std::size_t place = 0; place < op.operands; ++place) {
    if (place >= call.arguments().size()) {
      result.arguments.emplace_back(op.default_value);
      continue;
    }
    auto argument = argument_of(call, place, i);
    if (!argument) return std::nullopt;
    result.arguments.push_back(*std::move(argument));
  }
  return result;
}

std::size_t members_of(const c10::IValue& argument) { return argument.isList() ? argument.toListRef().size() : 1; }

at::Tensor target_of(const CallContext& call, std::size_t place, std::size_t i) {
  const auto target = member_of(call.arguments()[place], i);
  const auto* tensor = target ? std::get_if<at::Tensor>(&*target) : nullptr;
  return tensor == nullptr ? at::Tensor() : *tensor;
}

/// Returns whether the call has a string argument, such as a division's rounding mode, which changes what the op
/// computes.
bool has_mode(const CallContext& call) { return std::ranges::any_of(call.arguments(), &c10::IValue::isString); }

}  // namespace

bool ElementwiseCall::overwrites() const { return op->name == "copy" || op->name == "fill" || op->name == "zero"; }

std::vector<ElementwiseCall> elementwise_calls(const CallContext& call) {
  const auto fused = drift::fused_optimizer(call.info.name);
  const auto* const op = fused.empty() ? drift::elementwise_op(call.info.name) : nullptr;
  if (call.arguments().empty() || has_mode(call) || (fused.empty() && op == nullptr)) return {};
  std::vector<ElementwiseCall> calls;
  for (std::size_t i = 0; i < members_of(call.arguments()[0]); ++i) {
    if (op != nullptr) {
      auto one = call_of(call, *op, i);
      if (!one) return {};
      if (call.info.writes_first) one->target = target_of(call, 0, i);
      calls.push_back(*std::move(one));
    }
    for (const drift::FusedWrite& write : fused) {
      auto one = call_of(call, write.op, i);
      if (!one) return {};
      one->target = target_of(call, write.argument, i);
      if (one->target.defined()) calls.push_back(*std::move(one));
    }
  }
  return calls;
}

}  // namespace ampprof::profiler
