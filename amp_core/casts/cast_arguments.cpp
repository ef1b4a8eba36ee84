// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/cast_arguments.h"

#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>

#include "amp_core/base/frontend.h"
#include "amp_core/base/listeners.h"
#include "amp_core/base/reported_cast.h"
#include "amp_core/base/scalar_types.h"
#include "amp_core/casts/module_path.h"
#include "amp_core/levels/properties.h"
#include "amp_core/torch_hooks/boxed_arguments.h"

namespace amp {
namespace {

using Arguments = std::span<c10::IValue>;

/// Tells whether a tensor may be cast. Numbers that LibTorch wrapped in tensors, as in `x * 2`, are not cast: the
/// result has the type of x.
bool is_castable(const at::Tensor& tensor) {
  const auto type = tensor.scalar_type();
  return (type == at::kFloat || is_reduced(type)) && (tensor.is_cpu() || tensor.is_cuda()) &&
         !tensor.unsafeGetTensorImpl()->is_wrapped_number();
}

bool is_low(const at::Tensor& tensor) { return is_reduced(tensor.scalar_type()) && is_castable(tensor); }
bool is_float(const at::Tensor& tensor) { return tensor.scalar_type() == at::kFloat && is_castable(tensor); }

template <class Condition>
bool any_tensor(std::span<const c10::IValue> arguments, Condition&& holds) {
  bool any = false;
  for (const auto& argument : arguments) {
    visit_tensors(argument, [&](const at::Tensor& tensor) { any = any || holds(tensor); });
  }
  return any;
}

at::Tensor cast(const at::Tensor& tensor, at::ScalarType type, CastCache& cache) {
  if (!CastCache::can_hold(tensor, type)) return reported_cast(tensor, type);
  if (at::Tensor copy = cache.find(tensor, type); copy.defined()) {
    tell([&](Listener& listener) {
      listener.cast_inserted({.from = tensor.scalar_type(), .to = type, .cache_hit = true});
    });
    return copy;
  }
  at::Tensor copy = reported_cast(tensor, type);
  cache.insert(tensor, copy);
  return copy;
}

void cast_value(c10::IValue& value, at::ScalarType type, CastCache& cache) {
  const auto needs_cast = [type](const at::Tensor& tensor) {
    return tensor.defined() && tensor.scalar_type() != type && is_castable(tensor);
  };
  if (value.isTensor()) {
    if (needs_cast(value.toTensor())) value = cast(value.toTensor(), type, cache);
  } else if (any_tensor({&value, 1}, needs_cast)) {
    change_tensors(value, [&](const at::Tensor& each) { return needs_cast(each) ? cast(each, type, cache) : each; });
  }
}

void cast_all(const CastCall& call, Arguments arguments, at::ScalarType type, std::size_t first = 0) {
  for (std::size_t i = first; i < arguments.size(); ++i) {
    if (call.places.is_cast(i)) cast_value(arguments[i], type, call.cache);
  }
}

void output_in_fp32(const CastCall& call, Arguments arguments) {
  if (!call.places.dtype) return cast_all(call, arguments, at::kFloat);
  c10::IValue& dtype = arguments[*call.places.dtype];
  const bool is_eligible = arguments.front().isTensor() && is_castable(arguments.front().toTensor());
  if (is_eligible && dtype.isNone()) dtype = at::kFloat;
}

void promote(const CastCall& call, Arguments arguments) {
  if (any_tensor(arguments, is_low) && any_tensor(arguments, is_float)) cast_all(call, arguments, at::kFloat);
}

void match_self(const CastCall& call, Arguments arguments) {
  if (!arguments.front().isTensor()) return;
  const at::Tensor& self = arguments.front().toTensor();
  if (is_castable(self)) cast_all(call, arguments, self.scalar_type(), /*first=*/1);
}

void refuse_low(const CastCall& call, Arguments arguments) {
  if (c10::InferenceMode::is_enabled()) return;  // the call may be LibTorch's own: in_kernel() cannot tell here
  if (!arguments.front().isTensor() || !is_low(arguments.front().toTensor())) return;
  TORCH_CHECK(false, call.op.operator_name().name,
              " runs in FP32 under O1, but its in-place form would have to write the result into a ",
              arguments.front().toTensor().scalar_type(),
              " tensor. Use the form without an underscore, or cast the tensor to FP32 first.");
}

void ban(const CastCall& call, Arguments arguments) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      !any_tensor(arguments, is_low), call.op.operator_name().name,
      frontend().reword(
          " (torch::nn::functional::binary_cross_entropy, torch::nn::BCELoss) is not safe with half inputs: the log of "
          "a sigmoid that FP16 rounds to 0 or 1 is infinite. Its inputs must be FP32. Do one of three things: (1) use "
          "binary_cross_entropy_with_logits (BCEWithLogitsLoss) on the values before the sigmoid, which is safe under "
          "O1; (2) call amp::register_float_function(\"sigmoid\") before amp::initialize, so that the sigmoid computes "
          "and returns FP32; (3) call amp::register_float_function(\"binary_cross_entropy\") before amp::initialize, "
          "which lifts this ban and casts the arguments to FP32, if you know that they stay away from 0 and 1."));
}

