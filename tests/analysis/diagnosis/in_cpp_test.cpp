// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/in_cpp.h"

#include <gtest/gtest.h>

namespace ampprof::analysis {
namespace in_cpp_test {

TEST(InCpp, SaysWhatLibTorchAndTheEngineHave) {
  EXPECT_EQ(in_cpp("GradScaler(init_scale=1024)"),
            "amp::Options options{.init_scale = 1024};  // for amp::initialize()");
  EXPECT_EQ(in_cpp("eps=1e-4"), ".eps(1e-4)  // in the optimizer's options");
  EXPECT_EQ(in_cpp("total += x.float()"), "total += x.to(torch::kFloat);");
  EXPECT_EQ(in_cpp("model.get_submodule(\"bn.1\").float()"), "model->named_modules()[\"bn.1\"]->to(torch::kFloat);");
}

TEST(InCpp, LeavesPoliciesAsTheyAre) {
  EXPECT_EQ(in_cpp("bmm fp32 in style.gram"), "bmm fp32 in style.gram");
  EXPECT_EQ(in_cpp(""), "");
}

TEST(InCpp, SaysNothingWhereCppHasNoSuchThing) {
  EXPECT_EQ(in_cpp("scaler.unscale_(optimizer)"), "");
  EXPECT_EQ(in_cpp("with torch.autocast(x.device.type, enabled=False):\n    y = net(x.float())"), "");
}

TEST(InCpp, KnowsSourcesOfCpp) {
  EXPECT_TRUE(is_cpp_source("/src/train.cpp:31"));
  EXPECT_FALSE(is_cpp_source("train.py:31"));
  EXPECT_FALSE(is_cpp_source(""));
}

}  // namespace in_cpp_test
}  // namespace ampprof::analysis
