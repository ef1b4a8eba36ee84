// SPDX-License-Identifier: Apache-2.0
// Follows one op call at a time, as the profiler does. tests/profiler/replays/call_replays_test.cpp follows whole
// models.
#include "precision/replay/variant/variant.h"

#include <gtest/gtest.h>
#include <torch/jit.h>
#include <torch/library.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <functional>
#include <ostream>
#include <vector>

#include "precision/replay/reference/skipped.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "tests/exact_variant.h"
#include "tests/precision/replay/reference/call_op.h"
#include "tests/precision/replay/reference/fp32_setting.h"

namespace ampprof {
namespace variant_test {

using at::Tensor;

struct Called {
  std::vector<Tensor> results;
  variant::Followed again;
};

Called call(variant::Variant& shadow, const c10::OperatorHandle& op, Values arguments,
            variant::Pass pass = variant::Pass::Forward) {
  torch::jit::Stack stack = std::move(arguments);
  reference::SavedCall prepared = shadow.prepare(op, stack);
  op.callBoxed(stack);
  variant::Followed again = shadow.follow(op, std::move(prepared), stack, pass);
  return {reference::tensors_in(stack), std::move(again)};
}

c10::IValue ints(std::vector<std::int64_t> values) { return c10::List<std::int64_t>(std::move(values)); }
c10::IValue list(std::vector<Tensor> values) { return c10::List<Tensor>(values); }

/// Returns half values whose shadow differs from them.
Tensor diverged(variant::Variant& shadow, at::IntArrayRef sizes, at::ScalarType precision = at::kDouble) {
  const tensors::ObserverDisabledGuard guard;
  const Tensor values = at::randn(sizes);
  Tensor half = values.to(at::kHalf);
  shadow.memory().set(half, values.to(precision).clone());
  return half;
}

Tensor of(variant::Variant& shadow, const Tensor& tensor) {
  const tensors::ObserverDisabledGuard guard;
  return shadow.memory().of(tensor);
}

/// Returns a copy of a tensor's value in the shadow, to call the op on directly.
Tensor copy_of(variant::Variant& shadow, const Tensor& tensor) {
  const tensors::ObserverDisabledGuard guard;
  return shadow.memory().to_read(tensor).clone();
}

class ShadowOfOneCall : public testing::Test {
 protected:
  void SetUp() override { at::manual_seed(7); }
  ExactVariant shadow{at::kDouble};
};

// Under this setting, the processor may compute FP32 in BF16. The shadow computes in FP64 and rounds to FP32.
TEST_F(ShadowOfOneCall, IsIeeeWhereTheProgramShortensFp32) {
  ExactVariant in_fp32{at::kFloat};
  const Tensor x = diverged(in_fp32, {64, 64}, at::kFloat);
  const Tensor y = diverged(in_fp32, {64, 64}, at::kFloat);
  const Fp32Setting setting(c10::kCPU, torch_hooks::Fp32Op::Matmul, torch_hooks::Fp32Precision::Bf16);
  const Called called = call(in_fp32, op_named("aten::mm"), {x, y});
  const Tensor exact = at::mm(copy_of(in_fp32, x).to(at::kDouble), copy_of(in_fp32, y).to(at::kDouble));
  const Tensor own = of(in_fp32, called.results.at(0));
  EXPECT_EQ(own.scalar_type(), at::kFloat);
  EXPECT_TRUE(at::equal(own, exact.to(at::kFloat)));
}

// Results -------------------------------------------------------------------------------------------------------------

struct Case {
  const char* name;
  const char* op;
  const char* overload;
  /// Returns the call's arguments. `tensor` gives either the half tensors or their values in the shadow.
  std::function<Values(const std::function<Tensor(int)>& tensor)> arguments;
};

void PrintTo(const Case& row, std::ostream* out) { *out << row.op << '.' << row.overload; }

class ResultOf : public testing::TestWithParam<Case> {};

TEST_P(ResultOf, IsWhatTheOpMakesOfTheCounterparts) {
  at::manual_seed(7);
  ExactVariant shadow(at::kDouble);
  const std::vector<Tensor> halves{diverged(shadow, {4, 6}), diverged(shadow, {4, 6}), diverged(shadow, {6})};
  std::vector<Tensor> doubles;
  for (const Tensor& half : halves) doubles.push_back(copy_of(shadow, half));
  torch::jit::Stack expected = GetParam().arguments([&](int i) { return doubles[i]; });
  const auto op = op_named(GetParam().op, GetParam().overload);
  op.callBoxed(expected);

  const Called called = call(shadow, op, GetParam().arguments([&](int i) { return halves[i]; }));
  ASSERT_EQ(called.again.outcome, reference::ReplayOutcome::Ran) << called.again.reason;
  const auto results = reference::tensors_in(expected);
  ASSERT_EQ(called.results.size(), results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!reference::is_floating(results[i])) continue;
    const Tensor counterpart = of(shadow, called.results[i]);
    ASSERT_TRUE(counterpart.defined()) << i;
    EXPECT_TRUE(at::equal(counterpart, results[i])) << i;
    EXPECT_EQ(counterpart.strides(), called.results[i].strides());
  }
  for (std::size_t i = 0; i < halves.size(); ++i) {
    EXPECT_TRUE(at::equal(of(shadow, halves[i]), doubles[i])) << "argument " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ops, ResultOf,
    testing::Values(Case{"matrix_product", "aten::addmm", "",
                         [](const auto& tensor) {
                           return Values{tensor(0), tensor(0), at::ones({6, 6}, tensor(0).options()), 1, 1};
                         }},
                    Case{"of_a_transposed_view", "aten::mm", "",
                         [](const auto& tensor) {
                           return Values{tensor(0), tensor(1).t()};
                         }},
                    Case{"several_results", "aten::max", "dim",
                         [](const auto& tensor) {
                           return Values{tensor(0), 1, false};
                         }},
                    Case{"list", "aten::cat", "",
                         [](const auto& tensor) {
                           return Values{list({tensor(0), tensor(1)}), 1};
                         }},
                    Case{"list_result", "aten::_foreach_mul", "Scalar",
                         [](const auto& tensor) {
                           return Values{list({tensor(0), tensor(2)}), 0.3};
                         }},
                    Case{"in_place", "aten::mul_", "Tensor",
                         [](const auto& tensor) {
                           return Values{tensor(0), tensor(1)};
                         }},
                    Case{"in_place_of_itself", "aten::mul_", "Tensor",
                         [](const auto& tensor) {
                           return Values{tensor(0), tensor(0)};
                         }},
                    Case{"in_place_of_a_row", "aten::mul_", "Tensor",
                         [](const auto& tensor) {
                           return Values{tensor(0).select(0, 2), tensor(2)};
                         }},
                    Case{"in_place_of_a_column", "aten::add_", "Tensor",
                         [](const auto& tensor) {
                           return Values{tensor(0).select(1, 2), tensor(1).select(1, 0), 1};
                         }},
                    Case{"optional_list", "aten::index_put_", "",
                         [](const auto& tensor) {
                           c10::List<std::optional<Tensor>> rows;
                           rows.push_back(at::tensor({1, 3}, at::kLong));
                           return Values{tensor(0), rows, tensor(1).narrow(0, 0, 2), true};
                         }},
                    Case{"wrapped_number", "aten::mul", "Scalar",
                         [](const auto& tensor) {
                           return Values{tensor(0), 0.1};
                         }},
                    Case{"copy_with_strides", "aten::clone", "",
                         [](const auto& tensor) {
                           return Values{tensor(0).t(), static_cast<std::int64_t>(at::MemoryFormat::Preserve)};
                         }}),
    [](const auto& info) { return info.param.name; });

TEST_F(ShadowOfOneCall, AnOutArgumentGetsTheResult) {
  const Tensor x = diverged(shadow, {6});
  const Tensor grows = at::empty({0}, at::kHalf);
  const auto op = op_named("aten::mul", "out");
  ASSERT_EQ(call(shadow, op, {x, x, grows}).again.outcome, reference::ReplayOutcome::Ran);
  const Tensor square = copy_of(shadow, x).square();
  EXPECT_TRUE(at::equal(of(shadow, grows), square));

  const Tensor larger = at::maximum(copy_of(shadow, x), square);
  call(shadow, op_named("aten::maximum", "out"), {x, grows, x});
  EXPECT_TRUE(at::equal(of(shadow, x), larger)) << "an input that is the out argument too";
  call(shadow, op_named("aten::copy_"), {x, grows, false});

  const Tensor table = at::zeros({3, 6}, at::kHalf);
  call(shadow, op, {x, x, table.select(0, 1)});
  EXPECT_TRUE(at::equal(of(shadow, table.select(0, 1)), square.square()));
  EXPECT_TRUE(at::equal(of(shadow, table.select(0, 0)), at::zeros({6}, at::kDouble)));
}

TEST_F(ShadowOfOneCall, AnOpThatReturnsNothingUpdatesItsArguments) {
  const Tensor x = diverged(shadow, {6});
  const Tensor expected = copy_of(shadow, x) * 0.3;
  ASSERT_EQ(call(shadow, op_named("aten::_foreach_mul_", "Scalar"), {list({x}), 0.3}).again.outcome,
            reference::ReplayOutcome::Ran);
  EXPECT_TRUE(at::equal(of(shadow, x), expected));
}

TEST_F(ShadowOfOneCall, ACastKeepsTheValuesFromBefore) {
  const Tensor x = at::randn({9});
  const auto half = static_cast<std::int64_t>(at::kHalf);
  const auto none = c10::IValue();
  const Called down = call(shadow, op_named("aten::_to_copy"), {x, half, none, none, none, false, none});
  EXPECT_EQ(down.results.at(0).scalar_type(), at::kHalf);
  EXPECT_TRUE(at::equal(of(shadow, down.results.at(0)), x.to(at::kDouble)));
  const auto single = static_cast<std::int64_t>(at::kFloat);
  const Called up =
      call(shadow, op_named("aten::_to_copy"), {down.results.at(0), single, none, none, none, false, none});
  EXPECT_TRUE(at::equal(of(shadow, up.results.at(0)), x.to(at::kDouble)));
}

TEST_F(ShadowOfOneCall, RunningStatisticsAreUpdatedOnceInEach) {
  const Tensor x = diverged(shadow, {9, 4});
  const Tensor mean = at::zeros({4});
  const Tensor variance = at::ones({4});
  const auto op = op_named("aten::native_batch_norm");
  const auto arguments = [&](const Tensor& input, const Tensor& m, const Tensor& v) {
    return Values{input, c10::IValue(), c10::IValue(), m, v, true, 0.1, 1e-5};
  };
  const Tensor expected_mean = at::zeros({4}, at::kDouble);
  torch::jit::Stack by_hand = arguments(copy_of(shadow, x), expected_mean, at::ones({4}, at::kDouble));
  op.callBoxed(by_hand);
  const Tensor plain_mean = at::zeros({4});
  torch::jit::Stack plain = arguments(x, plain_mean, at::ones({4}));
  op.callBoxed(plain);

  ASSERT_EQ(call(shadow, op, arguments(x, mean, variance)).again.outcome, reference::ReplayOutcome::Ran);
  EXPECT_TRUE(at::equal(mean, plain_mean));
  EXPECT_TRUE(at::equal(of(shadow, mean), expected_mean));
}

// The shadow follows the run ------------------------------------------------------------------------------------------

TEST_F(ShadowOfOneCall, DropoutSharesItsMask) {
  const Tensor x = diverged(shadow, {4, 600});
  const auto op = op_named("aten::native_dropout");
  for (const bool train : {true, false}) {
    const Called called = call(shadow, op, {x, 0.25, train});
    const Tensor& mask = called.results.at(1);
    const Tensor expected = copy_of(shadow, x) * mask * (train ? 1 / 0.75 : 1.0);
    EXPECT_TRUE(at::equal(of(shadow, called.results.at(0)), expected)) << train;
    EXPECT_EQ(mask.all().item<bool>(), !train);
  }
}

TEST_F(ShadowOfOneCall, RandomDrawsAreThoseOfTheRun) {
  const Tensor x = diverged(shadow, {4, 6});
  const Tensor row = x.select(0, 1);
  const Tensor others = copy_of(shadow, x);
  at::manual_seed(3);
  EXPECT_EQ(call(shadow, op_named("aten::normal_"), {row, 0.0, 1.0, c10::IValue()}).again.outcome,
            reference::ReplayOutcome::Random);
  const Tensor state = at::detail::getDefaultCPUGenerator().get_state();
  others.select(0, 1).copy_(row);
  EXPECT_TRUE(at::equal(of(shadow, x), others)) << "the row as drawn, the others as they were";
  at::manual_seed(3);
  at::empty({6}, at::kHalf).normal_();
  EXPECT_TRUE(at::equal(at::detail::getDefaultCPUGenerator().get_state(), state));
}

TEST_F(ShadowOfOneCall, AnOpThatCannotRunInHighPrecisionIsReportedAndFollowed) {
  const Tensor x = diverged(shadow, {4, 6});
  const Tensor before = copy_of(shadow, x);
  const Called called = call(shadow, op_named("ampprof_shadow_test::half_only_"), {x});
  EXPECT_EQ(called.again.outcome, reference::ReplayOutcome::Failed);
  EXPECT_EQ(called.again.reason, "half_only_ takes half");
  EXPECT_TRUE(at::equal(copy_of(shadow, x), x.to(at::kDouble)));
  EXPECT_FALSE(at::equal(copy_of(shadow, x), before * 2));
}

TEST_F(ShadowOfOneCall, ResultsOfAnOpThatCannotBeFollowedAreLost) {
  const Tensor x = diverged(shadow, {4, 6});
  EXPECT_TRUE(shadow.of(x).defined());
  call(shadow, op_named("ampprof_shadow_test::half_only_"), {x});
  const Called sum = call(shadow, op_named("aten::sum"), {x, c10::IValue()});
  const Called beside = call(shadow, op_named("aten::neg"), {diverged(shadow, {4, 6})});
  const Tensor further = diverged(shadow, {});
  const Called both = call(shadow, op_named("aten::maximum"), {further, sum.results.at(0)});
  EXPECT_FALSE(shadow.of(x).defined());
  EXPECT_FALSE(shadow.of(sum.results.at(0)).defined());
  EXPECT_FALSE(shadow.of(both.results.at(0)).defined()) << "it diverges, but its exact value is unknown";
  EXPECT_TRUE(shadow.of(beside.results.at(0)).defined());
  shadow.restart();
  EXPECT_TRUE(shadow.of(call(shadow, op_named("aten::neg"), {diverged(shadow, {4, 6})}).results.at(0)).defined());
}

TEST_F(ShadowOfOneCall, EverythingIsLostIfItRestartsInAStep) {
  shadow.restart_lost();
  EXPECT_FALSE(shadow.of(diverged(shadow, {4, 6})).defined());
  shadow.restart();
  const Tensor x = diverged(shadow, {4, 6}), y = diverged(shadow, {4, 6});
  shadow.lose(Values{x});
  EXPECT_FALSE(shadow.of(x).defined());
  EXPECT_TRUE(shadow.of(y).defined());
}

TEST_F(ShadowOfOneCall, RandomNumbersAreNotLost) {
  const Tensor x = diverged(shadow, {4, 6});
  const auto none = c10::IValue();
  const auto half = static_cast<std::int64_t>(at::kHalf);
  const Called noise = call(shadow, op_named("aten::randn"), {ints({4, 6}), half, none, none, none});
  EXPECT_EQ(noise.again.outcome, reference::ReplayOutcome::Random);
  const Called sum = call(shadow, op_named("aten::add", "Tensor"), {x, noise.results.at(0), 1});
  EXPECT_TRUE(shadow.of(sum.results.at(0)).defined());
  call(shadow, op_named("aten::normal_"), {x.select(0, 1), 0.0, 1.0, c10::IValue()});
  EXPECT_TRUE(shadow.of(x).defined());
  const Tensor single = at::randn({4, 6});
  const Called leaky =
      call(shadow, op_named("aten::rrelu_with_noise"), {single, at::empty({4, 6}), 0.125, 0.333, true, c10::IValue()});
  EXPECT_EQ(leaky.again.outcome, reference::ReplayOutcome::Random);
  EXPECT_EQ(leaky.again.reason, "it draws random numbers internally, and a replay cannot draw the same ones");
  EXPECT_FALSE(shadow.of(leaky.results.at(0)).defined());
}

Tensor half_only(const Tensor& x) {
  TORCH_CHECK(x.scalar_type() == at::kHalf, "half_only_ takes half");
  return x.mul_(2);
}

/// Converts to FP32. Returns an FP32 tensor itself, not a copy.
Tensor in_single(const Tensor& x) { return x.to(at::kFloat); }

TORCH_LIBRARY(ampprof_shadow_test, library) {
  reference::allow_replays_of({"ampprof_shadow_test::"});
  library.def("in_single(Tensor x) -> Tensor",
              torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, &in_single));
  library.def("half_only_(Tensor(a!) x) -> Tensor(a!)",
              torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, &half_only));
}

