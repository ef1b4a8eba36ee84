// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/optimizer_updates.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ampprof::profiler {
namespace optimizer_updates_test {

const std::vector<LeafId> kG{1, 2, 3}, kD{4, 5};

/// Returns "4/1 of 3" for an optimizer with 4 done and 1 skipped updates of 3 leaves.
std::string text_of(const OptimizerUpdates& updates) {
  std::string text;
  for (const auto& each : updates.all()) {
    text += (text.empty() ? "" : ", ") + std::to_string(each.done) + "/" + std::to_string(each.skipped) + " of " +
            std::to_string(each.leaves);
  }
  return text;
}

TEST(OptimizerUpdates, AreCountedForEachOptimizer) {
  OptimizerUpdates updates;
  int g = 0, d = 0;
  EXPECT_EQ(updates.add(&g, kG, false), 0u);
  EXPECT_EQ(updates.add(&d, kD, false), 1u);
  EXPECT_EQ(updates.add(&g, kG, true), 0u);
  EXPECT_EQ(text_of(updates), "1/1 of 3, 1/0 of 2");
}

TEST(OptimizerUpdates, ASkippedOneIsKnownByALeaf) {
  OptimizerUpdates updates;
  int g = 0;
  updates.add(nullptr, std::vector<LeafId>{4}, true);  // skipped before the optimizer's first update
  updates.add(&g, kG, false);
  updates.add(&g, kD, false);
  updates.add(nullptr, std::vector<LeafId>{1}, true);
  EXPECT_EQ(text_of(updates), "1/1 of 2, 1/1 of 3") << "by its leaves, not by its address";
}

TEST(OptimizerUpdates, ARecreatedOneIsTheSame) {
  OptimizerUpdates updates;
  int first = 0, second = 0;
  updates.add(&first, kG, false);
  updates.add(&second, kG, false);
  updates.add(&second, {}, true);
  EXPECT_EQ(text_of(updates), "2/1 of 3");
}

TEST(OptimizerUpdates, OneThatHasOnlySkippedIsKnownByItsAddress) {
  OptimizerUpdates updates;
  int g = 0;
  updates.add(&g, {}, true);
  updates.add(&g, {}, true);
  updates.add(&g, kG, false);
  EXPECT_EQ(text_of(updates), "1/2 of 3");
}

TEST(OptimizerUpdates, AnUpdateByHandGoesOn) {
  OptimizerUpdates updates;
  updates.goes_on(kD);
  EXPECT_EQ(text_of(updates), "");
  updates.add(nullptr, std::vector<LeafId>{1}, false);
  updates.goes_on(kG);
  updates.add(nullptr, std::vector<LeafId>{2}, false);
  EXPECT_EQ(text_of(updates), "2/0 of 3");
}

TEST(OptimizerUpdates, OneThatItsKernelLeftOutIsSkipped) {
  OptimizerUpdates updates;
  updates.take_back();
  updates.add(nullptr, kG, false);
  updates.take_back();
  updates.take_back();
  EXPECT_EQ(text_of(updates), "0/1 of 3");
}

}  // namespace optimizer_updates_test
}  // namespace ampprof::profiler
