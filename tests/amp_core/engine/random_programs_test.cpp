// SPDX-License-Identifier: Apache-2.0
// Compares random training programs bit for bit with plain, unscaled FP32 training that skips the same steps.
//
// AMPPROF_RANDOM_PROGRAMS=first:last runs other seeds than 1:800.
#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/optim.h>
#include <torch/serialize.h>
#include <torch/types.h>

#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "amp_core/amp.h"
#include "amp_core/engine/open_checks.h"
#include "amp_core/optimizers.h"
#include "tests/amp_core/engine/random_program.h"
#include "tests/repetitions.h"

namespace amp::random_programs {
namespace random_programs_test {

struct LayerImpl : torch::nn::Module {
  LayerImpl() : weight(register_parameter("weight", torch::arange(1, 7, torch::kFloat).reshape({3, 2}) / 4)) {}
  at::Tensor forward(const at::Tensor& x) { return x.matmul(weight); }
  at::Tensor weight;
};
TORCH_MODULE(Layer);

struct Kind {
  const char* name;
  std::unique_ptr<torch::optim::Optimizer> (*make)(std::vector<at::Tensor>, double momentum);
  bool leaves_checks_open;  ///< overflow checks are read later than step(), as on CUDA
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::unique_ptr<torch::optim::Optimizer> make_sgd(std::vector<at::Tensor> parameters, double momentum) {
  return std::make_unique<torch::optim::SGD>(parameters, torch::optim::SGDOptions(0.125).momentum(momentum));
}

std::unique_ptr<torch::optim::Optimizer> make_fused_sgd(std::vector<at::Tensor> parameters, double momentum) {
  return std::make_unique<FusedSGD>(std::move(parameters), FusedSGDOptions(0.125).momentum(momentum));
}

/// The models and optimizers of a program.
struct Trainee {
  Trainee(const Program& program, const Kind& kind) : models(program.optimizer_of_model.size()) {
    std::vector<std::vector<at::Tensor>> parameters(program.optimizer_count());
    for (std::size_t i = 0; i < models.size(); ++i) {
      models[i] = Layer();
      parameters[program.optimizer_of_model[i]].push_back(models[i]->weight);
    }
    for (const auto& of_one : parameters) optimizers.push_back(kind.make(of_one, program.has_momentum ? 0.5 : 0.0));
  }

  at::Tensor loss(const Pass& pass) {
    const at::Tensor x = torch::tensor(pass.input).unsqueeze(0);
    at::Tensor sum = torch::zeros({});
    for (const int model : pass.models) sum = sum + forward(models[model], x).sum();
    return sum;
  }

  void poison(const Pass& pass) {
    if (pass.poisoned_model < 0) return;
    models[pass.poisoned_model]->weight.mutable_grad()[0][0] += pass.poison_is_nan ? NAN : INFINITY;
  }

  std::vector<Layer> models;
  std::vector<std::unique_ptr<torch::optim::Optimizer>> optimizers;
};

std::set<int> optimizers_of(const Program& program, const Pass& pass) {
  std::set<int> optimizers;
  for (const int model : pass.models) optimizers.insert(program.optimizer_of_model[model]);
  return optimizers;
}

/// The loss scaler as the manual defines it.
struct ScaleModel {
  double scale;
  int clean = 0;
  int hysteresis_left;
  bool owes_update = false;  ///< a pass that delayed its check overflowed

  void update(const Program& program, bool overflowed) {
    if (!program.is_dynamic) return;
    clean = overflowed ? 0 : clean + 1;
    if (!overflowed) hysteresis_left = program.hysteresis;
    if (overflowed && --hysteresis_left <= 0) scale /= 2;
    if (clean < program.growth_interval) return;
    scale = std::min(2 * scale, program.max_scale);
    clean = 0;
  }

  void pay(const Program& program) {
    if (owes_update) update(program, true);
    owes_update = false;
  }
};

/// Runs a program in plain FP32, without a loss scale. Overflows only make it skip steps.
class Reference {
 public:
  explicit Reference(const Program& program)
      : trainee(program, {"sgd", make_sgd, false}),
        scales(program.losses, {program.scale, 0, program.hysteresis}),
        program_(program),
        overflowed_loss_(program.optimizer_count()) {}

