// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <torch/jit.h>
#include <torch/library.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <functional>
#include <ostream>

#include "precision/replay/reference/skipped.h"
#include "tests/precision/replay/reference/call_op.h"

namespace ampprof {
namespace reference_rules_test {

using at::Tensor;

Tensor half(at::IntArrayRef sizes) { return at::randn(sizes).to(at::kHalf); }
c10::IValue ints(std::vector<std::int64_t> values) { return c10::List<std::int64_t>(std::move(values)); }
c10::IValue type(at::ScalarType type) { return static_cast<std::int64_t>(type); }

Values batch_norm_arguments(const Tensor& mean, const Tensor& variance, bool training) {
  return {half({9, 4}), at::ones({4}), at::zeros({4}), mean, variance, training, 0.1, 1e-5, false};
}

// Outcome of a call ---------------------------------------------------------------------------------------------------

struct Case {
  const char* name;
  const char* op;
  const char* overload;
  reference::ReplayOutcome expected;
  std::function<Values()> arguments;
};

void PrintTo(const Case& row, std::ostream* out) { *out << row.op << '.' << row.overload; }

class OutcomeOf : public testing::TestWithParam<Case> {};

TEST_P(OutcomeOf, FollowsTheRules) {
  const Case& row = GetParam();
  at::manual_seed(3);
  const auto observed = call_observed(op_named(row.op, row.overload), row.arguments());
  EXPECT_EQ(observed.reference.outcome, row.expected) << observed.reference.reason;
  EXPECT_EQ(observed.reference.outputs.empty(), row.expected != reference::ReplayOutcome::Ran);
  const bool needs_a_reason =
      row.expected == reference::ReplayOutcome::Unsupported || row.expected == reference::ReplayOutcome::Failed;
  EXPECT_EQ(observed.reference.reason.empty(), !needs_a_reason);
}

INSTANTIATE_TEST_SUITE_P(
    Ops, OutcomeOf,
    testing::Values(Case{"fp32_throughout", "aten::mm", "", reference::ReplayOutcome::NotNeeded,
                         [] {
                           return Values{at::randn({3, 3}), at::randn({3, 3})};
                         }},
                    Case{"fp32_in_place", "aten::add_", "Tensor", reference::ReplayOutcome::NotNeeded,
                         [] {
                           return Values{at::randn({3}), at::randn({3}), 1};
                         }},
                    Case{"integers", "aten::add", "Tensor", reference::ReplayOutcome::NotNeeded,
                         [] {
                           return Values{at::ones({3}, at::kLong), at::ones({3}, at::kLong), 1};
                         }},
                    Case{"integer_output", "aten::argmax", "", reference::ReplayOutcome::NotNeeded,
                         [] {
                           return Values{half({3, 3}), c10::IValue(), false};
                         }},
                    Case{"comparison", "aten::gt", "Scalar", reference::ReplayOutcome::NotNeeded,
                         [] {
                           return Values{half({3}), 0.0};
                         }},
                    Case{"item", "aten::item", "", reference::ReplayOutcome::NotNeeded,
                         [] { return Values{half({1})}; }},
                    Case{"no_values_yet", "aten::empty_like", "", reference::ReplayOutcome::NotNeeded,
                         [] {
                           return Values{half({3}),     c10::IValue(), c10::IValue(),
                                         c10::IValue(), c10::IValue(), c10::IValue()};
                         }},
                    Case{"view", "aten::view", "", reference::ReplayOutcome::View,
                         [] {
                           return Values{half({6}), ints({2, 3})};
                         }},
                    Case{"transpose", "aten::t", "", reference::ReplayOutcome::View,
                         [] {
                           return Values{half({6, 2})};
                         }},
                    Case{"chunk", "aten::chunk", "", reference::ReplayOutcome::View,
                         [] {
                           return Values{half({6, 2}), 2, 0};
                         }},
                    Case{"detach", "aten::detach", "", reference::ReplayOutcome::View,
                         [] {
                           return Values{half({6, 2})};
                         }},
                    Case{"reshape_without_a_copy", "aten::reshape", "", reference::ReplayOutcome::View,
                         [] {
                           return Values{half({6}), ints({2, 3})};
                         }},
                    Case{"reshape_with_a_copy", "aten::reshape", "", reference::ReplayOutcome::Ran,
                         [] {
                           return Values{half({6, 2}).t(), ints({12})};
                         }},
                    Case{"cast_to_the_same_type", "aten::to", "dtype", reference::ReplayOutcome::View,
                         [] {
                           return Values{half({6}), type(at::kHalf), false, false, c10::IValue()};
                         }},
                    Case{"cast_to_float", "aten::to", "dtype", reference::ReplayOutcome::Ran,
                         [] {
                           return Values{half({6}), type(at::kFloat), false, false, c10::IValue()};
                         }},
                    Case{"dropout_in_evaluation", "aten::dropout", "", reference::ReplayOutcome::View,
                         [] {
                           return Values{half({60}), 0.5, false};
                         }},
                    Case{"normal_in_place", "aten::normal_", "", reference::ReplayOutcome::Random,
                         [] {
                           return Values{half({60}), 0.0, 1.0, c10::IValue()};
                         }},
                    Case{"attention_without_dropout", "aten::scaled_dot_product_attention", "",
                         reference::ReplayOutcome::Ran,
                         [] {
                           return Values{half({1, 2, 4, 8}),
                                         half({1, 2, 4, 8}),
                                         half({1, 2, 4, 8}),
                                         c10::IValue(),
                                         0.0,
                                         false,
                                         c10::IValue(),
                                         false};
                         }},
                    Case{"resize", "aten::resize_", "", reference::ReplayOutcome::Unsupported,
                         [] {
                           return Values{half({6}), ints({2, 2}), c10::IValue()};
                         }},
                    Case{"set", "aten::set_", "source_Tensor", reference::ReplayOutcome::Unsupported,
                         [] {
                           return Values{half({6}), half({6})};
                         }},
                    Case{"sparse", "aten::to_sparse", "", reference::ReplayOutcome::Unsupported,
                         [] {
                           return Values{half({6}), c10::IValue(), c10::IValue(), c10::IValue()};
                         }}),
    [](const auto& info) { return info.param.name; });

// Supports only half, so it fails in FP64.
Tensor half_only(const Tensor& x) {
  TORCH_CHECK(x.scalar_type() == at::kHalf, "half_only takes half");
  return x * 2;
}

Tensor warns(const Tensor& x) {
  TORCH_WARN("as asked");
  return x * 2;
}

// Supports the flag only for half, like softmax on a GPU.
Tensor widens(const Tensor& x, bool half_to_float) {
  TORCH_CHECK(!half_to_float || x.scalar_type() == at::kHalf, "half_to_float takes half");
  return half_to_float ? x.to(at::kFloat) * 2 : x * 2;
}

int g_runs = 0;

Tensor counts_its_runs(const Tensor& x) {
  ++g_runs;
  return x.clone();
}

TORCH_LIBRARY(ampprof_extension_test, library) {
  library.def("counts_its_runs(Tensor x) -> Tensor",
              torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, &counts_its_runs));
}

TEST(Reference, RunsAnOpThatIsNotLibTorchsOwnOnce) {
  const auto observed = call_observed(op_named("ampprof_extension_test::counts_its_runs"), {half({3})});
  EXPECT_EQ(g_runs, 1);
  EXPECT_EQ(observed.reference.outcome, reference::ReplayOutcome::Unsupported);
  EXPECT_NE(observed.reference.reason.find("--rerun"), std::string::npos) << observed.reference.reason;
}

TORCH_LIBRARY(ampprof_reference_test, library) {
  reference::allow_replays_of({"ampprof_reference_test::"});
  library.def("warns(Tensor x) -> Tensor", torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, &warns));
  library.def("widens(Tensor x, bool half_to_float) -> Tensor",
              torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, &widens));
  library.def("half_only(Tensor x) -> Tensor",
              torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, &half_only));
}

