// SPDX-License-Identifier: Apache-2.0
#include "amp_core/emulation/emulated_kernel.h"

#include <ATen/Functions.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "amp_core/base/scalar_types.h"
#include "amp_core/emulation/half_on_cpu.h"
#include "amp_core/levels/error.h"
#include "amp_core/torch_hooks/boxed_arguments.h"

namespace amp {
namespace {

std::atomic<bool> was_used{false};

static_assert(std::ranges::count_if(kReducedTypes, &ReducedTypeInfo::is_emulated_on_cpu) == 1,
              "the ops of half_ops.cpp are those of one type");
constexpr at::ScalarType kHalf =
    kScalarTypes[std::ranges::find_if(kReducedTypes, &ReducedTypeInfo::is_emulated_on_cpu) - kReducedTypes.begin()];

bool is_half(const at::Tensor& tensor) {
  return tensor.scalar_type() == kHalf || tensor.scalar_type() == at::toComplexType(kHalf);
}

at::Tensor widened(const at::Tensor& tensor) {
  if (!is_half(tensor)) return tensor;
  return tensor.to(tensor.is_complex() ? at::kComplexFloat : at::kFloat);
}

at::Tensor narrowed(const at::Tensor& tensor) {
  if (tensor.scalar_type() == at::kFloat) return tensor.to(kHalf);
  return tensor.scalar_type() == at::kComplexFloat ? tensor.to(at::toComplexType(kHalf)) : tensor;
}

/// Tells whether there are floating arguments and all are half. Reads only types, to be fast: calls that are not
/// emulated pay for this test too.
bool all_half(std::span<const c10::IValue> arguments, const EmulatedOp& op) {
  bool any = false;
  bool all = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (static_cast<int>(i) == op.float_argument) continue;
    visit_tensors(arguments[i], [&](const at::Tensor& tensor) {
      if (!tensor.is_floating_point() && !tensor.is_complex()) return;
      all = all && is_half(tensor) && tensor.is_cpu() && (op.key != c10::DispatchKey::SparseCPU || tensor.is_sparse());
      any = true;
    });
  }
  return any && all;
}

}  // namespace

bool half_was_emulated() { return was_used.load(std::memory_order_relaxed); }

EmulatedKernel::EmulatedKernel(ReplacedKernel replaced, const c10::FunctionSchema& schema, const EmulatedOp& op)
    : replaced_(std::move(replaced)),
      op_(op),
      arguments_(schema.arguments().size()),
      results_(schema.returns().size()) {
  for (std::size_t i = 0; i < arguments_; ++i) {
    const auto& argument = schema.arguments()[i];
    if (argument.alias_info() == nullptr || !argument.alias_info()->isWrite()) continue;
    written_.push_back({i, argument.is_out()});
  }
}

void EmulatedKernel::operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  const auto arguments = last_values(*stack, arguments_);
  if (!all_half(arguments, op_)) return replaced_.call(op, keys, stack);
  if (!was_used.load(std::memory_order_relaxed)) was_used.store(true, std::memory_order_relaxed);
  const std::vector<Stand> written = widen(arguments);
  replaced_.call(op, keys, stack);
  narrow(last_values(*stack, results_), written);
}

std::vector<EmulatedKernel::Stand> EmulatedKernel::widen(std::span<c10::IValue> arguments) const {
  std::vector<Stand> written;
  for (const auto& [place, is_out] : written_) {
    if (arguments[place].isTensor()) written.push_back({arguments[place].toTensor(), {}, is_out});
  }
  for (auto& argument : arguments) change_tensors(argument, widened);
  auto stand = written.begin();
  for (const auto& [place, is_out] : written_) {
    if (!arguments[place].isTensor()) continue;
    at::Tensor tensor = arguments[place].toTensor();
    if (is_out && !tensor.is_same(stand->original)) arguments[place] = tensor = at::empty({0}, tensor.options());
    (stand++)->computed = tensor;
  }
  return written;
}

void EmulatedKernel::narrow(std::span<c10::IValue> results, const std::vector<Stand>& written) const {
  for (const auto& [original, computed, is_out] : written) {
    if (original.is_same(computed)) continue;
    if (is_out) original.resize_(computed.sizes());
    original.copy_(computed);
  }
  for (auto& result :
       results.first(std::min<std::size_t>(results.size(), static_cast<std::size_t>(op_.half_results)))) {
    change_tensors(result, [&](const at::Tensor& tensor) {
      const auto is_it = [&](const Stand& stand) { return stand.computed.is_same(tensor); };
      const auto stand = std::find_if(written.begin(), written.end(), is_it);
      return stand == written.end() ? narrowed(tensor) : stand->original;
    });
  }
}

RefusingKernel::RefusingKernel(ReplacedKernel replaced, const c10::FunctionSchema& schema, const RefusedOp& op)
    : replaced_(std::move(replaced)), op_(op), arguments_(schema.arguments().size()) {}

void RefusingKernel::operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  if (!all_half(last_values(*stack, arguments_), {op_.name})) return replaced_.call(op, keys, stack);
  throw Error(std::string(op_.function) + " (" + op.operator_name().name +
              ") got FP16 tensors, but LibTorch cannot compute it in FP16, neither on the CPU nor on CUDA. Compute it "
              "in FP32: call it on x.to(torch::kFloat) (x.float() in Python), or wrap its caller in "
              "amp::float_function; at O1, amp::register_float_function(\"" +
              op_.function + "\") casts its inputs.");
}

}  // namespace amp