/// Appends " decoder.weight (Half)" for a parameter, " Float" for another tensor.
void describe(std::string& text, const at::Tensor& tensor) {
  const std::string name = parameter_name(tensor);
  const std::string type(toString(tensor.scalar_type()));
  text += text.empty() ? "" : ", ";
  text += name.empty() ? type : name + " (" + type + ')';
}

void refuse_mixed(const CastCall& call, Arguments arguments) {
  if (!any_tensor(arguments, is_low) || !any_tensor(arguments, is_float)) return;
  std::string types;
  for (const auto& argument : arguments) {
    visit_tensors(argument, [&](const at::Tensor& tensor) {
      if (is_castable(tensor)) describe(types, tensor);
    });
  }
  const std::string module = module_path_of(arguments);
  throw Error(
      call.op.operator_name().name + (module.empty() ? "" : " in " + module) +
      " got tensors of several types: " + types +
      frontend().reword(". At O2 and O3 the model is half: call it through amp::forward(model, ...), which casts "
                        "its inputs, instead of model->forward(...)."));
}

}  // namespace

ArgumentProperties::ArgumentProperties(const c10::FunctionSchema& schema) : count(schema.arguments().size()) {
  for (std::size_t i = 0; i < count; ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    const bool is_optional = argument.type()->kind() == c10::TypeKind::OptionalType;
    if (argument.name() == "dtype" && is_optional) dtype = i;
    // Batch norm writes its running statistics although its schema does not say so. If the statistics were cast, the
    // update would go to a copy and be lost.
    const bool is_statistics = argument.name() == "running_mean" || argument.name() == "running_var";
    const bool is_written = argument.alias_info() != nullptr && argument.alias_info()->isWrite();
    if ((is_statistics || is_written) && i < 64) never_cast |= std::uint64_t{1} << i;
  }
}

void cast_arguments(const CastCall& call, std::span<c10::IValue> arguments) {
  switch (call.policy) {
    case CastPolicy::Pass:
      return;
    case CastPolicy::Low:
      return cast_all(call, arguments, call.low_type);
    case CastPolicy::Fp32:
      return cast_all(call, arguments, at::kFloat);
    case CastPolicy::Fp32Output:
      return output_in_fp32(call, arguments);
    case CastPolicy::Promote:
      return promote(call, arguments);
    case CastPolicy::MatchSelf:
      return match_self(call, arguments);
    case CastPolicy::RefuseLow:
      return refuse_low(call, arguments);
    case CastPolicy::Banned:
      return ban(call, arguments);
    case CastPolicy::RefuseMixed:
      return refuse_mixed(call, arguments);
  }
}

}  // namespace amp
