// SPDX-License-Identifier: Apache-2.0
// The classes that the package `apex` finds as torch.classes.amp_apex. They need nothing of CPython, so that one
// library serves every version of Python.

#include <torch/library.h>

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "amp_core/multi_tensor/multi_tensor.h"
#include "amp_core/optimizers/larc.h"
#include "amp_core/parallel/batch_norm_steps.h"
#include "amp_core/parallel/synchronized_norm.h"
#include "apex/binding/engine.h"
#include "apex/binding/sentences.h"

namespace apex {
namespace {

/// Functions that need no engine.
class Functions : public torch::CustomClassHolder {};

using Self = c10::intrusive_ptr<Functions>;

void adapt_gradients(const Self&, const Tensors& parameters, double trust_coefficient, bool clip, double eps, double lr,
                     double weight_decay) {
  translated([&] {
    amp::adapt_gradients(parameters, {.trust_coefficient = trust_coefficient, .clip = clip, .eps = eps}, lr,
                         weight_decay);
  });
}

void scale(const Self&, const Tensors& in, const Tensors& out, double factor, const at::Tensor& found_inf) {
  translated([&] { amp::multi_tensor::scale(in, out, factor, found_inf); });
}

void axpby(const Self&, double a, const Tensors& x, double b, const Tensors& y, const Tensors& out,
           const at::Tensor& found_inf, std::int64_t checked) {
  using amp::multi_tensor::Checked;
  const Checked which = checked < 0 ? Checked::Both : checked == 0 ? Checked::X : Checked::Y;
  translated([&] { amp::multi_tensor::axpby(a, x, b, y, out, found_inf, which); });
}

std::tuple<at::Tensor, at::Tensor> l2norm(const Self&, const Tensors& tensors) {
  return translated([&]() -> std::tuple<at::Tensor, at::Tensor> {
    const auto norms = amp::multi_tensor::l2norm(tensors);
    return {norms.global, norms.per_tensor};
  });
}

at::Tensor batch_norm(const Self&, const at::Tensor& input, const std::optional<at::Tensor>& addend,
                      const std::vector<std::optional<at::Tensor>>& affine_and_running, double momentum, double eps,
                      bool fuse_relu, const c10::intrusive_ptr<c10d::ProcessGroup>& group) {
  const auto tensor = [](const std::optional<at::Tensor>& given) { return given.value_or(at::Tensor()); };
  const auto& all = affine_and_running;
  return translated([&] {
    return amp::parallel::synchronized_norm(input, tensor(addend),
                                            {.affine = {tensor(all.at(0)), tensor(all.at(1))},
                                             .running = {tensor(all.at(2)), tensor(all.at(3)), momentum},
                                             .eps = eps,
                                             .fuse_relu = fuse_relu,
                                             .group = group});
  });
}

}  // namespace

TORCH_LIBRARY(amp_apex, library) {
  library.class_<Model>("Model").def(torch::init<>()).def("add", &Model::add);
  library.class_<Optimizer>("Optimizer")
      .def_static("of_python", &Optimizer::of_python)
      .def("add_group", &Optimizer::add_group);
  library.class_<FusedOptimizer>("FusedOptimizer")
      .def(torch::init<std::string>())
      .def("optimizer", &FusedOptimizer::optimizer)
      .def("set_options", &FusedOptimizer::set_options)
      .def("step", &FusedOptimizer::step)
      .def("state_of", &FusedOptimizer::state_of)
      .def("set_state", &FusedOptimizer::set_state);
  library.class_<ScaleLoss>("ScaleLoss")
      .def_static("begin", &ScaleLoss::begin)
      .def("finish", &ScaleLoss::finish)
      .def("undo", &ScaleLoss::undo);
  library.class_<Step>("Step")
      .def(torch::init<c10::intrusive_ptr<Optimizer>>())
      .def("begin", &Step::begin)
      .def("end", &Step::end);
  library.class_<NoCasts>("NoCasts").def(torch::init<>()).def("end", &NoCasts::end);
  library.class_<Engine>("Engine")
      .def(torch::init<>())
      .def("initialize", &Engine::initialize)
      .def("shutdown", &Engine::shutdown)
      .def("model_types", &Engine::model_types)
      .def("cast", &Engine::cast)
      .def("masters_of", &Engine::masters_of)
      .def("make_masters", &Engine::make_masters)
      .def("knows_function", &Engine::knows_function)
      .def("register_function", &Engine::register_function)
      .def("type_for_function", &Engine::type_for_function)
      .def("loss_scale", &Engine::loss_scale)
      .def("loss_scalers", &Engine::loss_scalers)
      .def("load_loss_scalers", &Engine::load_loss_scalers)
      .def("checkpoint_tensors", &Engine::checkpoint_tensors)
      .def("load_masters", &Engine::load_masters);
  library.class_<Functions>("Functions")
      .def(torch::init<>())
      .def("adapt_gradients", &adapt_gradients)
      .def("scale", &scale)
      .def("axpby", &axpby)
      .def("l2norm", &l2norm)
      .def("batch_norm", &batch_norm);
}

}  // namespace apex