TEST_F(ShadowOfOneCall, TheRunDecidesWhetherItOverflowed) {
  const Tensor finite = diverged(shadow, {6});
  const Tensor infinite = diverged(shadow, {6});
  infinite.fill_(INFINITY);  // the shadow does not see this write: its value stays finite
  const auto unscale = op_named("aten::_amp_foreach_non_finite_check_and_unscale_");
  const auto gradients = [&](const Tensor& gradient) { return gradient.to(at::kFloat); };
  for (const bool overflows : {false, true}) {
    const Tensor gradient = gradients(overflows ? infinite : finite);
    const Tensor found = at::zeros({1});
    {
      const tensors::ObserverDisabledGuard guard;
      shadow.memory().set(gradient, copy_of(shadow, finite));
      shadow.memory().to_write(found);
    }
    const Called called = call(shadow, unscale, {list({gradient}), found, at::full({1}, 0.5)});
    ASSERT_EQ(called.again.outcome, reference::ReplayOutcome::Ran) << called.again.reason;
    EXPECT_TRUE(at::equal(of(shadow, gradient), copy_of(shadow, finite) * 0.5));
    EXPECT_EQ(copy_of(shadow, found).item<double>(), overflows ? 1 : 0);

    const Tensor weight = at::ones({6});
    const auto fused = op_named("aten::_fused_sgd_");
    const Called stepped = call(
        shadow, fused,
        {list({weight}), list({gradient}), list({}), 0.0, 0.0, 1.0, 0.0, false, false, true, c10::IValue(), found});
    ASSERT_EQ(stepped.again.outcome, reference::ReplayOutcome::Ran) << stepped.again.reason;
    const Tensor step = copy_of(shadow, finite) * 0.5;
    EXPECT_TRUE(at::allclose(of(shadow, weight), overflows ? at::ones({6}, at::kDouble) : 1 - step, 1e-15, 1e-15));
  }
}