  void run(const Pass& pass) {
    if (pass.throws) return;
    trainee.loss(pass).backward();
    trainee.poison(pass);
    is_poisoned_ = is_poisoned_ || pass.poisoned_model >= 0;
    if (pass.delays_unscale) return;
    const bool overflowed = std::exchange(is_poisoned_, false) && program_.is_dynamic;
    count(scales[pass.loss], pass, overflowed);
    if (!overflowed) return;
    for (const int optimizer : optimizers_of(program_, pass)) skip(optimizer, pass.loss);
  }

  bool step(int optimizer) {
    const bool skipped = overflowed_loss_[optimizer].has_value();
    if (skipped) scales[*overflowed_loss_[optimizer]].pay(program_);
    if (!skipped) trainee.optimizers[optimizer]->step();
    // The engine drops the gradients of masters after each step.
    if (std::string(program_.level) == "O2") trainee.optimizers[optimizer]->zero_grad(/*set_to_none=*/true);
    overflowed_loss_[optimizer].reset();
    return !skipped;
  }

  /// Returns whether a skip or an update of a scale is pending. A checkpoint stores neither.
  bool owes_something() const {
    const auto owes_skip = [](const auto& loss) { return loss.has_value(); };
    const auto owes_update = [](const ScaleModel& scale) { return scale.owes_update; };
    return std::any_of(overflowed_loss_.begin(), overflowed_loss_.end(), owes_skip) ||
           std::any_of(scales.begin(), scales.end(), owes_update);
  }

  Trainee trainee;
  std::vector<ScaleModel> scales;

 private:
  void count(ScaleModel& scale, const Pass& pass, bool overflowed) {
    if (pass.delays_check) {
      scale.owes_update = scale.owes_update || overflowed;
      return;
    }
    if (overflowed) {
      scale.owes_update = false;
    } else {
      scale.pay(program_);
    }
    scale.update(program_, overflowed);
  }

  void skip(int optimizer, int loss) {
    trainee.optimizers[optimizer]->zero_grad(/*set_to_none=*/true);
    if (!overflowed_loss_[optimizer]) overflowed_loss_[optimizer] = loss;
  }

  const Program& program_;
  std::vector<std::optional<int>> overflowed_loss_;  ///< loss whose overflow makes an optimizer skip its next step
  bool is_poisoned_ = false;                         ///< one of the passes with scaled gradients is poisoned
};

/// Runs a program with the engine, in mixed precision.
class Training {
 public:
  Training(const Program& program, const Kind& kind) : program_(program), kind_(kind) {
    leave_checks_open_on_cpu(kind.leaves_checks_open);
    start();
  }
  ~Training() {
    shutdown();
    leave_checks_open_on_cpu(false);
  }
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  /// Saves everything to archives and loads it into new models and optimizers, as a new process would.
  void restart_from_checkpoint() {
    std::stringstream engine_file;
    torch::save(state_dict(), engine_file);
    std::vector<std::stringstream> model_files(trainee->models.size());
    for (std::size_t i = 0; i < model_files.size(); ++i) {
      torch::serialize::OutputArchive archive;
      save_model(trainee->models[i], archive);
      archive.save_to(model_files[i]);
    }
    std::vector<std::stringstream> optimizer_files(trainee->optimizers.size());
    for (std::size_t i = 0; i < optimizer_files.size(); ++i) torch::save(*trainee->optimizers[i], optimizer_files[i]);

    shutdown();
    start();
    for (std::size_t i = 0; i < model_files.size(); ++i) {
      torch::serialize::InputArchive archive;
      archive.load_from(model_files[i]);
      load_model(trainee->models[i], archive);
    }
    for (std::size_t i = 0; i < optimizer_files.size(); ++i) torch::load(*trainee->optimizers[i], optimizer_files[i]);
    StateDict state;
    torch::load(state, engine_file);
    load_state_dict(state);
  }

