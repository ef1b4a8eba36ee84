// SPDX-License-Identifier: Apache-2.0
// Tests integers and masks in a shadow, one op call at a time.
#include "precision/replay/variant/decisions.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <utility>
#include <vector>

#include "precision/tensors/observer_disabled_guard.h"
#include "tests/exact_variant.h"
#include "tests/precision/replay/reference/call_op.h"

namespace ampprof {
namespace decisions_test {

using at::Tensor;
using variant::OtherValue;
using variant::Pass;

struct Called {
  std::vector<Tensor> results;
  variant::Followed again;
};

class ShadowThatDecides : public testing::Test {
 protected:
  void SetUp() override { at::manual_seed(7); }

  Called call(const char* name, const char* overload, Values arguments, Pass pass = Pass::Forward) {
    torch::jit::Stack stack = std::move(arguments);
    const auto op = op_named(name, overload);
    reference::SavedCall prepared = shadow_.prepare(op, stack);
    op.callBoxed(stack);
    variant::Followed again = shadow_.follow(op, std::move(prepared), stack, pass);
    return {reference::tensors_in(stack), std::move(again)};
  }

  /// Returns `of_run` in half, with `own` as its value in the shadow.
  Tensor beside(const Tensor& of_run, const Tensor& own) {
    const tensors::ObserverDisabledGuard guard;
    Tensor tensor = of_run.to(at::kHalf);
    shadow_.memory().set(tensor, own.to(at::kDouble).clone());
    return tensor;
  }
  Tensor own(const Tensor& tensor) {
    const tensors::ObserverDisabledGuard guard;
    return shadow_.memory().to_read(tensor);
  }
  bool is_own(const Tensor& tensor) {
    const tensors::ObserverDisabledGuard guard;
    return shadow_.memory().diverges(tensor);
  }
  void expect_decisions(const Called& called, std::int64_t count, std::int64_t differing) {
    EXPECT_EQ(called.again.decisions.count, count);
    EXPECT_EQ(called.again.decisions.differing, differing);
  }

  Tensor numbers(std::vector<double> values) { return at::tensor(values, at::kDouble); }

