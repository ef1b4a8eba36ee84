// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/certainty.h"

#include <gtest/gtest.h>

#include <vector>

#include "precision/advice/advise.h"
#include "tests/precision/advice/evidence_builder.h"

namespace ampprof::advice {
namespace certainty_test {

using testing_advice::Builder;
using Steps = std::vector<StepImpact>;

/// Returns a function with an effect of `size` on loss 0, measured in `steps`.
FunctionInModule function_of(const Steps& steps, double size) {
  FunctionInModule function;
  function.effects[0] = effect_of(0.0, size);
  function.steps = {&steps};
  return function;
}

Steps steps_of(double size) {
  return {{.step = 1, .change = 0.0, .square = size * size}, {.step = 2, .change = 0.0, .square = size * size}};
}

TEST(Certainty, FallsAsSizesComeNear) {
  const Steps small = steps_of(1), near = steps_of(1.1), large = steps_of(4);
  const std::vector far_apart{function_of(large, 4), function_of(small, 1)};
  EXPECT_GT(certainty_of(far_apart, {0}).value(), 0.999);
  EXPECT_LT(certainty_of(far_apart, {1}).value(), 0.001);
  const std::vector alike{function_of(near, 1.1), function_of(small, 1)};
  EXPECT_GT(certainty_of(alike, {0}).value(), 0.6);
  EXPECT_LT(certainty_of(alike, {0}).value(), 0.75);
}

TEST(Certainty, IsUnknownWithoutAChoice) {
  const Steps one = steps_of(1), two = steps_of(2);
  std::vector functions{function_of(one, 1), function_of(two, 2)};
  EXPECT_FALSE(certainty_of(functions, {})) << "nothing is registered";
  EXPECT_FALSE(certainty_of(functions, {0, 1})) << "all are";
  functions[1].reasons = {"it overflows"};
  EXPECT_FALSE(certainty_of(functions, {1}));
  functions[1].reasons = {};
  functions[1].cannot = "it is called in place";
  EXPECT_FALSE(certainty_of(functions, {0}));
  functions[1].cannot = "";
  functions[1].steps = {};
  EXPECT_FALSE(certainty_of(functions, {0})) << "of one nothing is known but the size";
}

TEST(Certainty, OfSignedChangesIsThatOfTheirRootMeanSquare) {
  Steps signed_steps = steps_of(1);
  for (StepImpact& step : signed_steps) step.square = std::nullopt;
  const Steps small = steps_of(1);
  const std::vector functions{function_of(signed_steps, 2), function_of(small, 1)};
  const double certain = certainty_of(functions, {0}).value();
  EXPECT_GT(certain, 0.8);
  EXPECT_LT(certain, 0.95) << "two steps";
}

TEST(Certainty, IsPartOfTheAdvice) {
  Builder builder;
  builder.forward("a", "softmax", 0.5);
  builder.forward("b", "relu", 1e-6);
  EXPECT_FALSE(advise(builder.evidence).certainty) << "steps are not known";
  for (queries::ImpactRow& row : builder.evidence.impacts) row.by_step = steps_of(*row.impact);
  EXPECT_GT(advise(builder.evidence).certainty.value(), 0.999);
}

}  // namespace certainty_test
}  // namespace ampprof::advice