  void run(const Pass& pass) {
    const auto backward = [&](const at::Tensor& scaled) {
      scaled.backward();
      trainee->poison(pass);
      if (pass.throws) throw std::runtime_error("the program's own");
    };
    try {
      scale_loss(
          trainee->loss(pass), optimizers_of_pass(pass), backward,
          {.loss_id = pass.loss, .delay_unscale = pass.delays_unscale, .delay_overflow_check = pass.delays_check});
    } catch (const std::runtime_error& error) {
      if (std::string(error.what()) != "the program's own") throw;
    }
  }

  std::unique_ptr<Trainee> trainee;

 private:
  void start() {
    trainee = std::make_unique<Trainee>(program_, kind_);
    Options options{.opt_level = program_.level, .num_losses = program_.losses, .verbosity = 0};
    options.max_loss_scale = program_.max_scale;
    if (program_.is_dynamic) {
      options.loss_scale = "dynamic";
      options.init_scale = program_.scale;
      options.growth_interval = program_.growth_interval;
      options.hysteresis = program_.hysteresis;
    } else {
      options.loss_scale = program_.scale;
    }
    std::vector<ModelRef> models(trainee->models.begin(), trainee->models.end());
    std::vector<Optimizers::Ref> optimizers;
    for (auto& optimizer : trainee->optimizers) optimizers.emplace_back(*optimizer);
    initialize(Models(std::move(models)), Optimizers(std::move(optimizers)), options);
  }

  Optimizers optimizers_of_pass(const Pass& pass) {
    std::vector<Optimizers::Ref> refs;
    for (const int optimizer : optimizers_of(program_, pass)) refs.emplace_back(*trainee->optimizers[optimizer]);
    return Optimizers(std::move(refs));
  }