TEST(Reference, ReportsWhyAnOpFailed) {
  const auto observed = call_observed(op_named("ampprof_reference_test::half_only"), {half({3})});
  EXPECT_EQ(observed.reference.outcome, reference::ReplayOutcome::Failed);
  EXPECT_EQ(observed.reference.reason, "half_only takes half");
}

TEST(Reference, TakesTheFlagThatMakesFloatOfHalfOff) {
  const auto observed = call_observed(op_named("ampprof_reference_test::widens"), {half({3}), true});
  EXPECT_EQ(observed.reference.outcome, reference::ReplayOutcome::Ran) << observed.reference.reason;
}

TEST(Reference, IsFp32OrFp64) { EXPECT_THROW(reference::Reference{at::kHalf}, c10::Error); }

// The reference must not change the program ---------------------------------------------------------------------------

TEST(Reference, LeavesRunningStatisticsAsTheCallLeftThem) {
  for (const auto precision : {at::kFloat, at::kDouble}) {
    at::manual_seed(5);
    const Tensor mean = at::zeros({4});
    const Tensor variance = at::ones({4});
    torch::jit::Stack stack = batch_norm_arguments(mean, variance, true);
    op_named("aten::batch_norm").callBoxed(stack);

    at::manual_seed(5);
    const Tensor watched_mean = at::zeros({4});
    const Tensor watched_variance = at::ones({4});
    const auto observed = call_observed(op_named("aten::batch_norm"),
                                        batch_norm_arguments(watched_mean, watched_variance, true), precision);
    EXPECT_EQ(observed.reference.outcome, reference::ReplayOutcome::Ran);
    EXPECT_TRUE(at::equal(watched_mean, mean));
    EXPECT_TRUE(at::equal(watched_variance, variance));
    EXPECT_FALSE(at::equal(mean, at::zeros({4}))) << "the call itself must have written them";
  }
}

