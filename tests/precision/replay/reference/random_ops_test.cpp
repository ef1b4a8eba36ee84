// SPDX-License-Identifier: Apache-2.0
// Tests that a reference reuses the random mask of its op, and that the program's random state stays the same.
#include <gtest/gtest.h>
#include <torch/jit.h>
#include <torch/library.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <functional>
#include <ostream>

#include "precision/replay/reference/skipped.h"
#include "precision/tensors/measure.h"
#include "tests/precision/replay/reference/call_op.h"

namespace ampprof {
namespace random_ops_test {

using at::Tensor;

Tensor half(at::IntArrayRef sizes) { return at::randn(sizes).to(at::kHalf); }
Tensor random_state() { return at::detail::getDefaultCPUGenerator().get_state(); }
c10::IValue none() { return {}; }
c10::IValue tensors(std::vector<Tensor> values) { return c10::List<Tensor>(std::move(values)); }

// Is random, but has no tag in its schema that says so. So the generator's state is not saved before the call.
Tensor secretly_random(const Tensor& x) { return x * at::randn({1}).item<double>(); }

// Draws a mask that depends on the type, like kernels that fill whole vectors. Draws equally many numbers for all
// types.
Tensor mask_by_type(const Tensor& x) {
  const Tensor mask = at::rand(x.sizes()) < 0.5;
  return x * (x.scalar_type() == at::kHalf ? mask : mask.flip(0));
}

// Draws more numbers in half than in other types.
Tensor draws_by_type(const Tensor& x) {
  at::rand(x.scalar_type() == at::kHalf ? 5 : 3);
  return x * 2;
}

TORCH_LIBRARY(ampprof_random_test, library) {
  reference::allow_replays_of({"ampprof_random_test::"});
  const auto define = [&](const char* schema, Tensor (*kernel)(const Tensor&), bool is_tagged) {
    const std::vector<at::Tag> tags =
        is_tagged ? std::vector{at::Tag::nondeterministic_seeded} : std::vector<at::Tag>{};
    library.def(torch::schema(schema), tags);
    library.impl(std::string(schema).substr(0, std::string(schema).find('(')).c_str(),
                 torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, kernel));
  };
  define("secretly_random(Tensor x) -> Tensor", &secretly_random, false);
  define("mask_by_type(Tensor x) -> Tensor", &mask_by_type, true);
  define("draws_by_type(Tensor x) -> Tensor", &draws_by_type, true);
}

struct Case {
  const char* name;
  const char* op;
  const char* overload;
  reference::ReplayOutcome expected;
  std::function<Values()> arguments;
  reference::ReplayOutcome in_double = expected;  ///< differs if the kernel draws differently in FP64
};

void PrintTo(const Case& row, std::ostream* out) { *out << row.op << '.' << row.overload; }

class RandomOp : public testing::TestWithParam<Case> {
 protected:
  // An odd number of normal samples leaves one sample cached in the generator.
  static Values seeded(const std::function<Values()>& arguments) {
    at::manual_seed(5);
    Values values = arguments();
    at::randn({1});
    return values;
  }

