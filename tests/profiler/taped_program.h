// SPDX-License-Identifier: Apache-2.0
// An observer that only tapes forward calls and shows backward calls to a function, and FP64 models for it. Include
// this in one file of a program only; the program must have no other observer.
#pragma once

#include <torch/csrc/autograd/function.h>
#include <torch/library.h>
#include <torch/torch.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "precision/replay/reference/arithmetic.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "profiler/torch_hooks/leaf_calls.h"
#include "profiler/torch_hooks/observer_key.h"
#include "profiler/torch_hooks/torch_state.h"
#include "tests/flash_attention_on_cpu.h"

namespace ampprof::taped_program {

using at::Tensor;
namespace nn = torch::nn;

// A bare observer -----------------------------------------------------------------------------------------------------

/// A function that sees each call in a backward pass.
using LookAtBackward = std::function<void(const c10::OperatorHandle& op, const std::vector<c10::IValue>& arguments,
                                          const std::vector<c10::IValue>& results)>;

struct Watch {
  profiler::LeafObserver* tape = nullptr;
  LookAtBackward backward;
  profiler::LeafObserver* forward = nullptr;  ///< sees the calls in the forward pass
};
inline Watch g_watch;

inline void watch(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  const auto below = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, profiler::kObserverKey);
  if (profiler::is_inside_leaves()) return profiler::run_inner(op, below, *stack);
  if (profiler::inside_backward() && g_watch.backward) {
    const auto arguments = torch::jit::last(*stack, op.schema().arguments().size()).vec();
    {
      const c10::impl::ExcludeDispatchKeyGuard inner(profiler::kObserverKey);
      op.redispatchBoxed(below, stack);
    }
    const tensors::ObserverDisabledGuard guard;
    return g_watch.backward(op, arguments, torch::jit::last(*stack, op.schema().returns().size()).vec());
  }
  std::vector<profiler::LeafObserver*> observers;
  for (profiler::LeafObserver* observer : {g_watch.forward, g_watch.tape}) {
    if (observer != nullptr) observers.push_back(observer);
  }
  if (observers.empty() || profiler::inside_backward()) return op.redispatchBoxed(below, stack);
  profiler::run_in_leaves(observers, op, below, *stack);
}

TORCH_LIBRARY_IMPL(_, TESTING_ONLY_GenericMode, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&watch>());
}

/// Observes the ops of this thread until it is destroyed.
class Watching {
 public:
  explicit Watching(profiler::LeafObserver* tape, LookAtBackward backward = {},
                    profiler::LeafObserver* forward = nullptr) {
    g_watch = {tape, std::move(backward), forward};
    profiler::observe_this_thread();
  }
  ~Watching() {
    profiler::ignore_this_thread();
    g_watch = {};
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;
};

// Models, in FP64 -----------------------------------------------------------------------------------------------------

struct Model {
  std::shared_ptr<nn::Module> module;
  std::function<Tensor()> loss;
};

struct ModelCase {
  const char* name;
  Model (*make)();
};

inline void PrintTo(const ModelCase& model, std::ostream* out) { *out << model.name; }

inline Tensor numbers(std::vector<std::int64_t> sizes) { return at::randn(sizes, at::kDouble); }

inline Model perceptron() {
  nn::Sequential net(nn::Linear(12, 16), nn::Tanh(), nn::Linear(16, 5));
  return {net.ptr(), [net, x = numbers({8, 12})]() mutable { return net->forward(x).square().mean(); }};
}

inline Model convolutions() {
  nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(3, 8, 3).padding(1)), nn::BatchNorm2d(8),
                     nn::ReLU(nn::ReLUOptions(true)), nn::MaxPool2d(2), nn::Conv2d(nn::Conv2dOptions(8, 4, 3)),
                     nn::Flatten(), nn::Linear(4 * 2 * 2, 5));
  return {net.ptr(), [net, x = numbers({4, 3, 8, 8})]() mutable {
            return torch::cross_entropy_loss(net->forward(x), at::arange(4, at::kLong));
          }};
}

