// SPDX-License-Identifier: Apache-2.0
#include "tests/amp_core/engine/random_program.h"

#include <algorithm>
#include <ostream>

namespace amp::random_programs {
namespace {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}

  /// Returns a random integer from first to last. Standard distributions differ between libraries.
  int roll(int first, int last) {
    return first + static_cast<int>(engine_() % static_cast<unsigned>(last - first + 1));
  }
  bool one_in(int n) { return roll(1, n) == 1; }

 private:
  std::mt19937 engine_;
};

Pass make_pass(Dice& dice, const Program& program) {
  Pass pass;
  pass.loss = dice.roll(0, program.losses - 1);
  const int models = static_cast<int>(program.optimizer_of_model.size());
  for (int model = 0; model < models; ++model) {
    if (dice.one_in(2)) pass.models.push_back(model);
  }
  if (pass.models.empty()) pass.models.push_back(dice.roll(0, models - 1));
  for (float& value : pass.input) value = static_cast<float>(dice.roll(-2, 2));
  if (dice.one_in(5)) pass.poisoned_model = pass.models[dice.roll(0, static_cast<int>(pass.models.size()) - 1)];
  pass.poison_is_nan = dice.one_in(2);
  pass.throws = dice.one_in(10);
  pass.delays_check = dice.one_in(6);
  return pass;
}

/// Adds delayed passes. A delayed pass has the loss, the scale and the models of the pass that ends its accumulation.
void add_accumulation(Dice& dice, const Pass& last, std::vector<Pass>& passes) {
  for (int i = dice.roll(1, 2); i > 0; --i) {
    Pass pass = last;
    pass.delays_unscale = true;
    pass.throws = false;
    if (!dice.one_in(4)) pass.poisoned_model = -1;
    passes.push_back(pass);
  }
}

Iteration make_iteration(Dice& dice, const Program& program) {
  Iteration iteration;
  iteration.zeroes_to_none = dice.one_in(2);
  for (int i = dice.roll(1, 3); i > 0; --i) {
    Pass pass = make_pass(dice, program);
    if (dice.one_in(4)) {
      pass.throws = false;
      add_accumulation(dice, pass, iteration.passes);
    }
    iteration.passes.push_back(pass);
  }
  for (int i = 0; i < program.optimizer_count(); ++i) iteration.steps.push_back(!dice.one_in(8));
  iteration.restarts_before = dice.one_in(5);
  return iteration;
}

template <class Change>
void add_changed(std::vector<Program>& simpler, const Program& program, Change&& change) {
  Program changed = program;
  change(changed);
  if (changed != program) simpler.push_back(std::move(changed));
}

void add_without_iterations(std::vector<Program>& simpler, const Program& program) {
  for (std::size_t i = 0; i < program.iterations.size(); ++i) {
    add_changed(simpler, program, [i](Program& p) { p.iterations.erase(p.iterations.begin() + static_cast<long>(i)); });
  }
}

/// Adds a copy of the program without pass `j` of iteration `i`. Does nothing if the pass ends an accumulation, because
/// the delayed passes would remain.
void add_without_pass(std::vector<Program>& simpler, const Program& program, std::size_t i, std::size_t j) {
  const auto& passes = program.iterations[i].passes;
  const bool ends_accumulation = j > 0 && passes[j - 1].delays_unscale && !passes[j].delays_unscale;
  if (ends_accumulation) return;
  add_changed(simpler, program, [=](Program& p) {
    auto& left = p.iterations[i].passes;
    left.erase(left.begin() + static_cast<long>(j));
  });
}

void add_plainer_pass(std::vector<Program>& simpler, const Program& program, std::size_t i, std::size_t j) {
  const auto change = [&](auto&& edit) {
    add_changed(simpler, program, [&](Program& p) { edit(p.iterations[i].passes[j]); });
  };
  change([](Pass& pass) { pass.poisoned_model = -1; });
  change([](Pass& pass) { pass.poison_is_nan = false; });
  change([](Pass& pass) { pass.throws = false; });
  change([](Pass& pass) { pass.delays_check = false; });
  change([](Pass& pass) { pass.input = {1, 1, 1}; });
}

}  // namespace

