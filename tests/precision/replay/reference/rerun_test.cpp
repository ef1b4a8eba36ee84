// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <torch/jit.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "precision/replay/reference/reference.h"
#include "tests/precision/replay/reference/call_op.h"

namespace ampprof {
namespace rerun_test {

using at::Tensor;

Tensor rounded(const c10::Argument& /*argument*/, const Tensor& tensor) { return tensor.to(at::kHalf).to(at::kFloat); }

/// Runs a call as the profiler does, then repeats it on inputs rounded to half.
struct Rounded {
  Values returned;
  reference::Replay again;
};

Rounded call_on_rounded(const c10::OperatorHandle& op, Values arguments,
                        reference::CopyWritten copy = reference::CopyWritten::Always) {
  const reference::SavedCall kept = reference::save_call(op, arguments, copy);
  torch::jit::Stack stack = arguments;
  op.callBoxed(stack);
  Values returned = stack.empty() ? reference::written_arguments(op, arguments) : Values(stack);
  auto again = reference::replay(op, kept, returned, [](const c10::Argument& argument, const c10::IValue& value) {
    return reference::for_replay(argument, value, rounded);
  });
  return {std::move(returned), std::move(again)};
}

Tensor to_half(const Tensor& tensor) { return tensor.to(at::kHalf).to(at::kFloat); }

TEST(RunAgain, UsesTheChangedInputs) {
  at::manual_seed(1);
  const Tensor a = at::randn({5, 7});
  const Tensor b = at::randn({7, 3});
  const auto [returned, again] = call_on_rounded(op_named("aten::mm"), {a, b});
  ASSERT_EQ(again.outcome, reference::ReplayOutcome::Ran) << again.reason;
  EXPECT_TRUE(at::equal(again.outputs.at(0), at::mm(to_half(a), to_half(b))));
  EXPECT_TRUE(at::equal(returned.at(0).toTensor(), at::mm(a, b)));
}

TEST(RunAgain, ChangesTheTensorsOfAList) {
  at::manual_seed(1);
  const Tensor a = at::randn({5, 7});
  const Tensor b = at::randn({2, 7});
  const auto [returned, again] = call_on_rounded(op_named("aten::cat"), {c10::List<Tensor>({a, b}), 0});
  ASSERT_EQ(again.outcome, reference::ReplayOutcome::Ran) << again.reason;
  EXPECT_TRUE(at::equal(again.outputs.at(0), at::cat({to_half(a), to_half(b)})));
}

TEST(RunAgain, NeedsACopyOfWhatAnFp32CallOverwrites) {
  at::manual_seed(1);
  const Tensor x = at::randn({9});
  const Tensor before = x.clone();
  const auto version = x._version();
  const auto with = call_on_rounded(op_named("aten::mul_", "Tensor"), {x, x});
  ASSERT_EQ(with.again.outcome, reference::ReplayOutcome::Ran) << with.again.reason;
  EXPECT_TRUE(at::equal(with.again.outputs.at(0), to_half(before) * to_half(before)));
  EXPECT_TRUE(at::equal(x, before * before)) << "once, not twice";
  EXPECT_EQ(x._version(), version + 1);

  const auto without = call_on_rounded(op_named("aten::mul_", "Tensor"), {x, x}, reference::CopyWritten::IfReduced);
  EXPECT_EQ(without.again.outcome, reference::ReplayOutcome::Unsupported);
  EXPECT_FALSE(without.again.reason.empty());
}

TEST(RunAgain, NeverWritesWhatAChangeHandsBackUnchanged) {
  const auto op = op_named("aten::_foreach_mul_", "Scalar");
  const Tensor x = at::ones({9});
  Values arguments{c10::List<Tensor>({x}), 3.0};
  const reference::SavedCall kept = reference::save_call(op, arguments, reference::CopyWritten::Always);
  torch::jit::Stack stack = arguments;
  op.callBoxed(stack);
  for (int turn = 0; turn < 2; ++turn) {
    const auto again = reference::replay(
        op, kept, reference::written_arguments(op, arguments), [](const c10::Argument& argument, const c10::IValue& v) {
          return reference::for_replay(argument, v, [](const c10::Argument&, const Tensor& tensor) { return tensor; });
        });
    ASSERT_EQ(again.outcome, reference::ReplayOutcome::Ran) << again.reason;
    EXPECT_TRUE(at::equal(again.outputs.at(0), at::full({9}, 3.0)));
  }
}

TEST(RunAgain, TellsTheChangeWhichArgumentATensorIs) {
  const auto op = op_named("aten::batch_norm");
  Values arguments{
      at::randn({9, 4}), at::ones({4}), at::zeros({4}), at::full({4}, 0.1), at::ones({4}), false, 0.1, 1e-5, false};
  const reference::SavedCall kept = reference::save_call(op, arguments, reference::CopyWritten::Always);
  torch::jit::Stack stack = arguments;
  op.callBoxed(stack);
  std::vector<std::string> names;
  const auto again = reference::replay(op, kept, stack, [&](const c10::Argument& argument, const c10::IValue& value) {
    return reference::for_replay(argument, value, [&](const c10::Argument& which, const Tensor& tensor) {
      names.push_back(which.name());
      return reference::is_running_statistic(which) ? tensor : tensor * 2;
    });
  });
  ASSERT_EQ(again.outcome, reference::ReplayOutcome::Ran) << again.reason;
  EXPECT_EQ(names, (std::vector<std::string>{"input", "weight", "bias", "running_mean", "running_var"}));
}

TEST(RunAgain, ReportsAChangeThatThrows) {
  const auto op = op_named("aten::relu");
  const reference::SavedCall kept = reference::save_call(op, {at::randn({9})}, reference::CopyWritten::Always);
  const auto again = reference::replay(op, kept, Values{at::randn({9})},
                                       [](const c10::Argument& /*argument*/, const c10::IValue&) -> c10::IValue {
                                         throw std::runtime_error("no such type\nat all");
                                       });
  EXPECT_EQ(again.outcome, reference::ReplayOutcome::Failed);
  EXPECT_EQ(again.reason, "no such type");
}

}  // namespace rerun_test
}  // namespace ampprof
