// SPDX-License-Identifier: Apache-2.0
#include "profiler/overflow/output_trail.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <limits>
#include <string>
#include <vector>

#include "profiler/calls/op_info.h"

namespace ampprof::profiler {
namespace output_trail_test {

constexpr std::int64_t kSegment = 7;
constexpr std::int32_t kModule = 3;
constexpr double kInf = std::numeric_limits<double>::infinity();

class OutputTrailTest : public testing::Test {
 protected:
  /// Shows the arguments of a call to the trail, then calls `make` to compute the result, and shows the result.
  template <typename Make>
  at::Tensor call(const std::string& op, const std::string& overload, const std::vector<at::Tensor>& arguments,
                  Make&& make) {
    const auto handle = c10::Dispatcher::singleton().findSchemaOrThrow(("aten::" + op).c_str(), overload.c_str());
    const std::vector<c10::IValue> taken(arguments.begin(), arguments.end());
    const auto place = trail_.begin(kSegment, taken);
    const at::Tensor result = make();
    trail_.end(*place, {.op = &ops_.of(handle), .module = kModule}, std::vector<c10::IValue>{result});
    return result;
  }
  at::Tensor log_of(const at::Tensor& x) {
    return call("log", "", {x}, [&] { return x.log(); });
  }
  at::Tensor product_of(const at::Tensor& x, const at::Tensor& y) {
    return call("mul", "Tensor", {x, y}, [&] { return x * y; });
  }

  at::Tensor mask_like(const at::Tensor& zeros) {
    return call("full_like", "", {zeros}, [&] { return torch::full_like(zeros, -kInf); });
  }

  OpInfos ops_;
  OutputTrail trail_;
};

TEST_F(OutputTrailTest, NamesTheCallThatValuesDescendFrom) {
  const at::Tensor x = torch::tensor({1.0, 2.0}), y = torch::tensor({0.0, 4.0});
  const at::Tensor fine = log_of(x);
  const at::Tensor wrong = log_of(y);
  const at::Tensor worse = product_of(wrong, y);
  const auto found = trail_.first_nonfinite(kSegment);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->maker.op->name, "log") << "its -inf was not a mask: it led to NaN";
  EXPECT_EQ(found->maker.module, kModule);
  EXPECT_EQ(found->nth, 1);
  EXPECT_EQ(found->type, DType::Float);
  EXPECT_EQ(found->takes_zero, true);
  EXPECT_FALSE(found->takes_outside);
  EXPECT_EQ(found->gives_nan, false);
  EXPECT_FALSE(trail_.first_nonfinite(kSegment + 1)) << "another segment";
}

TEST_F(OutputTrailTest, PassesOverMasks) {
  const at::Tensor zeros = torch::zeros({2}), large = torch::tensor({3e38f, 1.0f});
  const at::Tensor mask = mask_like(zeros);
  const at::Tensor wrong = product_of(large, large);
  const auto of_inf = trail_.first_nonfinite(kSegment);
  ASSERT_TRUE(of_inf);
  EXPECT_EQ(of_inf->maker.op->name, "mul.Tensor");
  EXPECT_FALSE(of_inf->takes_mask);
}

TEST_F(OutputTrailTest, NamesWhatMakesNanOfAMask) {
  const at::Tensor zeros = torch::zeros({2});
  const at::Tensor mask = mask_like(zeros);
  const at::Tensor wrong = product_of(mask, zeros);
  const auto found = trail_.first_nonfinite(kSegment);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->maker.op->name, "mul.Tensor");
  EXPECT_TRUE(found->takes_mask);
}

TEST_F(OutputTrailTest, TakesMinusInfWhereNothingElseIsWrong) {
  const at::Tensor wrong = log_of(torch::tensor({0.0, 4.0}));
  const auto found = trail_.first_nonfinite(kSegment);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->maker.op->name, "log");
}

TEST_F(OutputTrailTest, LooksBehindViewsOfFreedTensors) {
  const at::Tensor x = torch::tensor({3e38f, 1.0f});
  at::Tensor view;
  {
    const at::Tensor wrong = product_of(x, x);
    view = call("view", "", {wrong}, [&] { return wrong.view({2, 1}); });
  }
  const auto found = trail_.first_nonfinite(kSegment);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->maker.op->name, "mul.Tensor");
  EXPECT_FALSE(found->takes_outside);
}

TEST_F(OutputTrailTest, ReadsNothingThatWasWrittenSince) {
  at::Tensor wrong = product_of(torch::tensor({kInf}), torch::tensor({1.0}));
  wrong.zero_();
  EXPECT_FALSE(trail_.first_nonfinite(kSegment));
}

TEST_F(OutputTrailTest, KnowsThatNonfiniteValuesCameIn) {
  const at::Tensor batch = torch::tensor({kInf});
  const at::Tensor result = product_of(batch, torch::tensor({1.0}));
  const auto found = trail_.first_nonfinite(kSegment);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->takes_outside);
}

TEST_F(OutputTrailTest, KeepsNothingAlive) {
  product_of(torch::tensor({kInf}), torch::tensor({1.0}));
  EXPECT_FALSE(trail_.first_nonfinite(kSegment));
}

}  // namespace output_trail_test
}  // namespace ampprof::profiler
