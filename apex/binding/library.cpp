// SPDX-License-Identifier: Apache-2.0
// The classes that the package `apex` finds as torch.classes.amp_apex. They use no API of CPython, so that one library
// serves every version of Python.

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

/// Binds functions that need no engine.
struct Functions : torch::CustomClassHolder {
  static void adapt_gradients(const Tensors& parameters, double trust_coefficient, bool clip, double eps, double lr,
                              double weight_decay) {
    amp::adapt_gradients(parameters, {.trust_coefficient = trust_coefficient, .clip = clip, .eps = eps}, lr,
                         weight_decay);
  }

  static void scale(const Tensors& in, const Tensors& out, double factor, const at::Tensor& found_inf) {
    amp::multi_tensor::scale(in, out, factor, found_inf);
  }

  static void axpby(double a, const Tensors& x, double b, const Tensors& y, const Tensors& out,
                    const at::Tensor& found_inf, std::int64_t checked) {
    using amp::multi_tensor::Checked;
    const Checked which = checked < 0 ? Checked::Both : checked == 0 ? Checked::X : Checked::Y;
    amp::multi_tensor::axpby(a, x, b, y, out, found_inf, which);
  }

  static std::tuple<at::Tensor, at::Tensor> l2norm(const Tensors& tensors) {
    const auto norms = amp::multi_tensor::l2norm(tensors);
    return {norms.global, norms.per_tensor};
  }

  static at::Tensor batch_norm(const at::Tensor& input, const std::optional<at::Tensor>& addend,
                               const std::vector<std::optional<at::Tensor>>& affine_and_running, double momentum,
                               double eps, bool fuse_relu, const c10::intrusive_ptr<c10d::ProcessGroup>& group) {
    const auto tensor = [&](std::size_t i) { return affine_and_running.at(i).value_or(at::Tensor()); };
    return amp::parallel::synchronized_norm(input, addend.value_or(at::Tensor()),
                                            {.affine = {tensor(0), tensor(1)},
                                             .running = {tensor(2), tensor(3), momentum},
                                             .eps = eps,
                                             .fuse_relu = fuse_relu,
                                             .group = group});
  }
};

/// Wraps a method or a function. In messages of amp_core's errors, C++ names become those that a Python script knows.
template <class Result, class Class, class... Arguments>
auto in_python(Result (Class::*method)(Arguments...)) {
  return [method](const c10::intrusive_ptr<Class>& self, Arguments... arguments) -> Result {
    return translated([&]() -> Result { return ((*self).*method)(arguments...); });
  };
}
template <class Result, class Class, class... Arguments>
auto in_python(Result (Class::*method)(Arguments...) const) {
  return [method](const c10::intrusive_ptr<Class>& self, Arguments... arguments) -> Result {
    return translated([&]() -> Result { return ((*self).*method)(arguments...); });
  };
}
template <class Result, class... Arguments>
auto in_python(Result (*function)(Arguments...)) {
  return [function](Arguments... arguments) -> Result {
    return translated([&]() -> Result { return function(arguments...); });
  };
}

}  // namespace

TORCH_LIBRARY(amp_apex, library) {
  library.class_<Model>("Model").def(torch::init<>()).def("add", in_python(&Model::add));
  library.class_<Optimizer>("Optimizer")
      .def_static("of_python", in_python(&Optimizer::of_python))
      .def("add_group", in_python(&Optimizer::add_group));
  library.class_<FusedOptimizer>("FusedOptimizer")
      .def(torch::init<std::string>())
      .def("optimizer", in_python(&FusedOptimizer::optimizer))
      .def("set_group", in_python(&FusedOptimizer::set_group))
      .def("step", in_python(&FusedOptimizer::step));
  library.class_<ScaleLoss>("ScaleLoss")
      .def_static("begin", in_python(&ScaleLoss::begin))
      .def("finish", in_python(&ScaleLoss::finish))
      .def("undo", in_python(&ScaleLoss::undo));
  library.class_<Step>("Step")
      .def(torch::init<c10::intrusive_ptr<Optimizer>>())
      .def("begin", in_python(&Step::begin))
      .def("end", in_python(&Step::end));
  library.class_<NoCasts>("NoCasts").def(torch::init<>()).def("end", in_python(&NoCasts::end));
  library.class_<Engine>("Engine")
      .def(torch::init<>())
      .def("initialize", in_python(&Engine::initialize))
      .def("shutdown", in_python(&Engine::shutdown))
      .def("is_enabled", in_python(&Engine::is_enabled))
      .def("model_types", in_python(&Engine::model_types))
      .def("cast", in_python(&Engine::cast))
      .def("masters_of", in_python(&Engine::masters_of))
      .def("make_masters", in_python(&Engine::make_masters))
      .def("knows_function", in_python(&Engine::knows_function))
      .def("register_function", in_python(&Engine::register_function))
      .def("type_for_function", in_python(&Engine::type_for_function))
      .def("loss_scale", in_python(&Engine::loss_scale))
      .def("loss_scalers", in_python(&Engine::loss_scalers))
      .def("load_loss_scalers", in_python(&Engine::load_loss_scalers))
      .def("checkpoint_tensors", in_python(&Engine::checkpoint_tensors))
      .def("load_masters", in_python(&Engine::load_masters));
  library.class_<Functions>("Functions")
      .def_static("adapt_gradients", in_python(&Functions::adapt_gradients))
      .def_static("scale", in_python(&Functions::scale))
      .def_static("axpby", in_python(&Functions::axpby))
      .def_static("l2norm", in_python(&Functions::l2norm))
      .def_static("batch_norm", in_python(&Functions::batch_norm));
}

}  // namespace apex
