// SPDX-License-Identifier: Apache-2.0
// Compares LAMB, NovoGrad and LARC with their formulas in FP64.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "amp_core/levels/properties.h"
#include "tests/amp_core/optimizers/training.h"

namespace amp {
namespace against_formula_test {

using namespace testing_optimizers;

constexpr int kSteps = 7;
const std::vector<std::vector<std::int64_t>> kShapes{{17}, {3, 5}, {1}, {2, 3, 2, 2}};

double length(const at::Tensor& tensor) { return std::sqrt(tensor.square().sum().item<double>()); }

/// The state of a parameter in the formula.
struct Reference {
  at::Tensor p;
  at::Tensor m = torch::zeros_like(p);
  at::Tensor v = torch::zeros_like(p);
  double norm = 0;  ///< second moment of NovoGrad
  int steps = 0;
};

std::vector<Reference> references_of(const Tensors& parameters) {
  std::vector<Reference> references;
  for (const auto& parameter : parameters) references.push_back({parameter.detach().to(at::kDouble).clone()});
  return references;
}

void lamb_step(const FusedLAMBOptions& o, std::vector<Reference>& references, const Tensors& gradients) {
  const auto [beta1, beta2] = o.betas();
  double squares = 0;
  for (const auto& g : gradients) squares += g.square().sum().item<double>();
  const double clip = o.max_grad_norm() == 0 ? 1 : std::max(1.0, std::sqrt(squares) / o.max_grad_norm());
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    Reference& r = references[i];
    at::Tensor g = gradients[i] / clip;
    if (!o.adam_w_mode()) g = g + o.weight_decay() * r.p;
    r.m = beta1 * r.m + (o.grad_averaging() ? 1 - beta1 : 1.0) * g;
    r.v = beta2 * r.v + (1 - beta2) * g * g;
    ++r.steps;
    const double c1 = o.bias_correction() ? 1 - std::pow(beta1, r.steps) : 1;
    const double c2 = o.bias_correction() ? 1 - std::pow(beta2, r.steps) : 1;
    at::Tensor update = (r.m / c1) / ((r.v / c2).sqrt() + o.eps());
    if (o.adam_w_mode()) update = update + o.weight_decay() * r.p;
    double ratio = 1;
    if ((o.weight_decay() != 0 || o.use_nvlamb()) && length(r.p) != 0 && length(update) != 0) {
      ratio = length(r.p) / length(update);
    }
    r.p = r.p - o.lr() * ratio * update;
  }
}

void novograd_step(const FusedNovoGradOptions& o, std::vector<Reference>& references, const Tensors& gradients) {
  const auto [beta1, beta2] = o.betas();
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    Reference& r = references[i];
    const at::Tensor& g = gradients[i];
    const double now = o.norm_type() == 2 ? length(g) : g.abs().max().item<double>();
    if (r.steps++ == 0 && !o.init_zero()) r.norm = now;
    r.norm = o.norm_type() == 2 ? std::sqrt(beta2 * r.norm * r.norm + (1 - beta2) * now * now)
                                : beta2 * r.norm + (1 - beta2) * now;
    const double c1 = o.bias_correction() ? 1 - std::pow(beta1, r.steps) : 1;
    const double c2 = o.bias_correction() ? std::sqrt(1 - std::pow(beta2, r.steps)) : 1;
    const double denominator = r.norm / c2 + o.eps();
    const double beta3 = o.grad_averaging() ? 1 - beta1 : 1;
    if (o.reg_inside_moment()) {
      r.m = beta1 * r.m + beta3 * (g / denominator + o.weight_decay() * r.p);
      r.p = r.p - o.lr() * r.m / c1;
    } else {
      r.m = beta1 * r.m + beta3 * g;
      r.p = r.p - o.lr() * (r.m / c1 / denominator + o.weight_decay() * r.p);
    }
  }
}