/// Returns a model with layer norm, an embedding, views, slices written in place, dropout, and attention.
inline Model attention_by(Tensor (*attend)(const Tensor& query, const Tensor& key, const Tensor& value)) {
  nn::Embedding table(11, 8);
  nn::LayerNorm norm(nn::LayerNormOptions({8}));
  nn::Linear project(8, 24), out(8, 8);
  auto all = std::make_shared<nn::Module>("all");
  all->register_module("table", table.ptr());
  all->register_module("norm", norm.ptr());
  all->register_module("project", project.ptr());
  all->register_module("out", out.ptr());
  const Tensor words = at::randint(11, {2, 6}, at::kLong);
  return {all, [=]() mutable {
            at::manual_seed(5);
            const Tensor x = norm(table(words));
            const auto parts = project(x).view({2, 6, 3, 2, 4}).permute({2, 0, 3, 1, 4}).unbind(0);
            const Tensor mixed = attend(parts[0], parts[1], parts[2]);
            Tensor y = x + at::dropout(out(mixed.transpose(1, 2).reshape({2, 6, 8})), 0.3, true);
            y = y * 1.0;
            y.slice(2, 0, 3).mul_(0.5);
            return at::gelu(y).square().sum() * 0.1 + y.detach().sum() * x.mean();
          }};
}

inline Model attention() {
  return attention_by([](const Tensor& query, const Tensor& key, const Tensor& value) {
    return at::scaled_dot_product_attention(query, key, value, {}, 0.0, /*is_causal=*/true);
  });
}

/// Returns a model with an op whose kernels exist only in FP16 and BF16, except on the CPU.
inline Model flash_attention() {
  return attention_by([](const Tensor& query, const Tensor& key, const Tensor& value) {
    return std::get<0>(at::_scaled_dot_product_flash_attention(query, key, value, 0.0, /*is_causal=*/true));
  });
}

inline Model recurrent() {
  nn::GRU net(nn::GRUOptions(6, 7));
  return {net.ptr(), [net, x = numbers({5, 3, 6})]() mutable { return std::get<0>(net->forward(x)).square().mean(); }};
}

inline const ModelCase kModels[]{{"perceptron", perceptron},
                                 {"convolutions", convolutions},
                                 {"attention", attention},
                                 {"flash_attention", flash_attention},
                                 {"recurrent", recurrent}};

/// A linear layer with its own forward and backward, like fused layers.
struct OwnLinear : torch::autograd::Function<OwnLinear> {
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& x, const Tensor& weight) {
    context->save_for_backward({x, weight});
    return x.mm(weight.t());
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    return {gradients[0].mm(saved[1]), gradients[0].t().mm(saved[0])};
  }
};

inline Model custom_function() {
  nn::Linear first(12, 16), own(nn::LinearOptions(16, 5).bias(false)), last(5, 4);
  auto all = std::make_shared<nn::Module>("all");
  all->register_module("first", first.ptr());
  all->register_module("own", own.ptr());
  all->register_module("last", last.ptr());
  return {all, [=, x = numbers({8, 12})]() mutable {
            return last(OwnLinear::apply(first(x).tanh(), own->weight).tanh()).square().mean();
          }};
}

inline std::vector<profiler::BackwardRoot> roots_at(const Tensor& loss) {
  return {{loss.grad_fn().get(), static_cast<std::uint32_t>(loss.output_nr()), loss.grad_fn()->sequence_nr()}};
}

inline std::vector<Tensor> noise_like(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> all;
  for (const Tensor& tensor : tensors) all.push_back(at::randn_like(tensor.detach()));
  return all;
}

inline std::vector<Tensor> copies(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> all;
  for (const Tensor& tensor : tensors) all.push_back(tensor.detach().clone());
  return all;
}

inline Model made(const ModelCase& model, std::uint64_t seed = 3) {
  at::manual_seed(seed);
  Model ready = model.make();
  ready.module->to(at::kDouble);
  return ready;
}

}  // namespace ampprof::taped_program
