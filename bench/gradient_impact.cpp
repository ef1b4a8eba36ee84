// SPDX-License-Identifier: Apache-2.0
// Measures the accuracy of the gradient impact of backward ops: bench_gradient_impact [SEEDS].
//
// Takes steps with an exact forward (FP64), whose backward rounds each op's result to BF16 or to FP16 at a loss scale,
// or the operands of dgrad and wgrad as a recipe does. Compares the sum of the impacts with the true change of the
// step's loss decrease. For a recipe, the impacts come from a step without rounding, as with --what-if. Runs with a
// thousandth of the learning rate, where the loss is nearly linear, and with the full rate. Then measures the time of a
// taped step. With SEEDS 0, measures only the time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "precision/impact/difference.h"
#include "precision/replay/reference/arguments.h"
#include "profiler/gradient_impact/gradient_replay.h"
#include "profiler/torch_hooks/cotangents.h"
#include "tests/profiler/recipe_backward.h"
#include "tests/profiler/taped_program.h"

namespace ampprof {
namespace {

using namespace taped_program;
using profiler::GradientReplay;
using profiler::LeafObserver;

constexpr int kTrained = 20;  // number of steps before the measured step
constexpr double kShort = 1e-3;

/// Rounding in a backward pass: of each op's result to `type`, or, if `type` is empty, of the operands by the recipe
/// `name`.
struct Format {
  const char* name;
  double scale = 1.0;
  std::optional<at::ScalarType> type = {};
};
constexpr Format kBf16{"BF16", 1.0, at::kBFloat16};
constexpr Format kFormats[]{{"FP16 at 1024", 1024.0, at::kHalf}, kBf16, {"fp8_current"}, {"mxfp8"}, {"nvfp4"}};

using MakeOptimizer = std::unique_ptr<torch::optim::Optimizer> (*)(const std::vector<Tensor>&, double rate);
struct OptimizerCase {
  const char* name;
  double rate;
  MakeOptimizer make;
};

std::unique_ptr<torch::optim::Optimizer> sgd(const std::vector<Tensor>& weights, double rate) {
  return std::make_unique<torch::optim::SGD>(weights, torch::optim::SGDOptions(rate).momentum(0.9));
}
std::unique_ptr<torch::optim::Optimizer> adam(const std::vector<Tensor>& weights, double rate) {
  return std::make_unique<torch::optim::Adam>(weights, torch::optim::AdamOptions(rate));
}
std::unique_ptr<torch::optim::Optimizer> adamw(const std::vector<Tensor>& weights, double rate) {
  return std::make_unique<torch::optim::AdamW>(weights, torch::optim::AdamWOptions(rate));
}
constexpr OptimizerCase kOptimizers[]{{"SGD, momentum", 1e-2, sgd}, {"Adam", 1e-3, adam}, {"AdamW", 1e-3, adamw}};

Model classifier() {
  nn::Sequential net(nn::Linear(12, 32), nn::Tanh(), nn::Linear(32, 32), nn::GELU(), nn::Linear(32, 5));
  return {net.ptr(), [net, x = numbers({16, 12})]() mutable {
            return torch::cross_entropy_loss(net->forward(x), at::arange(16, at::kLong).remainder(5));
          }};
}

/// Two encoder blocks between an embedding and a linear head. Predicts the previous word.
Model transformer() {
  nn::Embedding table(13, 16);
  nn::TransformerEncoder blocks(nn::TransformerEncoderLayer(nn::TransformerEncoderLayerOptions(16, 2).dropout(0.0)), 2);
  nn::Linear head(16, 13);
  auto all = std::make_shared<nn::Module>("all");
  all->register_module("table", table.ptr());
  all->register_module("blocks", blocks.ptr());
  all->register_module("head", head.ptr());
  const Tensor words = at::randint(13, {6, 8}, at::kLong);
  return {all, [=]() mutable {
            const Tensor scores = head->forward(blocks->forward(table->forward(words)));
            return torch::cross_entropy_loss(scores.view({48, 13}), words.roll(1, 0).view({48}));
          }};
}

constexpr ModelCase kModels[]{{"perceptron", classifier}, {"CNN", convolutions}, {"transformer", transformer}};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void set_rate(torch::optim::Optimizer& optimizer, double rate) {
  for (auto& group : optimizer.param_groups()) group.options().set_lr(rate);
}

/// Returns whether an output is a view of an argument, whose values were rounded when they were computed.
bool is_view(const c10::OperatorHandle& op, const std::vector<c10::IValue>& arguments, const Tensor& output) {
  if (std::ranges::any_of(op.schema().arguments(), reference::is_written)) return false;
  bool is_alias = false;
  for (const c10::IValue& argument : arguments) {
    reference::visit_tensors(argument, [&](const Tensor& tensor) {
      is_alias = is_alias || (tensor.defined() && tensor.is_alias_of(output));
    });
  }
  return is_alias;
}

/// The result of a backward op, and its value before rounding.
struct Rounded {
  Tensor output;
  Tensor exact;
};

using Values = std::vector<c10::IValue>;

/// Rounds floating-point results in place. Returns these results with their values before rounding.
std::vector<Rounded> round_results(at::ScalarType type, const c10::OperatorHandle& op, const Values& arguments,
                                   const Values& results) {
  std::vector<Rounded> rounded;
  for (const c10::IValue& result : results) {
    if (!result.isTensor()) continue;
    const Tensor output = result.toTensor();
    if (!output.defined() || !output.is_floating_point() || is_view(op, arguments, output)) continue;
    rounded.push_back({output, output.clone()});
    output.copy_(output.to(type));
  }
  return rounded;
}

/// Takes one step whose backward rounds to `format`; if `format` is null, nothing is rounded. Records the step on the
/// tapes of `step`, which may be null. With tapes, a recipe's rounding is only predicted, not applied.
void take_step(Model& model, torch::optim::Optimizer& optimizer, const Format* format, GradientReplay* step) {
  const auto recorder = [&] { return step == nullptr ? nullptr : step->tape_recorder(); };
  const double scale = format == nullptr ? 1.0 : format->scale;
  std::optional<profiler::RecipeBackward> recipe;
  if (format != nullptr && !format->type) recipe.emplace(format->name);
  const auto round = [&](const c10::OperatorHandle& op, const Values& arguments, const Values& results) {
    if (format == nullptr) return;
    if (recipe) return recipe->round(op, arguments, results, step);
    for (const Rounded& one : round_results(*format->type, op, arguments, results)) {
      if (step == nullptr) continue;
      const Tensor error = impact::difference(one.output, one.exact);
      step->backward_call(profiler::current_node(), {.call_site = 1}, one.output, error, arguments);
    }
  };
  optimizer.zero_grad();
  Tensor loss;
  {
    const Watching watching(recorder(), {}, recipe ? &*recipe : nullptr);
    loss = model.loss() * scale;
  }
  if (step != nullptr) step->backward_begun(roots_at(loss), scale);
  {
    const Watching watching(nullptr, round);
    loss.backward();
  }
  if (step != nullptr) step->backward_ended();
  const Watching watching(recorder());
  const at::NoGradGuard no_grad;
  for (const Tensor& weight : model.module->parameters()) weight.grad().div_(scale);
  optimizer.step();
}

struct Outcome {
  double loss = 0.0;  ///< loss after the step
  profiler::StepGradients found{};
};

Outcome after_training(const ModelCase& which, const OptimizerCase& optimizer, double share, std::uint64_t seed,
                       const Format* format, bool is_taped) {
  Model model = made(which, seed);
  const auto update = optimizer.make(model.module->parameters(), optimizer.rate);
  for (int i = 0; i < kTrained; ++i) take_step(model, *update, nullptr, nullptr);
  set_rate(*update, optimizer.rate * share);
  const auto step =
      std::make_shared<GradientReplay>(0,
                                       profiler::TapeOptions{.precision = at::kDouble,
                                                             .error_bytes = std::int64_t{1} << 30,
                                                             .is_what_if = format != nullptr && !format->type},
                                       profiler::KnownParameters{{}, [](const Tensor&) { return std::string(); }});
  take_step(model, *update, format, is_taped ? step.get() : nullptr);
  Outcome outcome;
  if (is_taped) step->finish([&](const profiler::StepGradients& found) { outcome.found = found; });
  const at::NoGradGuard no_grad;
  outcome.loss = model.loss().item<double>();
  return outcome;
}

// ---- overhead

/// A perceptron so large that the kernels of ops take longer than their dispatch.
Model large_perceptron() {
  nn::Sequential net(nn::Linear(512, 1024), nn::ReLU(), nn::Linear(1024, 1024), nn::ReLU(), nn::Linear(1024, 10));
  return {net.ptr(), [net, x = at::randn({256, 512})]() mutable { return net->forward(x).square().mean(); }};
}

Model large_convolutions() {
  nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(3, 32, 3).padding(1)), nn::BatchNorm2d(32), nn::ReLU(),
                     nn::Conv2d(nn::Conv2dOptions(32, 64, 3).stride(2)), nn::BatchNorm2d(64), nn::ReLU(),
                     nn::Conv2d(nn::Conv2dOptions(64, 64, 3).stride(2)), nn::Flatten(), nn::Linear(64 * 7 * 7, 10));
  return {net.ptr(), [net, x = at::randn({32, 3, 32, 32})]() mutable { return net->forward(x).square().mean(); }};
}

