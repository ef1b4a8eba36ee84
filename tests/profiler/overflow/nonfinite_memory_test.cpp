// SPDX-License-Identifier: Apache-2.0
#include "profiler/overflow/nonfinite_memory.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace ampprof::profiler {
namespace nonfinite_memory_test {

NonfiniteMemory::Memory of(const at::Tensor& tensor) { return NonfiniteMemory::of(*tensor.unsafeGetTensorImpl()); }

TEST(NonfiniteMemory, KnowsViewsOfAMemory) {
  NonfiniteMemory memory;
  EXPECT_FALSE(memory.has_any());
  const at::Tensor tensor = torch::zeros({8});
  memory.put(tensor.storage().getWeakStorageImpl(), 3);
  EXPECT_TRUE(memory.has_any());
  EXPECT_EQ(memory.id_of(of(tensor.narrow(0, 2, 3))), 3);
  EXPECT_EQ(memory.id_of(of(tensor.clone())), std::nullopt);
  memory.clear(of(tensor));
  EXPECT_EQ(memory.id_of(of(tensor)), std::nullopt);
  EXPECT_FALSE(memory.has_any());
}

TEST(NonfiniteMemory, TellsOfALossBeforeAndAfterItIsKnown) {
  NonfiniteMemory memory;
  const at::Tensor before = torch::zeros({});
  const at::Tensor after = torch::zeros({});
  memory.put(before.storage().getWeakStorageImpl(), 3);
  EXPECT_EQ(memory.mark(before.storage().getWeakStorageImpl(), {.is = NonfiniteOutcome::Loss}), 3);
  EXPECT_EQ(memory.mark(after.storage().getWeakStorageImpl(), {.is = NonfiniteOutcome::Loss}), std::nullopt);
  const auto marked = memory.put(after.storage().getWeakStorageImpl(), 4);
  ASSERT_TRUE(marked);
  EXPECT_EQ(marked->is, NonfiniteOutcome::Loss);
  memory.step_ended();
  EXPECT_FALSE(memory.put(after.storage().getWeakStorageImpl(), 5));
}

TEST(NonfiniteMemory, KnowsTheNodesOfACallUntilTheStepEnds) {
  NonfiniteMemory memory;
  memory.put_nodes(4, 6, 1, 9);
  EXPECT_EQ(memory.id_of_node(5, 1), 9);
  EXPECT_EQ(memory.id_of_node(6, 1), std::nullopt);
  EXPECT_EQ(memory.id_of_node(5, 2), std::nullopt);
  memory.step_ended();
  EXPECT_EQ(memory.id_of_node(5, 1), std::nullopt);
}

TEST(NonfiniteMemory, ForgetsWhatIsGoneWithTheStep) {
  NonfiniteMemory memory;
  at::Tensor gone = torch::zeros({8});
  const at::Tensor kept = torch::zeros({8});
  memory.put(gone.storage().getWeakStorageImpl(), 1);
  memory.put(kept.storage().getWeakStorageImpl(), 2);
  gone.reset();
  memory.step_ended();
  EXPECT_EQ(memory.id_of(of(kept)), 2);
  EXPECT_TRUE(memory.has_any());
}

}  // namespace nonfinite_memory_test
}  // namespace ampprof::profiler