TEST_F(ShadowOfOneCall, TheLossScaleIsThatOfTheRun) {
  const Tensor scale = at::full({1}, 65536.0);
  const Tensor found = at::ones({1});
  call(shadow, op_named("aten::_amp_update_scale_"), {scale, at::zeros({1}, at::kInt), found, 2.0, 0.5, 2000});
  EXPECT_EQ(scale.item<float>(), 32768);
  EXPECT_EQ(copy_of(shadow, scale).item<double>(), 32768);
  const Called scaled = call(shadow, op_named("aten::mul", "Tensor"), {diverged(shadow, {1}), scale});
  EXPECT_TRUE(shadow.of(scaled.results.at(0)).defined()) << "the next loss is not lost";
}

TEST_F(ShadowOfOneCall, AResultThatIsItsArgumentOnlyInHighPrecisionIsCopied) {
  ExactVariant single(at::kFloat);
  const Tensor values = at::randn({6});
  const Tensor x = values.to(at::kHalf);
  {
    const tensors::ObserverDisabledGuard guard;
    single.memory().set(x, values.clone());
  }
  const Called called = call(single, op_named("ampprof_shadow_test::in_single"), {x});
  call(single, op_named("aten::mul_", "Scalar"), {called.results.at(0), 3.0});
  EXPECT_TRUE(at::equal(of(single, called.results.at(0)), values * 3.0));
  EXPECT_TRUE(at::equal(of(single, x), values)) << "the result was written, not the argument";
}

