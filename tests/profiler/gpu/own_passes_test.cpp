// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/own_passes.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace own_passes_test {

TEST(OwnPasses, ContainWhatIsLaunchedFromTheirBeginningToTheirEnd) {
  OwnPasses passes;
  passes.begin(10);
  EXPECT_FALSE(passes.contain(9));
  EXPECT_TRUE(passes.contain(30)) << "it still runs";
  passes.end(20);
  EXPECT_TRUE(passes.contain(10));
  EXPECT_TRUE(passes.contain(20));
  EXPECT_FALSE(passes.contain(30));
}

TEST(OwnPasses, RunOnSeveralThreadsAtOnce) {
  OwnPasses passes;
  passes.begin(10);
  std::thread([&] {
    passes.begin(15);
    passes.end(40);
  }).join();
  passes.end(20);
  EXPECT_TRUE(passes.contain(30));
  EXPECT_FALSE(passes.contain(41));
}

TEST(OwnPasses, AreForgottenWhenTheirActivityHasSettled) {
  OwnPasses passes;
  passes.begin(10);
  passes.end(20);
  passes.begin(OwnPasses::kRemembered + 25);
  passes.end(OwnPasses::kRemembered + 30);
  EXPECT_FALSE(passes.contain(15));
}

TEST(OwnPasses, EndNothingThatDidNotBegin) {
  OwnPasses passes;
  passes.end(20);
  EXPECT_FALSE(passes.contain(20));
}

}  // namespace own_passes_test
}  // namespace ampprof::profiler