  const Program& program_;
  const Kind& kind_;
};

std::string difference_of_scales(const Program& program, const Reference& reference) {
  std::ostringstream out;
  for (int i = 0; i < program.losses; ++i) {
    if (loss_scale(i) == reference.scales[i].scale) continue;
    out << "scale of loss " << i << " is " << loss_scale(i) << ", not " << reference.scales[i].scale;
  }
  return out.str();
}

std::string difference_of_weights(const Reference& reference, const Training& training) {
  std::ostringstream out;
  for (std::size_t o = 0; o < training.trainee->optimizers.size(); ++o) {
    const auto weights = master_params(*training.trainee->optimizers[o]);
    const auto expected = master_params(*reference.trainee.optimizers[o]);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const at::Tensor weight = weights[i].to(at::kFloat);
      if (at::allclose(weight, expected[i], 0, 0, /*equal_nan=*/true)) continue;
      out << "parameter " << i << " of optimizer " << o << " is\n" << weight << "\nnot\n" << expected[i];
      return out.str();
    }
  }
  return "";
}

/// Counts the rare events in the programs that ran.
struct Coverage {
  int skipped_steps = 0;
  int restarts = 0;
};

/// Returns the first difference, or "".
std::string difference_of(const Program& program, const Kind& kind, Coverage& coverage) {
  Reference reference(program);
  Training training(program, kind);
  for (std::size_t i = 0; i < program.iterations.size(); ++i) {
    const Iteration& iteration = program.iterations[i];
    const std::string where = "after iteration " + std::to_string(i) + ": ";
    if (iteration.restarts_before && !reference.owes_something()) {
      training.restart_from_checkpoint();
      // A checkpoint does not hold gradients.
      for (auto& optimizer : reference.trainee.optimizers) optimizer->zero_grad(/*set_to_none=*/true);
      ++coverage.restarts;
    }
    for (auto& optimizer : reference.trainee.optimizers) optimizer->zero_grad(iteration.zeroes_to_none);
    for (auto& optimizer : training.trainee->optimizers) optimizer->zero_grad(iteration.zeroes_to_none);
    for (const Pass& pass : iteration.passes) {
      reference.run(pass);
      training.run(pass);
    }
    for (int o = 0; o < program.optimizer_count(); ++o) {
      if (!iteration.steps[o]) continue;
      const bool stepped = step(*training.trainee->optimizers[o]);
      const bool should = reference.step(o);
      if (!should) ++coverage.skipped_steps;
      // With open checks, step() does not know yet whether gradients overflowed.
      if (stepped != should && !kind.leaves_checks_open) {
        return where + (stepped ? "a step was not skipped" : "a step was skipped");
      }
    }
    if (const auto found = difference_of_weights(reference, training); !found.empty()) return where + found;
    if (kind.leaves_checks_open) continue;  // reading a scale would read the checks, too
    if (const auto found = difference_of_scales(program, reference); !found.empty()) return where + found;
  }
  return difference_of_scales(program, reference);
}

/// Returns the first difference or the message of an exception, or "".
std::string failure_of(const Program& program, const Kind& kind, Coverage& coverage) {
  try {
    return difference_of(program, kind, coverage);
  } catch (const std::exception& error) {
    return std::string("threw ") + error.what();
  }
}

/// Returns a simpler program that also fails, but no longer does if any part is removed.
Program shrunk(Program program, const std::function<bool(const Program&)>& fails) {
  for (bool found = true; found;) {
    found = false;
    for (Program& candidate : simpler(program)) {
      if (!fails(candidate)) continue;
      program = std::move(candidate);
      found = true;
      break;
    }
  }
  return program;
}

std::pair<std::uint32_t, std::uint32_t> seeds() {
  const char* text = std::getenv("AMPPROF_RANDOM_PROGRAMS");
  if (text == nullptr) return {1, ampprof::test_support::runs_repetitions() ? 2000 : 800};
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  char colon = 0;
  std::istringstream(text) >> first >> colon >> last;
  return {first, last};
}

class RandomPrograms : public testing::TestWithParam<Kind> {};

TEST_P(RandomPrograms, TrainAsPlainFp32DoesWithTheSameStepsSkipped) {
  const auto [first, last] = seeds();
  Coverage coverage;
  for (std::uint32_t seed = first; seed <= last; ++seed) {
    const Program program = make_program(seed);
    if (failure_of(program, GetParam(), coverage).empty()) continue;
    const Program least =
        shrunk(program, [&](const Program& p) { return !failure_of(p, GetParam(), coverage).empty(); });
    FAIL() << "seed " << seed << ", shrunk to\n" << least << '\n' << failure_of(least, GetParam(), coverage);
  }
  EXPECT_GE(coverage.skipped_steps, static_cast<int>(last - first) / 4);
  EXPECT_GE(coverage.restarts, static_cast<int>(last - first) / 4);
}

INSTANTIATE_TEST_SUITE_P(Optimizers, RandomPrograms,
                         testing::Values(Kind{"Sgd", make_sgd, false}, Kind{"FusedSgd", make_fused_sgd, false},
                                         Kind{"FusedSgdWithOpenChecks", make_fused_sgd, true}),
                         [](const auto& info) { return std::string(info.param.name); });

bool has_poison(const Program& program) {
  for (const Iteration& iteration : program.iterations) {
    for (const Pass& pass : iteration.passes) {
      if (pass.poisoned_model >= 0) return true;
    }
  }
  return false;
}

TEST(RandomProgramsThemselves, ShrinkToWhatMatters) {
  std::uint32_t seed = 1;
  while (!has_poison(make_program(seed))) ++seed;
  const Program least = shrunk(make_program(seed), has_poison);
  ASSERT_EQ(least.iterations.size(), 1U) << least;
  ASSERT_EQ(least.iterations[0].passes.size(), 1U) << least;
  EXPECT_EQ(least.iterations[0].passes[0].input, (std::vector<float>{1, 1, 1}));
}

TEST(RandomProgramsThemselves, AreTheSameForTheSameSeed) {
  EXPECT_EQ(make_program(17), make_program(17));
  EXPECT_NE(make_program(17), make_program(18));
}

}  // namespace random_programs_test
}  // namespace amp::random_programs
