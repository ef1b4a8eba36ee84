// SPDX-License-Identifier: Apache-2.0
#include "precision/drift/fused_optimizers.h"

#include <array>
#include <bit>
#include <cmath>

namespace ampprof::drift {
namespace {

bool is_given(double x) { return !std::isnan(x); }

/// Arguments of `_fused_adam_` and `_fused_adamw_`, in the order of native_functions.yaml.
struct Adam {
  double weight, gradient, average, square, largest_square, step;
  double lr, beta1, beta2, weight_decay, eps, amsgrad, maximize, grad_scale, found_inf;
};

struct Sgd {
  double weight, gradient, buffer;
  double weight_decay, momentum, lr, dampening, nesterov, maximize, is_first_step, grad_scale, found_inf;
};

/// Returns the unscaled gradient, negated for `maximize`, without weight decay.
template <class Arguments>
double gradient_of(const Arguments& of) {
  const double unscaled = is_given(of.grad_scale) ? of.gradient / of.grad_scale : of.gradient;
  return of.maximize != 0.0 ? -unscaled : unscaled;
}

template <bool kIsDecoupled>
double adam_gradient(const Adam& of) {
  return gradient_of(of) + (kIsDecoupled ? 0.0 : of.weight_decay * of.weight);
}

template <bool kIsDecoupled>
double next_average(const Adam& of) {
  return of.average + (1.0 - of.beta1) * (adam_gradient<kIsDecoupled>(of) - of.average);
}

template <bool kIsDecoupled>
double next_square(const Adam& of) {
  const double gradient = adam_gradient<kIsDecoupled>(of);
  return of.beta2 * of.square + (1.0 - of.beta2) * gradient * gradient;
}

template <bool kIsDecoupled>
double next_largest_square(const Adam& of) {
  return of.amsgrad != 0.0 ? std::fmax(of.largest_square, next_square<kIsDecoupled>(of)) : of.largest_square;
}

template <bool kIsDecoupled>
double adam_weight(const Adam& of) {
  const double decayed = kIsDecoupled ? of.weight * (1.0 - of.lr * of.weight_decay) : of.weight;
  const double square = of.amsgrad != 0.0 ? next_largest_square<kIsDecoupled>(of) : next_square<kIsDecoupled>(of);
  const double root = std::sqrt(square / (1.0 - std::pow(of.beta2, of.step)));
  return decayed - of.lr / (1.0 - std::pow(of.beta1, of.step)) * next_average<kIsDecoupled>(of) / (root + of.eps);
}

double sgd_gradient(const Sgd& of) { return gradient_of(of) + of.weight_decay * of.weight; }

double next_buffer(const Sgd& of) {
  const double gradient = sgd_gradient(of);
  return of.is_first_step != 0.0 ? gradient : of.momentum * of.buffer + (1.0 - of.dampening) * gradient;
}

double sgd_weight(const Sgd& of) {
  if (of.momentum == 0.0) return of.weight - of.lr * sgd_gradient(of);
  const double change = of.nesterov != 0.0 ? sgd_gradient(of) + of.momentum * next_buffer(of) : next_buffer(of);
  return of.weight - of.lr * change;
}

/// Computes `kNext` for each element. Keeps the old value if `found_inf` is 1.
template <class Arguments, auto kNext, auto kOld>
constexpr FusedWrite write(std::size_t argument) {
  return {argument, {"", sizeof(Arguments) / sizeof(double), [](std::span<const Operand> in, std::span<double> result) {
                       for (std::size_t i = 0; i < result.size(); ++i) {
                         std::array<double, sizeof(Arguments) / sizeof(double)> values{};
                         for (std::size_t place = 0; place < values.size(); ++place) values[place] = in[place][i];
                         const auto of = std::bit_cast<Arguments>(values);
                         result[i] = of.found_inf == 1.0 ? of.*kOld : kNext(of);
                       }
                     }}};
}

template <bool kIsDecoupled>
constexpr std::array kAdam{write<Adam, adam_weight<kIsDecoupled>, &Adam::weight>(0),
                           write<Adam, next_average<kIsDecoupled>, &Adam::average>(2),
                           write<Adam, next_square<kIsDecoupled>, &Adam::square>(3),
                           write<Adam, next_largest_square<kIsDecoupled>, &Adam::largest_square>(4)};

constexpr std::array kSgd{write<Sgd, sgd_weight, &Sgd::weight>(0), write<Sgd, next_buffer, &Sgd::buffer>(2)};

}  // namespace

std::span<const FusedWrite> fused_optimizer(std::string_view name) {
  name = name.substr(0, name.find('.'));
  if (name == "_fused_adam_") return kAdam<false>;
  if (name == "_fused_adamw_") return kAdam<true>;
  if (name == "_fused_sgd_") return kSgd;
  return {};
}

}  // namespace ampprof::drift