/// Returns the largest difference from the formula after seven steps. The last parameter has no gradient in the first
/// step.
template <class Optimizer, class Options, class Step>
double difference(const Options& options, Step formula, at::ScalarType type,
                  const std::vector<std::vector<std::int64_t>>& shapes = kShapes) {
  const Tensors parameters = parameters_like(shapes, type);
  std::vector<Reference> references = references_of(parameters);
  Optimizer optimizer(parameters, options);
  for (int step = 0; step < kSteps; ++step) {
    set_gradients(parameters, step);
    if (step == 0 && shapes.size() > 1) parameters.back().mutable_grad() = at::Tensor();
    Tensors gradients;
    for (const auto& parameter : parameters) {
      if (parameter.grad().defined()) gradients.push_back(parameter.grad().to(at::kDouble));
    }
    formula(options, references, gradients);
    optimizer.step();
  }
  Tensors expected;
  for (const auto& reference : references) expected.push_back(reference.p);
  return largest_difference(parameters, expected);
}

TEST(FusedLamb, FollowsTheFormulaWithAnySettings) {
  std::mt19937 random(1);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  for (int round = 0; round < 64; ++round) {
    const auto options = FusedLAMBOptions(uniform(1e-4, 0.1))
                             .betas({uniform(0, 0.95), uniform(0.5, 0.9999)})
                             .weight_decay(round & 1 ? uniform(0, 0.3) : 0)
                             .adam_w_mode((round & 2) != 0)
                             .grad_averaging((round & 4) != 0)
                             .bias_correction((round & 8) != 0)
                             .use_nvlamb((round & 16) != 0)
                             .max_grad_norm(round & 32 ? uniform(0.1, 100) : 0);
    EXPECT_LE(difference<FusedLAMB>(options, lamb_step, at::kDouble), 1e-12) << "round " << round;
    EXPECT_LE(difference<FusedLAMB>(options, lamb_step, at::kFloat), 5e-6) << "round " << round;
  }
}

TEST(FusedLamb, FollowsTheFormulaOnApexsLargeTensor) {
  EXPECT_LE(difference<FusedLAMB>(FusedLAMBOptions(), lamb_step, at::kFloat, {{278011}}), 1e-6);
}

TEST(FusedLamb, ClipsByTheNormOfAllGroupsTogether) {
  const Tensors together = parameters_like({{5}, {9}});
  const Tensors apart = clones_of(together);
  FusedLAMB one(together, FusedLAMBOptions(0.1));
  FusedLAMB two(Groups{Tensors{apart[0]}, Tensors{apart[1]}}, FusedLAMBOptions(0.1));
  for (int step = 0; step < 3; ++step) {
    set_gradients(together, step);
    set_gradients(apart, step);
    one.step();
    two.step();
  }
  EXPECT_TRUE(all_equal(together, apart));
}

TEST(FusedLamb, MovesAParameterThatIsZero) {
  const at::Tensor parameter = torch::zeros({3}).requires_grad_();
  FusedLAMB optimizer(Tensors{parameter}, FusedLAMBOptions(0.5));
  parameter.mutable_grad() = torch::ones({3});
  optimizer.step();
  EXPECT_TRUE(at::allclose(parameter, torch::full({3}, -0.5), 1e-4));
}

TEST(FusedNovoGrad, FollowsTheFormulaWithAnySettings) {
  std::mt19937 random(2);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  for (int round = 0; round < 64; ++round) {
    const auto options = FusedNovoGradOptions(uniform(1e-4, 0.1))
                             .betas({uniform(0, 0.95), uniform(0.5, 0.999)})
                             .weight_decay(round & 1 ? uniform(0, 0.3) : 0)
                             .norm_type(round & 2 ? 2 : 0)
                             .init_zero((round & 4) != 0)
                             .reg_inside_moment((round & 8) != 0)
                             .grad_averaging((round & 16) != 0)
                             .bias_correction((round & 32) != 0);
    EXPECT_LE(difference<FusedNovoGrad>(options, novograd_step, at::kDouble), 1e-12) << "round " << round;
    EXPECT_LE(difference<FusedNovoGrad>(options, novograd_step, at::kFloat), 5e-6) << "round " << round;
  }
}