TEST(Reference, LeavesVersionsGradientsAndGraphsAlone) {
  const Tensor weight = half({4, 4}).requires_grad_();
  const Tensor bias = at::randn({4}).requires_grad_();
  const Tensor x = half({4, 4});
  const auto sequence = at::sequence_number::peek();
  const auto op = op_named("aten::mm");
  const reference::Reference reference(at::kFloat);
  auto kept = reference.keep(op, {x, weight});
  EXPECT_EQ(at::sequence_number::peek(), sequence);
  torch::jit::Stack stack{x, weight};
  op.callBoxed(stack);
  const auto after_call = at::sequence_number::peek();
  const auto result = reference.run(op, std::move(kept), stack);
  EXPECT_EQ(result.outcome, reference::ReplayOutcome::Ran);
  EXPECT_FALSE(result.outputs.at(0).requires_grad());
  EXPECT_EQ(at::sequence_number::peek(), after_call);
  EXPECT_EQ(weight._version(), 0);
  EXPECT_EQ(x._version(), 0);
  EXPECT_FALSE(weight.grad().defined());
  EXPECT_TRUE(stack.at(0).toTensor().requires_grad());
}

TEST(Reference, WritesOnlyItsOwnCopies) {
  const Tensor x = half({9});
  const Tensor before = x.clone();
  const auto observed = call_observed(op_named("aten::mul_", "Scalar"), {x, 3.0});
  EXPECT_TRUE(at::equal(x, before * 3.0)) << "once, not twice";
  EXPECT_EQ(x._version(), 1);
  EXPECT_TRUE(at::equal(observed.reference.outputs.at(0), before.to(at::kDouble) * 3.0));
}

TEST(Reference, IsNotCastByAutocast) {
  at::autocast::set_autocast_dtype(at::kCPU, at::kHalf);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  const Tensor a = at::randn({5, 5});
  const auto observed = call_observed(op_named("aten::mm"), {a, a}, at::kFloat);
  at::autocast::set_autocast_enabled(at::kCPU, false);
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  at::autocast::clear_cache();
  ASSERT_EQ(observed.returned.at(0).toTensor().scalar_type(), at::kHalf);
  ASSERT_EQ(observed.reference.outcome, reference::ReplayOutcome::Ran);
  EXPECT_TRUE(at::equal(observed.reference.outputs.at(0), at::mm(a, a)));
}

TEST(Reference, TakesWrittenArgumentsForTheResultsOfAnOpThatReturnsNothing) {
  const auto op = op_named("aten::_foreach_mul_", "Scalar");
  const Tensor x = half({9});
  const Tensor expected = x.to(at::kDouble) * 0.3;
  const reference::Reference reference(at::kDouble);
  Values arguments{c10::List<Tensor>({x}), 0.3};
  auto kept = reference.keep(op, arguments);
  torch::jit::Stack stack = arguments;
  op.callBoxed(stack);
  const auto result = reference.run(op, kept, reference::written_arguments(op, arguments));
  ASSERT_EQ(result.outcome, reference::ReplayOutcome::Ran) << result.reason;
  EXPECT_TRUE(at::equal(result.outputs.at(0), expected));
  EXPECT_EQ(reference.run(op, kept, stack).outcome, reference::ReplayOutcome::NotNeeded) << "it returned nothing";
}

TEST(Reference, RunsAnFp32CallAgainWhereARecipeRoundedItsOperands) {
  const auto op = op_named("aten::mm");
  const reference::Reference reference(at::kFloat);
  const Tensor x = at::randn({4, 4});
  const Tensor rounded = x.to(at::kBFloat16).to(at::kFloat);
  const auto saved = reference.keep(op, {x, x});
  const Values returned{at::mm(rounded, rounded)};
  EXPECT_EQ(reference.run(op, saved, returned).outcome, reference::ReplayOutcome::NotNeeded);
  const auto result = reference.run(op, saved, returned, /*ran_in_recipe=*/true);
  ASSERT_EQ(result.outcome, reference::ReplayOutcome::Ran) << result.reason;
  EXPECT_TRUE(at::equal(result.outputs.at(0), at::mm(x, x)));
}

TEST(Reference, DropsTheWarningsOfTheSecondCall) {
  struct Count : c10::WarningHandler {
    void process(const c10::Warning& /*warning*/) override { ++warnings; }
    int warnings = 0;
  } count;
  const c10::WarningUtils::WarningHandlerGuard guard(&count);
  const c10::WarningUtils::WarnAlways always;
  const auto observed = call_observed(op_named("ampprof_reference_test::warns"), {half({4})});
  EXPECT_EQ(observed.reference.outcome, reference::ReplayOutcome::Ran);
  EXPECT_EQ(count.warnings, 1);
}

}  // namespace reference_rules_test
}  // namespace ampprof
