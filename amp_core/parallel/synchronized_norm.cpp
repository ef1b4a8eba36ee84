// SPDX-License-Identifier: Apache-2.0
#include "amp_core/parallel/synchronized_norm.h"

#include <ATen/Functions.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/custom_function.h>

#include <optional>
#include <vector>

#include "amp_core/levels/error.h"

namespace amp::parallel {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Returns one row of each rank, in rank order.
at::Tensor gather_rows(const at::Tensor& row, c10d::ProcessGroup& group) {
  std::vector<at::Tensor> sent{row};
  std::vector<std::vector<at::Tensor>> received(1);
  for (int rank = 0; rank < group.getSize(); ++rank) received.front().push_back(at::empty_like(row));
  group.allgather(received, sent)->wait();
  return at::stack(received.front());
}

void add_over_ranks(const at::Tensor& sums, c10d::ProcessGroup& group) {
  std::vector<at::Tensor> tensors{sums};
  group.allreduce(tensors)->wait();
}

/// Returns the tensor in the memory format of `like`: kernels require the same memory format for input and gradient.
at::Tensor in_memory_format_of(const at::Tensor& tensor, const at::Tensor& like) {
  return tensor.contiguous(like.suggest_memory_format());
}

/// Returns the gradient of the ReLU's input, where `output` is the ReLU's result. If `output` is undefined, there is no
/// ReLU: returns `gradient`.
at::Tensor before_relu(const at::Tensor& gradient, const at::Tensor& output) {
  return output.defined() ? at::threshold_backward(gradient, output, 0) : gradient;
}

std::optional<at::Tensor> if_defined(const at::Tensor& tensor) {
  return tensor.defined() ? std::optional(tensor) : std::nullopt;
}

/// Disables casts in its scope.
class [[nodiscard]] WithoutCasts {
  c10::impl::ExcludeDispatchKeyGuard keys_{c10::autocast_dispatch_keyset};
};

/// The autograd function of synchronized_norm(). Takes weight and bias as arguments of their own, besides `settings`,
/// so that autograd sees them.
struct SynchronizedFunction : torch::autograd::Function<SynchronizedFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input, const std::optional<at::Tensor>& addend,
                            const std::optional<at::Tensor>& weight, const std::optional<at::Tensor>& bias,
                            const NormSettings& settings);
  static variable_list backward(AutogradContext* context, const variable_list& gradients);
};

at::Tensor SynchronizedFunction::forward(AutogradContext* context, const at::Tensor& input,
                                         const std::optional<at::Tensor>& addend,
                                         const std::optional<at::Tensor>& weight, const std::optional<at::Tensor>& bias,
                                         const NormSettings& settings) {
  const WithoutCasts without_casts;
  const AffineParameters affine{weight.value_or(at::Tensor()), bias.value_or(at::Tensor())};
  const at::Tensor x = in_memory_format_of(input, input);
  const at::Tensor rows = gather_rows(local_statistics(x, settings.eps), *settings.group);
  const BatchStatistics statistics = merge_statistics(rows, settings.running, settings.eps);
  const at::Tensor output = normalize(x, statistics, affine);
  if (addend) output.add_(*addend);
  if (settings.fuse_relu) output.relu_();
  context->save_for_backward({x, affine.weight, statistics.mean, statistics.inverse_deviation, statistics.counts,
                              settings.fuse_relu ? output : at::Tensor()});
  context->saved_data["group"] = c10::IValue::make_capsule(settings.group);
  context->saved_data["has_addend"] = addend.has_value();
  return output;
}

variable_list SynchronizedFunction::backward(AutogradContext* context, const variable_list& gradients) {
  if (c10::GradMode::is_enabled()) {
    throw Error("Synchronized batch norm has no second derivative: run backward without create_graph.");
  }
  const WithoutCasts without_casts;
  const variable_list saved = context->get_saved_variables();
  const at::Tensor gradient = before_relu(gradients.front(), saved[5]);
  const NormBackward norm{in_memory_format_of(gradient, saved[0]), saved[0], saved[1], {saved[2], saved[3], saved[4]}};
  const GradientSums local = reduce_gradient(norm);
  at::Tensor of_input;
  if (context->needs_input_grad(0)) {
    add_over_ranks(local.sums, static_cast<c10d::ProcessGroup&>(*context->saved_data["group"].toCapsule()));
    of_input = input_gradient(norm, local.sums);
  }
  const bool has_addend = context->saved_data["has_addend"].toBool();
  return {of_input, has_addend ? gradient : at::Tensor(), local.weight, local.bias, at::Tensor()};
}

}  // namespace

at::Tensor synchronized_norm(const at::Tensor& input, const at::Tensor& addend, const NormSettings& settings) {
  return SynchronizedFunction::apply(input, if_defined(addend), if_defined(settings.affine.weight),
                                     if_defined(settings.affine.bias), settings);
}

}  // namespace amp::parallel