TEST(FusedNovoGrad, FollowsTheFormulaOnApexsLargeTensor) {
  EXPECT_LE(difference<FusedNovoGrad>(FusedNovoGradOptions(), novograd_step, at::kFloat, {{278011}}), 1e-6);
}

TEST(FusedNovoGrad, RefusesOtherNorms) {
  EXPECT_THROW(FusedNovoGrad(parameters_like({{2}}), FusedNovoGradOptions().norm_type(1)), Error);
}

/// Computes one step of plain SGD with LARC.
void larc_step(const LARCOptions& o, double lr, double decay, Reference& r, const at::Tensor& gradient) {
  at::Tensor g = gradient;
  if (length(r.p) != 0 && length(g) != 0) {
    double rate = o.trust_coefficient * length(r.p) / (length(g) + length(r.p) * decay + o.eps);
    if (o.clip) rate = std::min(rate / lr, 1.0);
    g = (g + decay * r.p) * rate;
  }
  r.p = r.p - lr * g;
}

TEST(Larc, FollowsTheFormulaAroundLibTorchsOptimizerAndOurs) {
  for (const LARCOptions& options : {LARCOptions{}, LARCOptions{.clip = false}, LARCOptions{.trust_coefficient = 50}}) {
    for (const bool is_fused : {true, false}) {
      const Tensors parameters = parameters_like({{7}, {2, 3}, {4}, {3}}, at::kDouble);
      parameters[2].detach().zero_();
      std::vector<Reference> references = references_of(parameters);
      OptimizerPtr inner;
      if (is_fused) {
        inner = std::make_unique<FusedSGD>(parameters, FusedSGDOptions(0.25).weight_decay(0.125));
      } else {
        inner = std::make_unique<torch::optim::SGD>(parameters, torch::optim::SGDOptions(0.25).weight_decay(0.125));
      }
      LARC optimizer(std::move(inner), options);
      for (int step = 0; step < kSteps; ++step) {
        set_gradients(parameters, step);
        parameters[3].mutable_grad().zero_();
        for (std::size_t i = 0; i < 4; ++i)
          larc_step(options, 0.25, 0.125, references[i], parameters[i].grad().clone());
        optimizer.step();
      }
      for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(at::allclose(parameters[i], references[i].p, 0, 1e-12)) << i;
    }
  }
}

TEST(Larc, OwnsGroupsAndStateSoThatSchedulersAndArchivesWork) {
  const Tensors parameters = parameters_like({{7}});
  LARC optimizer(std::make_unique<FusedSGD>(parameters, FusedSGDOptions(0.5).momentum(0.5).weight_decay(0.25)));
  const Tensors restored = clones_of(parameters);
  LARC other(std::make_unique<FusedSGD>(restored, FusedSGDOptions(0.125)));
  set_gradients(parameters, 0);
  optimizer.step();
  const auto& options = static_cast<const FusedSGDOptions&>(optimizer.param_groups().front().options());
  EXPECT_EQ(options.weight_decay(), 0.25) << "taken over for the step only";
  EXPECT_EQ(optimizer.state().size(), 1U);

  std::stringstream stream;
  torch::save(optimizer, stream);
  torch::load(other, stream);
  {
    const torch::NoGradGuard no_grad;
    restored[0].copy_(parameters[0]);
  }
  optimizer.param_groups().front().options().set_lr(0.25);
  other.param_groups().front().options().set_lr(0.25);
  for (LARC* each : {&optimizer, &other}) {
    set_gradients(each == &optimizer ? parameters : restored, 1);
    each->step();
  }
  EXPECT_TRUE(all_equal(parameters, restored));
}

TEST(Larc, RefusesClosuresAndOptimizersWithoutDecay) {
  const Tensors parameters = parameters_like({{2}});
  LARC optimizer(std::make_unique<torch::optim::SGD>(parameters, 0.1));
  EXPECT_THROW(optimizer.step([] { return at::Tensor(); }), Error);
  EXPECT_THROW(LARC(std::make_unique<torch::optim::LBFGS>(parameters)), Error);
}

}  // namespace against_formula_test
}  // namespace amp