int Program::optimizer_count() const {
  return 1 + *std::max_element(optimizer_of_model.begin(), optimizer_of_model.end());
}

Program make_program(std::uint32_t seed) {
  Dice dice(seed);
  constexpr const char* kLevels[]{"O0", "O1", "O2", "O3"};
  Program program;
  program.level = kLevels[dice.roll(0, 3)];
  program.optimizer_of_model = {0};
  for (int i = dice.roll(0, 2); i > 0; --i) {
    program.optimizer_of_model.push_back(dice.roll(0, program.optimizer_of_model.back() + 1));
  }
  program.losses = dice.roll(1, 3);
  program.is_dynamic = !dice.one_in(3);
  program.scale = 1 << dice.roll(0, 6);
  program.max_scale = 64;
  program.growth_interval = dice.roll(1, 4);
  program.hysteresis = dice.roll(1, 3);
  // With momentum 0.5, each step needs one more bit. The half weights of O3 do not have enough bits.
  program.has_momentum = program.level != kLevels[3] && dice.one_in(2);
  for (int i = dice.roll(1, 6); i > 0; --i) program.iterations.push_back(make_iteration(dice, program));
  return program;
}

std::vector<Program> simpler(const Program& program) {
  std::vector<Program> simpler;
  add_without_iterations(simpler, program);
  for (std::size_t i = 0; i < program.iterations.size(); ++i) {
    for (std::size_t j = 0; j < program.iterations[i].passes.size(); ++j) {
      add_without_pass(simpler, program, i, j);
      add_plainer_pass(simpler, program, i, j);
    }
    add_changed(simpler, program, [i](Program& p) { p.iterations[i].restarts_before = false; });
    add_changed(simpler, program, [i](Program& p) { p.iterations[i].zeroes_to_none = true; });
  }
  add_changed(simpler, program, [](Program& p) { p.has_momentum = false; });
  add_changed(simpler, program, [](Program& p) { p.hysteresis = 1; });
  add_changed(simpler, program, [](Program& p) { p.growth_interval = 4; });
  return simpler;
}

std::ostream& operator<<(std::ostream& out, const Program& program) {
  out << program.level << ", " << (program.is_dynamic ? "dynamic" : "static") << " scale " << program.scale
      << ", growth interval " << program.growth_interval << ", hysteresis " << program.hysteresis << ", "
      << program.losses << " losses" << (program.has_momentum ? ", momentum" : "") << ", optimizer of each model:";
  for (const int optimizer : program.optimizer_of_model) out << ' ' << optimizer;
  for (const auto& iteration : program.iterations) {
    out << "\niteration" << (iteration.restarts_before ? " after a restart from a checkpoint" : "")
        << (iteration.zeroes_to_none ? "" : ", gradients zeroed in place");
    for (const auto& pass : iteration.passes) {
      out << "\n  pass of loss " << pass.loss << ", models";
      for (const int model : pass.models) out << ' ' << model;
      out << ", input " << pass.input[0] << ' ' << pass.input[1] << ' ' << pass.input[2];
      if (pass.delays_unscale) out << ", delays unscaling";
      if (pass.delays_check) out << ", delays the check";
      if (pass.poisoned_model >= 0)
        out << ", " << (pass.poison_is_nan ? "NaN" : "inf") << " in " << pass.poisoned_model;
      if (pass.throws) out << ", throws";
    }
    out << "\n  steps";
    for (std::size_t i = 0; i < iteration.steps.size(); ++i) {
      if (iteration.steps[i]) out << ' ' << i;
    }
  }
  return out;
}

}  // namespace amp::random_programs