// Memory --------------------------------------------------------------------------------------------------------------

TEST_F(ShadowOfOneCall, TensorsThatHaveNotDivergedCostNothing) {
  ExactVariant single(at::kFloat);
  const Tensor x = at::randn({6});
  EXPECT_EQ(call(single, op_named("aten::mul_", "Scalar"), {x, 3.0}).again.outcome,
            reference::ReplayOutcome::NotNeeded);
  EXPECT_EQ(single.memory().size(), 0u);
  const Called half =
      call(single, op_named("aten::full"),
           {ints({6}), 0.1, static_cast<std::int64_t>(at::kHalf), c10::IValue(), c10::IValue(), c10::IValue()});
  EXPECT_TRUE(at::equal(of(single, half.results.at(0)), at::full({6}, 0.1))) << "a constant is rounded too";
}

TEST_F(ShadowOfOneCall, ViewsAndDetachedTensorsShareTheCounterpartOfTheirMemory) {
  const Tensor x = diverged(shadow, {4, 6});
  const Tensor all = copy_of(shadow, x);
  EXPECT_TRUE(at::equal(of(shadow, x.t()), all.t()));
  EXPECT_TRUE(at::equal(of(shadow, x.narrow(1, 2, 3)), all.narrow(1, 2, 3)));
  EXPECT_TRUE(at::equal(of(shadow, x.unsqueeze(0).expand({2, 4, 6})), all.unsqueeze(0).expand({2, 4, 6})));
  EXPECT_TRUE(at::equal(of(shadow, x.detach()), all));
  EXPECT_TRUE(at::equal(of(shadow, x.variable_data()), all));
  Tensor other = at::empty({1}, at::kHalf);
  other.set_data(x);
  EXPECT_TRUE(at::equal(of(shadow, other), all));
  EXPECT_EQ(call(shadow, op_named("aten::t"), {x}).again.outcome, reference::ReplayOutcome::View);
  EXPECT_FALSE(of(shadow, x.view(at::kFloat)).defined()) << "two halves do not make a float";
}

