// SPDX-License-Identifier: Apache-2.0
#include "profiler/scopes/gradient_leaves.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <vector>

namespace ampprof::profiler {
namespace gradient_leaves_test {

at::Tensor leaf() { return at::zeros({4}).requires_grad_(true); }

const c10::TensorImpl& impl(const at::Tensor& tensor) { return *tensor.unsafeGetTensorImpl(); }

/// Runs a backward pass that leaves a gradient of ones.
LeafId pass(GradientLeaves& leaves, at::Tensor& leaf, std::int64_t number) {
  const LeafId id = leaves.reached(impl(leaf), number).value();
  if (!leaf.grad().defined()) leaf.mutable_grad() = at::ones({4});
  EXPECT_TRUE(leaves.pass_ended(number).empty());
  return id;
}

TEST(GradientLeaves, ReportALeafOnceAPass) {
  GradientLeaves leaves;
  const at::Tensor parameter = leaf();
  const auto id = leaves.reached(impl(parameter), 1);
  ASSERT_TRUE(id);
  EXPECT_FALSE(leaves.reached(impl(parameter), 1));
  EXPECT_EQ(leaves.pass_ended(1), std::vector<LeafId>{*id}) << "no gradient was left";
  EXPECT_EQ(leaves.reached(impl(parameter), 2), id);
}

TEST(GradientLeaves, FindTheOwnerOfAGradientByItsMemory) {
  GradientLeaves leaves;
  at::Tensor parameter = leaf();
  const LeafId id = pass(leaves, parameter, 1);
  const at::Tensor view = parameter.grad().detach().view({2, 2});
  EXPECT_TRUE(leaves.may_be_gradient(impl(view)));
  EXPECT_EQ(leaves.owners_of_memory(impl(view)), std::vector<LeafId>{id});
  EXPECT_TRUE(leaves.owners_of_memory(impl(parameter)).empty());
  const at::Tensor gradient = parameter.grad();
  parameter.mutable_grad() = at::Tensor();
  EXPECT_TRUE(leaves.owners_of_memory(impl(gradient)).empty()) << "it no longer has an owner";
}

TEST(GradientLeaves, FindALeafByItsMemoryAsLongAsItIsAlive) {
  GradientLeaves leaves;
  at::Tensor weight = leaf();
  const GradientLeaves::Identity memory = GradientLeaves::identity_of(impl(weight));
  EXPECT_FALSE(leaves.tensor_in(memory).defined()) << "no pass has reached it";
  leaves.reached(impl(weight), 1);
  EXPECT_TRUE(leaves.tensor_in(memory).is_same(weight));
  weight.reset();
  EXPECT_FALSE(leaves.tensor_in(memory).defined());
}

TEST(GradientLeaves, AFlatBufferHasSeveralOwners) {
  GradientLeaves leaves;
  const at::Tensor buffer = at::zeros({8});
  at::Tensor first = leaf(), second = leaf();
  first.mutable_grad() = buffer.slice(0, 0, 4);
  second.mutable_grad() = buffer.slice(0, 4, 8);
  pass(leaves, first, 1);
  pass(leaves, second, 2);
  EXPECT_EQ(leaves.owners_of_memory(impl(buffer)).size(), 2u);
}

TEST(GradientLeaves, SeeGradientsThatWereDroppedOrReplaced) {
  GradientLeaves leaves;
  at::Tensor dropped = leaf(), replaced = leaf(), kept = leaf();
  const LeafId first = pass(leaves, dropped, 1);
  const LeafId second = pass(leaves, replaced, 2);
  pass(leaves, kept, 3);
  EXPECT_TRUE(leaves.may_have_changed());
  dropped.mutable_grad() = at::Tensor();
  replaced.mutable_grad() = at::ones({4});
  const auto changes = leaves.take_changes();
  EXPECT_EQ(changes.cleared, std::vector<LeafId>{first});
  EXPECT_EQ(changes.replaced, std::vector<LeafId>{second});
  EXPECT_FALSE(leaves.may_have_changed());
  EXPECT_TRUE(leaves.take_changes().replaced.empty()) << "told once";
}

TEST(GradientLeaves, NumberALeafByIdentityNotByAddress) {
  GradientLeaves leaves;
  LeafId before = 0;
  for (int i = 0; i < 200; ++i) {
    at::Tensor parameter = leaf();
    const LeafId id = pass(leaves, parameter, i + 1);
    EXPECT_GT(id, before);
    before = id;
  }
}

TEST(GradientLeaves, KnowALeafByTheMemoryOfItsData) {
  GradientLeaves leaves;
  at::Tensor parameter = leaf();
  const at::Tensor data = parameter.detach();
  EXPECT_EQ(leaves.leaf_of(data.unsafeGetTensorImpl()), nullptr) << "no pass reached it";
  const LeafId id = pass(leaves, parameter, 1);
  const auto memory = leaves.leaf_of(data.unsafeGetTensorImpl());
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(leaves.id_of(memory), id);
  EXPECT_EQ(leaves.owner_of(parameter.grad().unsafeGetTensorImpl()), memory);
  const at::Tensor master = leaf();
  const LeafId other = leaves.id_of(GradientLeaves::identity_of(impl(master)));
  EXPECT_NE(other, id);
  EXPECT_EQ(leaves.id_of(GradientLeaves::identity_of(impl(master))), other);
}

TEST(GradientLeaves, SeeWhichLeavesWereWritten) {
  GradientLeaves leaves;
  at::Tensor first = leaf(), second = leaf();
  pass(leaves, first, 1);
  pass(leaves, second, 2);
  const auto before = leaves.versions();
  first.detach().add_(1);
  EXPECT_EQ(leaves.changed_since(before),
            std::vector<GradientLeaves::Identity>{GradientLeaves::identity_of(impl(first))});
}

}  // namespace gradient_leaves_test
}  // namespace ampprof::profiler