  ExactVariant shadow_{at::kDouble};
  /// The argmax is 1 in the run and 2 in the shadow.
  Tensor scores_ = beside(numbers({0, 5, 4, 1}), numbers({0, 4.5, 4.75, 1}));
};

c10::IValue mask_of(const Tensor& mask) {
  c10::List<std::optional<Tensor>> indices;
  indices.push_back(mask);
  return indices;
}

TEST_F(ShadowThatDecides, TakesItsOwnLargest) {
  const Called largest = call("aten::argmax", "", {scores_, 0, false});
  expect_decisions(largest, 1, 1);
  EXPECT_EQ(own(largest.results[0]).item<std::int64_t>(), 2);
  EXPECT_EQ(largest.results[0].item<std::int64_t>(), 1);

  const Tensor table = at::randn({4, 3});
  const Called row = call("aten::index_select", "", {table, 0, largest.results[0]});
  EXPECT_TRUE(at::equal(own(row.results[0]), table.narrow(0, 2, 1).to(at::kDouble)));
  expect_decisions(row, 0, 0);
  EXPECT_TRUE(shadow_.depends_on_decisions(row.results[0]));
  EXPECT_FALSE(shadow_.depends_on_decisions(scores_));
}

TEST_F(ShadowThatDecides, KeepsNothingWhereItDecidesAlike) {
  const Called smallest = call("aten::argmin", "", {scores_, 0, false});
  expect_decisions(smallest, 1, 0);
  EXPECT_FALSE(is_own(smallest.results[0]));
  const Called row = call("aten::index_select", "", {at::randn({4, 3}, at::kDouble), 0, smallest.results[0]});
  EXPECT_EQ(row.again.outcome, reference::ReplayOutcome::NotNeeded);
}

TEST_F(ShadowThatDecides, TakesNoOtherOfEqualValues) {
  const Tensor equal = beside(numbers({2, 1.5, 1, 1}), numbers({2, 2, 1, 1}));
  const Called largest = call("aten::argmax", "", {equal, 0, false});
  expect_decisions(largest, 1, 0);
  const Called two = call("aten::topk", "", {equal, 2, 0, true, true});
  expect_decisions(two, 1, 0);
}

TEST_F(ShadowThatDecides, ComparesRowsOfTopkAsSets) {
  const Tensor rows = beside(numbers({1, 2, 0, 1, 2, 0, 1, 2, 0}).reshape({3, 3}),
                             numbers({2, 1, 0, 1, 2, 0, 1, 2, 3}).reshape({3, 3}));
  const Called two = call("aten::topk", "", {rows, 2, 1, true, true});
  expect_decisions(two, 3, 1);
  EXPECT_TRUE(at::equal(own(two.results[1]), at::tensor({0, 1, 1, 0, 2, 1}, at::kLong).reshape({3, 2})))
      << "the order is its own, too";
  const Called sorted = call("aten::sort", "", {rows, 1, false});
  expect_decisions(sorted, 9, 3 + 2);
}

TEST_F(ShadowThatDecides, MasksAreItsOwn) {
  const Called mask = call("aten::gt", "Scalar", {scores_, 4.6});
  expect_decisions(mask, 4, 2);
  const Called both = call("aten::logical_not", "", {mask.results[0]});
  expect_decisions(both, 0, 0);
  EXPECT_TRUE(at::equal(own(both.results[0]), at::tensor({1, 1, 0, 1}).to(at::kBool)));

  const Tensor x = at::ones({4});
  const Called filled = call("aten::masked_fill", "Scalar", {x, mask.results[0], 7});
  EXPECT_TRUE(at::equal(own(filled.results[0]), numbers({1, 1, 7, 1})));
  const Tensor written = at::zeros({4}, at::kBool);
  call("aten::logical_or_", "", {written, mask.results[0]});
  EXPECT_TRUE(at::equal(own(written), at::tensor({0, 0, 1, 0}).to(at::kBool)));
}

TEST_F(ShadowThatDecides, ContinuesWithAnotherNumberOfRows) {
  const Tensor kept = beside(numbers({1, 1, 0, 0}), numbers({1, 1, 1, 0}));
  const Tensor mask = call("aten::gt", "Scalar", {kept, 0.5}).results[0];
  const Tensor x = beside(at::arange(8).reshape({4, 2}), at::arange(8).reshape({4, 2}));
  const Called rows = call("aten::index", "Tensor", {x, mask_of(mask)});
  EXPECT_TRUE(rows.again.changed_sizes);
  EXPECT_EQ(rows.results[0].sizes(), (std::vector<std::int64_t>{2, 2}));
  EXPECT_TRUE(at::equal(own(rows.results[0]), at::arange(6).reshape({3, 2}).to(at::kDouble)));
  {
    const tensors::ObserverDisabledGuard guard;
    EXPECT_FALSE(shadow_.memory().of(rows.results[0]).defined()) << "other sizes are not compared";
  }
  const Called turned = call("aten::t", "", {rows.results[0]});
  EXPECT_EQ(own(turned.results[0]).sizes(), (std::vector<std::int64_t>{2, 3}));
  call("aten::mul_", "Scalar", {turned.results[0], 2});
  EXPECT_TRUE(at::equal(own(rows.results[0]), 2 * at::arange(6).reshape({3, 2}).to(at::kDouble))) << "a view of it";
  const Called sum = call("aten::sum", "", {rows.results[0], c10::IValue()});
  EXPECT_FALSE(sum.again.changed_sizes);
  EXPECT_EQ(shadow_.of(sum.results[0]).item<double>(), 30);
}

TEST_F(ShadowThatDecides, CountsByItsOwnSizes) {
  const Tensor kept = beside(numbers({1, 1, 1, 0, 0}), numbers({1, 1, 1, 1, 0}));
  const Tensor mask = call("aten::gt", "Scalar", {kept, 0.5}).results[0];
  const Tensor x = beside(at::arange(20).reshape({5, 4}), at::arange(20).reshape({5, 4}));
  const Tensor rows = call("aten::index", "Tensor", {x, mask_of(mask)}).results[0];
  const auto sizes = [](std::vector<std::int64_t> of) { return c10::List<std::int64_t>(std::move(of)); };
  const Called cut = call("aten::view", "", {rows, sizes({3, 2, 2})});
  EXPECT_EQ(own(cut.results[0]).sizes(), (std::vector<std::int64_t>{4, 2, 2}));
  const Called flat = call("aten::view", "", {cut.results[0], sizes({12})});
  EXPECT_EQ(flat.again.outcome, reference::ReplayOutcome::Failed) << "12 is nobody's size";
  EXPECT_EQ(flat.again.reason, "a shape depends on values, and the replayed values give another shape");
  EXPECT_FALSE(shadow_.of(call("aten::neg", "", {flat.results[0]}).results[0]).defined());
}

TEST_F(ShadowThatDecides, EndsGradientsOfTensorsOfOtherSizes) {
  const Tensor mask = call("aten::gt", "Scalar", {beside(numbers({1, 0}), numbers({1, 1})), 0.5}).results[0];
  const Tensor x = beside(numbers({1, 2}), numbers({1.5, 2.5}));
  const Tensor rows = call("aten::index", "Tensor", {x, mask_of(mask)}).results[0];
  const Tensor loss = call("aten::sum", "", {rows, c10::IValue()}).results[0];
  const auto none = c10::IValue();
  const Called root = call("aten::ones_like", "", {loss, none, none, none, none, none});
  const Called gradient = call("aten::neg", "", {root.results[0]}, Pass::Backward);
  EXPECT_EQ(gradient.again.outcome, reference::ReplayOutcome::NotNeeded);
  EXPECT_TRUE(at::equal(own(gradient.results[0]), gradient.results[0].to(at::kDouble)));
  EXPECT_FALSE(shadow_.of(gradient.results[0]).defined());
  EXPECT_TRUE(shadow_.of(call("aten::neg", "", {x}, Pass::Backward).results[0]).defined()) << "of another loss";
  shadow_.restart();
  const Tensor next = beside(numbers({1, 2}), numbers({1.5, 2.5}));
  EXPECT_TRUE(shadow_.of(call("aten::neg", "", {next}, Pass::Backward).results[0]).defined());
}

TEST_F(ShadowThatDecides, AResultOfOtherSizesThatNoDecisionMadeIsTheRuns) {
  const auto op = op_named("aten::neg", "");
  const Tensor x = beside(numbers({1, 2}), numbers({1.5, 2.5}));
  reference::SavedCall prepared = shadow_.prepare(op, torch::jit::Stack{x});
  const Values replaced{at::ones({3}, at::kHalf)};  // as if a dispatch mode of the program had replaced the result
  const variant::Followed again = shadow_.follow(op, std::move(prepared), replaced);
  EXPECT_FALSE(again.changed_sizes);
  EXPECT_TRUE(at::equal(own(replaced[0].toTensor()), at::ones({3}, at::kDouble)));
}

TEST_F(ShadowThatDecides, TheMasksOfABackwardPassAreThoseOfTheRun) {
  const Called mask = call("aten::gt", "Scalar", {scores_, 4.6}, Pass::Backward);
  expect_decisions(mask, 0, 0);
  EXPECT_FALSE(is_own(mask.results[0]));
}

TEST_F(ShadowThatDecides, PlacesOfAPoolAreThoseOfTheRun) {
  const Tensor x = beside(numbers({1, 2, 3, 4}).reshape({1, 1, 4}), numbers({1, 2, 4, 3}).reshape({1, 1, 4}));
  const Called pooled = call("aten::max_pool2d_with_indices", "",
                             {x.unsqueeze(2), c10::List<std::int64_t>({1, 4}), c10::List<std::int64_t>({1, 4}),
                              c10::List<std::int64_t>({0, 0}), c10::List<std::int64_t>({1, 1}), false});
  ASSERT_EQ(pooled.again.outcome, reference::ReplayOutcome::Ran) << pooled.again.reason;
  expect_decisions(pooled, 0, 0);
  EXPECT_FALSE(is_own(pooled.results[1]));
}

TEST_F(ShadowThatDecides, LooksNothingUpOutsideOfATable) {
  const auto none = c10::IValue();
  const auto whole = static_cast<std::int64_t>(at::kLong);
  const Tensor rounded = beside(numbers({2, 3}), numbers({2, 4}));
  const Tensor index = call("aten::_to_copy", "", {rounded, whole, none, none, none, false, none}).results[0];
  EXPECT_EQ(own(index)[1].item<std::int64_t>(), 4);
  const Tensor table = at::randn({4, 3}), larger = at::randn({5, 3});
  const Called outside = call("aten::embedding", "", {table, index, -1, false, false});
  EXPECT_TRUE(outside.again.took_run_integers);
  const Called inside = call("aten::embedding", "", {larger, index, -1, false, false});
  EXPECT_FALSE(inside.again.took_run_integers);
  EXPECT_TRUE(at::equal(own(inside.results[0])[1], larger[4].to(at::kDouble)));
  const Called gathered = call("aten::gather", "", {at::randn({4}), 0, index, false});
  EXPECT_TRUE(gathered.again.took_run_integers);
  const Called picked = call("aten::index", "Tensor", {table, mask_of(index)});
  EXPECT_TRUE(picked.again.took_run_integers);
}

TEST_F(ShadowThatDecides, SaysWhatTheProgramReads) {
  const Tensor largest = call("aten::argmax", "", {scores_, 0, false}).results[0];
  EXPECT_EQ(call("aten::_local_scalar_dense", "", {largest}).again.other_value, OtherValue::Number);
  const Tensor smallest = call("aten::argmin", "", {scores_, 0, false}).results[0];
  EXPECT_EQ(call("aten::_local_scalar_dense", "", {smallest}).again.other_value, OtherValue::None);
  const Tensor flag = call("aten::gt", "Scalar", {scores_.select(0, 1), 4.9}).results[0];
  EXPECT_EQ(call("aten::_local_scalar_dense", "", {flag}).again.other_value, OtherValue::Flag);
  EXPECT_EQ(call("aten::equal", "", {largest, largest.clone()}).again.other_value, OtherValue::Flag);
  shadow_.lose_all();
  EXPECT_FALSE(shadow_.of(scores_).defined());
}

TEST_F(ShadowThatDecides, DrawsAreThoseOfTheRun) {
  const Called drawn = call("aten::multinomial", "", {at::softmax(scores_.to(at::kFloat), 0), 2, false, c10::IValue()});
  expect_decisions(drawn, 0, 0);
  EXPECT_FALSE(is_own(drawn.results[0]));
}

TEST_F(ShadowThatDecides, NeverSharesMemoryWithTheRun) {
  const Tensor mask = call("aten::gt", "Scalar", {beside(numbers({1, 0}), numbers({1, 1})), 0.5}).results[0];
  const Tensor x = at::ones({2}, at::kDouble);  // has not diverged, so the shadow reads the run's tensor
  const Tensor rows = call("aten::index", "Tensor", {x, mask_of(mask)}).results[0];
  call("aten::zero_", "", {rows});
  EXPECT_TRUE(at::equal(x, at::ones({2}, at::kDouble)));
  EXPECT_TRUE(at::equal(own(rows), at::zeros({2}, at::kDouble)));
  call("aten::mul_", "Scalar", {x, 3});
  EXPECT_TRUE(at::equal(own(rows), at::zeros({2}, at::kDouble)));
}

}  // namespace decisions_test
}  // namespace ampprof
