// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <functional>
#include <optional>
#include <vector>

#include "amp_core/torch_hooks/recompute.h"

namespace amp {

/// The part of a program that backward recomputes.
using Part = std::function<at::Tensor(const at::Tensor&)>;

/// Activation checkpointing as users write it with LibTorch: forward without gradients, and again in backward.
struct Checkpointed : torch::autograd::Function<Checkpointed> {
  struct Held : torch::CustomClassHolder {
    Held(Part held, bool says_so) : part(std::move(held)), has_scope(says_so) {}
    Part part;
    bool has_scope;
  };

  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, const Part& part,
                            bool has_scope) {
    context->save_for_backward({x});
    context->saved_data["part"] = c10::IValue::make_capsule(c10::make_intrusive<Held>(part, has_scope));
    return part(x);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const at::Tensor x = context->get_saved_variables().front().detach().requires_grad_();
    const auto held = c10::static_intrusive_pointer_cast<Held>(context->saved_data["part"].toCapsule());
    at::Tensor y;
    {
      const at::AutoGradMode records_gradients(true);
      std::optional<RecomputeScope> again;
      if (held->has_scope) again.emplace();
      y = held->part(x);
    }
    y.backward(gradients.front());
    return {x.grad(), at::Tensor(), at::Tensor()};
  }
};

/// Returns `part(x)`, recomputed in backward. If `has_scope`, a RecomputeScope announces the recomputation.
inline at::Tensor checkpointed(const Part& part, const at::Tensor& x, bool has_scope = false) {
  return Checkpointed::apply(x, part, has_scope);
}

}  // namespace amp