Model large_attention() {
  nn::TransformerEncoder net(nn::TransformerEncoderLayer(nn::TransformerEncoderLayerOptions(128, 4).dropout(0.0)), 2);
  return {net.ptr(), [net, x = at::randn({64, 16, 128})]() mutable { return net->forward(x).square().mean(); }};
}

/// Returns the names of all parameters. With `has_shadow`, the run's own gradients also serve as the shadow's.
profiler::KnownParameters parameters_of(const Model& model, bool has_shadow) {
  const auto name_of = [module = model.module](const Tensor& tensor) {
    for (const auto& parameter : module->named_parameters()) {
      if (parameter.value().is_same(tensor)) return parameter.key();
    }
    return std::string();
  };
  profiler::KnownParameters known{{}, name_of};
  if (has_shadow) known.in_exact = [](const Tensor& gradient) { return gradient; };
  return known;
}

/// Returns the processor time of `work`, which other programs on the machine affect less than wall time.
double seconds_of(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Times plain steps, the overhead of taping a step with a rounded backward, and the passes over the tape. Prints the
/// fastest of each.
void time_passes(const char* name, Model model, bool has_shadow) {
  constexpr int kRepeats = 15;
  const auto optimizer = adam(model.module->parameters(), 1e-3);
  const auto plain = [&] {
    optimizer->zero_grad();
    model.loss().backward();
    optimizer->step();
  };
  std::vector<double> plain_steps, rounded, taped, passes;
  for (int i = 0; i < kRepeats; ++i) {
    plain_steps.push_back(seconds_of(plain));
    rounded.push_back(seconds_of([&] { take_step(model, *optimizer, &kBf16, nullptr); }));
    const auto step = std::make_shared<GradientReplay>(
        0, profiler::TapeOptions{.precision = at::kFloat, .error_bytes = std::int64_t{1} << 30},
        parameters_of(model, has_shadow));
    taped.push_back(seconds_of([&] { take_step(model, *optimizer, &kBf16, step.get()); }));
    passes.push_back(seconds_of([&] {
      step->finish([&](const profiler::StepGradients& found) {
        if (!found.why_not.empty()) fmt::print(stderr, "{}: {}\n", name, found.why_not);
      });
    }));
  }
  const double unit = std::ranges::min(plain_steps);
  const double taping = std::max(0.0, std::ranges::min(taped) - std::ranges::min(rounded));
  fmt::print("| {} | {} | {:.1f} ms | {:.1f} | {:.1f} |\n", name, has_shadow ? "yes" : "no", 1e3 * unit, taping / unit,
             std::ranges::min(passes) / unit);
  std::fflush(stdout);
}

void compare_costs() {
  at::set_num_threads(1);
  fmt::print(
      "| model, FP32 | shadow | plain step | taping, in plain steps | the extra passes |\n|---|---|---|---|---|\n");
  for (const bool has_shadow : {false, true}) {
    time_passes("perceptron", large_perceptron(), has_shadow);
    time_passes("CNN", large_convolutions(), has_shadow);
    time_passes("transformer", large_attention(), has_shadow);
  }
}

// ---- accuracy

/// Returns the relative deviation |sum of the impacts / true change - 1|.
double deviation(const ModelCase& model, const OptimizerCase& optimizer, double share, std::uint64_t seed,
                 const Format& format) {
  const Outcome exact = after_training(model, optimizer, share, seed, nullptr, false);
  const Outcome told = after_training(model, optimizer, share, seed, &format, true);
  const bool is_rounded = format.type.has_value();
  const double rounded = is_rounded ? told.loss : after_training(model, optimizer, share, seed, &format, false).loss;
  if (!told.found.why_not.empty()) fmt::print(stderr, "{}: {}\n", model.name, told.found.why_not);
  double predicted = 0.0;
  for (const GradientImpact& impact : told.found.impacts) {
    if (impact.source == GradientImpactSource::OpCall) predicted += impact.impact.value_or(0.0);
  }
  return std::abs(predicted / (exact.loss - rounded) - 1.0);
}

void compare(const ModelCase& model, const OptimizerCase& optimizer, const Format& format, int seeds,
             std::vector<double>& all) {
  std::vector<double> close, far;
  for (int seed = 1; seed <= seeds; ++seed) {
    close.push_back(deviation(model, optimizer, kShort, static_cast<std::uint64_t>(seed), format));
    far.push_back(deviation(model, optimizer, 1.0, static_cast<std::uint64_t>(seed), format));
  }
  std::ranges::copy(close, std::back_inserter(all));
  fmt::print("| {} | {} | {} | {:.2f} % | {:.1f} % |\n", model.name, optimizer.name, format.name, 100 * median(close),
             100 * median(far));
  std::fflush(stdout);
}

void compare_with_truth(int seeds) {
  std::vector<double> all;
  fmt::print("| model | optimizer | backward | a thousandth of the rate, median deviation | the rate |\n");
  fmt::print("|---|---|---|---|---|\n");
  for (const ModelCase& model : kModels) {
    for (const OptimizerCase& optimizer : kOptimizers) {
      for (const Format& format : kFormats) compare(model, optimizer, format, seeds, all);
    }
  }
  fmt::print("median of all at a thousandth of the rate: {:.2f} %\n\n", 100 * median(all));
}

}  // namespace
}  // namespace ampprof

int main(int argc, char** argv) {
  const int seeds = argc > 1 ? std::stoi(argv[1]) : 20;
  if (seeds > 0) ampprof::compare_with_truth(seeds);
  ampprof::compare_costs();
}