  Observed observed(at::ScalarType precision) const {
    return call_observed(op_named(GetParam().op, GetParam().overload), seeded(GetParam().arguments), precision);
  }
};

/// LibTorch 2.15 draws halves like floats. LibTorch 2.11 uses other bits of the generator for halves.
reference::ReplayOutcome outcome_of_uniform() {
  const auto drawn_as = [](at::ScalarType type) {
    at::manual_seed(5);
    return at::empty({64}, type).uniform_().to(at::kFloat);
  };
  const bool is_alike = at::allclose(drawn_as(at::kHalf), drawn_as(at::kFloat), 0.0, 1e-2);
  return is_alike ? reference::ReplayOutcome::Ran : reference::ReplayOutcome::Random;
}

TEST_P(RandomOp, IsRunAgainWhereItsDrawCanBeShared) {
  for (const auto precision : {at::kFloat, at::kDouble}) {
    const auto [returned, reference] = observed(precision);
    EXPECT_EQ(reference.outcome, precision == at::kDouble ? GetParam().in_double : GetParam().expected)
        << precision << reference.reason;
    if (reference.outcome != reference::ReplayOutcome::Ran) continue;
    const Tensor y = returned.at(0).toTensor();
    const Tensor r = reference.outputs.at(0);
    EXPECT_EQ(r.scalar_type(), precision);
    EXPECT_LT(tensors::measure(y, r).local->relative_l2(), 1e-2);
    EXPECT_TRUE(at::equal(y == 0, r == 0)) << "another mask";
  }
}

TEST_P(RandomOp, LeavesTheRandomStateAsTheCallLeftIt) {
  torch::jit::Stack stack = seeded(GetParam().arguments);
  op_named(GetParam().op, GetParam().overload).callBoxed(stack);
  const Tensor expected = random_state();
  const Tensor expected_next = at::randn({3});
  for (const auto precision : {at::kFloat, at::kDouble}) {
    const auto [returned, reference] = observed(precision);
    EXPECT_TRUE(at::equal(random_state(), expected));
    EXPECT_TRUE(at::equal(at::randn({3}), expected_next));
    EXPECT_TRUE(at::equal(returned.at(0).toTensor(), stack.at(0).toTensor()));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ops, RandomOp,
    testing::Values(
        Case{"dropout", "aten::dropout", "", reference::ReplayOutcome::Ran,
             [] {
               return Values{half({600}), 0.3, true};
             }},
        Case{"dropout_in_place", "aten::dropout_", "", reference::ReplayOutcome::Ran,
             [] {
               return Values{half({600}), 0.3, true};
             }},
        Case{"native_dropout", "aten::native_dropout", "", reference::ReplayOutcome::Ran,
             [] {
               return Values{half({600}), 0.3, true};
             }},
        Case{"feature_dropout", "aten::feature_dropout", "", reference::ReplayOutcome::Ran,
             [] {
               return Values{half({20, 6, 3, 3}), 0.3, true};
             }},
        Case{"alpha_dropout", "aten::alpha_dropout", "", reference::ReplayOutcome::Ran,
             [] {
               return Values{half({600}), 0.3, true};
             }},
        Case{"rrelu", "aten::rrelu", "", reference::ReplayOutcome::Ran,
             [] {
               return Values{at::randn({600}).to(at::kBFloat16), 0.1, 0.3, true, none()};
             }},
        Case{"bernoulli_of_probabilities", "aten::bernoulli", "", reference::ReplayOutcome::Ran,
             [] {
               return Values{at::rand({600}).to(at::kHalf), none()};
             },
             reference::ReplayOutcome::Random},
        Case{"bernoulli_in_place", "aten::bernoulli_", "float", reference::ReplayOutcome::Ran,
             [] {
               return Values{half({600}), 0.5, none()};
             }},
        Case{"dropout_of_bfloat16", "aten::dropout", "", reference::ReplayOutcome::Ran,
             [] {
               return Values{at::randn({600}).to(at::kBFloat16), 0.3, true};
             }},
        Case{"own_generator", "aten::bernoulli_", "float", reference::ReplayOutcome::Ran,
             [] {
               static at::Generator generator = at::detail::createCPUGenerator(0);
               generator.set_current_seed(3);
               return Values{half({600}), 0.5, generator};
             }},
        Case{"attention_with_dropout", "aten::scaled_dot_product_attention", "", reference::ReplayOutcome::Ran,
             [] {
               return Values{
                   half({1, 2, 9, 8}), half({1, 2, 9, 8}), half({1, 2, 9, 8}), none(), 0.2, false, none(), false};
             }},
        Case{"lstm_with_dropout", "aten::lstm", "input", reference::ReplayOutcome::Ran,
             [] {
               return Values{half({5, 2, 4}),
                             tensors({half({2, 2, 4}), half({2, 2, 4})}),
                             tensors({half({16, 4}), half({16, 4}), half({16}), half({16}), half({16, 4}),
                                      half({16, 4}), half({16}), half({16})}),
                             true,
                             2,
                             0.4,
                             true,
                             false,
                             false};
             }},
        Case{"normal_in_place", "aten::normal_", "", reference::ReplayOutcome::Random,
             [] {
               return Values{half({600}), 0.0, 1.0, none()};
             }},
        Case{"normal_that_hardly_varies", "aten::normal_", "", reference::ReplayOutcome::Random,
             [] {
               return Values{half({600}), 10.0, 0.1, none()};
             }},
        Case{"uniform_in_place", "aten::uniform_", "", outcome_of_uniform(),
             [] {
               return Values{half({600}), 0.0, 1.0, none()};
             },
             reference::ReplayOutcome::Random},
        Case{"in_secret", "ampprof_random_test::secretly_random", "", reference::ReplayOutcome::Random,
             [] { return Values{half({600})}; }},
        Case{"mask_by_type", "ampprof_random_test::mask_by_type", "", reference::ReplayOutcome::Random,
             [] { return Values{half({600})}; }},
        Case{"draws_by_type", "ampprof_random_test::draws_by_type", "", reference::ReplayOutcome::Random,
             [] { return Values{half({600})}; }}),
    [](const auto& info) { return info.param.name; });

TEST(RandomOps, LeaveTheCallersOwnGeneratorAlone) {
  at::Generator generator = at::detail::createCPUGenerator(3);
  const Tensor x = half({600});
  generator.set_current_seed(3);
  at::empty({600}, at::kHalf).bernoulli_(0.5, generator);
  const Tensor expected = generator.get_state();
  generator.set_current_seed(3);
  call_observed(op_named("aten::bernoulli_", "float"), {x, 0.5, generator});
  EXPECT_TRUE(at::equal(generator.get_state(), expected));
}

TEST(RandomOps, ShareTheMaskUnderAutocast) {
  at::autocast::set_autocast_dtype(at::kCPU, at::kHalf);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  const auto observed = call_observed(op_named("aten::dropout"), {half({600}), 0.5, true}, at::kFloat);
  at::autocast::set_autocast_enabled(at::kCPU, false);
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  ASSERT_EQ(observed.reference.outcome, reference::ReplayOutcome::Ran);
  EXPECT_TRUE(at::equal(observed.returned.at(0).toTensor() == 0, observed.reference.outputs.at(0) == 0));
}

TEST(RandomOps, ShareTheMaskOnChangedInputsOfTheSameType) {
  const auto op = op_named("aten::dropout");
  Values arguments{at::randn({600}), 0.5, true};
  const reference::SavedCall kept = save_call(op, arguments, reference::CopyWritten::Always);
  torch::jit::Stack stack = arguments;
  op.callBoxed(stack);
  const auto again = replay(op, kept, stack, [](const c10::Argument& argument, const c10::IValue& value) {
    return reference::for_replay(argument, value,
                                 [](const c10::Argument&, const Tensor& tensor) { return tensor * 1.5; });
  });
  ASSERT_EQ(again.outcome, reference::ReplayOutcome::Ran);
  EXPECT_TRUE(at::allclose(again.outputs.at(0), stack.at(0).toTensor() * 1.5));
}

// On a GPU, only the returned mask shows the drawn numbers without a synchronization.
TEST(RandomOps, DropoutIsComputedWithTheMaskThatItReturned) {
  const auto op = op_named("aten::native_dropout");
  const Tensor x = half({600});
  const Tensor mask = at::rand({600}) < 0.5;
  const Tensor state = random_state();
  const auto again = reference::replay(op, {{x, 0.25, true}, false, nullptr}, Values{x * mask, mask},
                                       [](const c10::Argument& argument, const c10::IValue& value) {
                                         return reference::in_precision(argument, value, at::kFloat);
                                       });
  ASSERT_EQ(again.outcome, reference::ReplayOutcome::Ran);
  EXPECT_TRUE(at::equal(again.outputs.at(0), x.to(at::kFloat) * mask * (1 / 0.75)));
  EXPECT_TRUE(at::equal(random_state(), state));
}

TEST(RandomOps, HaveNoReferenceWhereNothingIsFloating) {
  const auto observed =
      call_observed(op_named("aten::multinomial"), {at::rand({9, 5}).to(at::kFloat), 2, false, none()});
  EXPECT_EQ(observed.reference.outcome, reference::ReplayOutcome::NotNeeded);
}

// cuDNN's random state cannot be seen without a GPU, so this only tests the decision.
TEST(RecurrentDropout, IsReadFromTheArguments) {
  const auto lstm = op_named("aten::lstm", "input");
  const auto asked = [&](double share, bool trains) {
    const Values arguments{half({2, 3, 4}), tensors({}), tensors({}), true, 2, share, trains, false, false};
    return reference::has_dropout_between_layers(lstm.schema(), arguments);
  };
  EXPECT_TRUE(asked(0.5, true));
  EXPECT_FALSE(asked(0.5, false));
  EXPECT_FALSE(asked(0.0, true));
  const auto dropout = op_named("aten::dropout");
  EXPECT_FALSE(reference::has_dropout_between_layers(dropout.schema(), Values{half({2}), 0.5, true}))
      << "its generator shows what it draws";
}

}  // namespace random_ops_test
}  // namespace ampprof