TEST_F(ShadowOfOneCall, APendingNegationIsNotLost) {
  const Tensor z = at::randn({6}, at::kComplexDouble);
  {
    const tensors::ObserverDisabledGuard guard;
    shadow.memory().to_write(at::view_as_real(z));
  }
  const Tensor imaginary = at::imag(z.conj());
  ASSERT_TRUE(imaginary.is_neg());
  EXPECT_TRUE(at::equal(copy_of(shadow, imaginary), imaginary));
}

TEST_F(ShadowOfOneCall, TensorsThatGetOtherMemoryTakeItsCounterpart) {
  const Tensor x = diverged(shadow, {4, 6});
  const Tensor y = diverged(shadow, {2});
  EXPECT_EQ(call(shadow, op_named("aten::set_", "source_Tensor"), {y, x}).again.outcome,
            reference::ReplayOutcome::NotNeeded);
  EXPECT_TRUE(at::equal(of(shadow, y), of(shadow, x)));

  const Tensor before = copy_of(shadow, x);
  call(shadow, op_named("aten::resize_"), {x, ints({5, 6}), c10::IValue()});
  EXPECT_TRUE(at::equal(of(shadow, x.narrow(0, 0, 4)), before));
  // These rows were never set, so they may be NaN.
  EXPECT_TRUE(at::allclose(of(shadow, x.select(0, 4)), x.select(0, 4).to(at::kDouble), 0, 0, /*equal_nan=*/true));
}

TEST_F(ShadowOfOneCall, AHalfParameterIsReadAsItsMaster) {
  ExactVariant single(at::kFloat);
  const Tensor master = at::randn({4, 6});
  const Tensor parameter = master.to(at::kHalf);
  single.memory().link(parameter, master);
  EXPECT_TRUE(at::equal(copy_of(single, parameter), master));
  EXPECT_TRUE(at::equal(copy_of(single, parameter.t()), master.t()));
  EXPECT_TRUE(at::equal(copy_of(single, parameter.select(0, 2)), master.select(0, 2)));
  const Called called = call(single, op_named("aten::mm"), {parameter, parameter.t()});
  EXPECT_TRUE(at::equal(of(single, called.results.at(0)), master.mm(master.t())));

  call(single, op_named("aten::mul_", "Scalar"), {parameter.select(0, 2), 2.0});
  EXPECT_TRUE(at::equal(of(single, parameter).select(0, 2), master.select(0, 2) * 2));
  EXPECT_TRUE(at::equal(of(single, parameter).select(0, 1), master.select(0, 1)));
  single.memory().clear();
  EXPECT_TRUE(at::equal(copy_of(single, parameter), master)) << "each step starts from the masters";
}

TEST_F(ShadowOfOneCall, CounterpartsDieWithTheirTensors) {
  const auto op = op_named("aten::mul", "Scalar");
  const Tensor x = diverged(shadow, {64});
  for (int i = 0; i < 100; ++i) {
    call(shadow, op, {x, 3.0});
    EXPECT_LE(shadow.memory().size(), 12u) << i;
    EXPECT_LE(shadow.memory().bytes(), 12 * 64 * 8) << i;
  }
}

}  // namespace variant_test
}  // namespace ampprof
