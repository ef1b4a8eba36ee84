// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/signatures.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "profiler/calls/call.h"

namespace ampprof::profiler {
namespace signatures_test {

/// Arguments of a call that the test describes but never makes.
class Asked {
 public:
  Asked(const char* name, const char* overload, torch::jit::Stack stack)
      : op_(c10::Dispatcher::singleton().findSchemaOrThrow(name, overload)), stack_(std::move(stack)) {}

  std::string text() { return signature_text(call()); }
  std::uint64_t hash() { return look_at_arguments(call()).hash; }

 private:
  CallContext call() { return {op_, infos_.of(op_), stack_, ThreadState::current()}; }

  c10::OperatorHandle op_;
  torch::jit::Stack stack_;
  OpInfos infos_;
};

Asked matrices(const at::Tensor& a, const at::Tensor& b) { return {"aten::mm", "", {a, b}}; }

TEST(Signatures, SayHowTheFactorsOfAProductLie) {
  const auto whole = at::zeros({8, 33});
  const auto slice = whole.slice(1, 1, 5);
  EXPECT_EQ(matrices(at::zeros({8, 4}), at::zeros({4, 6})).text(), "f32[8,4] f32[4,6]");
  EXPECT_EQ(matrices(at::zeros({8, 4}), at::zeros({6, 4}).t()).text(), "f32[8,4] f32[4,6]{1,4}");
  EXPECT_EQ(matrices(slice, at::zeros({4, 6})).text(), "f32[8,4]{33,1}@4 f32[4,6]");
  EXPECT_EQ(matrices(whole.slice(1, 4, 8), at::zeros({4, 6})).text(), "f32[8,4]{33,1} f32[4,6]");
}

TEST(Signatures, SayNothingOfLayoutToRulesThatDoNotAsk) {
  const auto slice = at::zeros({8, 33}).slice(1, 1, 5);
  EXPECT_EQ(Asked("aten::relu", "", {slice}).text(), "f32[8,4]");
}

TEST(Signatures, OfDifferentLayoutsHaveDifferentHashes) {
  const auto whole = at::zeros({8, 33});
  const auto b = at::zeros({4, 6});
  const auto dense = matrices(at::zeros({8, 4}), b).hash();
  EXPECT_EQ(matrices(at::ones({8, 4}), b).hash(), dense);
  EXPECT_NE(matrices(whole.slice(1, 4, 8), b).hash(), dense) << "strides";
  EXPECT_NE(matrices(whole.slice(1, 1, 5), b).hash(), matrices(whole.slice(1, 4, 8), b).hash()) << "address";
}

Asked convolution(const std::vector<std::int64_t>& stride, const std::vector<std::int64_t>& padding, bool transposed) {
  return {"aten::convolution",
          "",
          {at::zeros({1, 2, 8, 8}), at::zeros({2, 2, 3, 3}), c10::IValue(), stride, padding,
           std::vector<std::int64_t>{1, 1}, transposed, std::vector<std::int64_t>{0, 0}, 1}};
}

TEST(Signatures, HoldWhatAConvolutionIsCalledWith) {
  EXPECT_EQ(convolution({2, 2}, {1, 0}, false).text(),
            "f32[1,2,8,8] f32[2,2,3,3] groups=1 stride=2 padding=1,0 dilation=1");
  EXPECT_EQ(convolution({1, 1}, {0, 0}, true).text(),
            "f32[1,2,8,8] f32[2,2,3,3] groups=1 transposed=1 stride=1 padding=0 dilation=1");
  EXPECT_NE(convolution({2, 2}, {1, 0}, false).hash(), convolution({2, 2}, {1, 1}, false).hash());
  EXPECT_EQ(Asked("aten::conv1d", "padding",
                  {at::zeros({1, 2, 8}), at::zeros({2, 2, 3}), c10::IValue(), std::vector<std::int64_t>{1}, "same",
                   std::vector<std::int64_t>{1}, 1})
                .text(),
            "f32[1,2,8] f32[2,2,3] groups=1 stride=1 padding=same dilation=1");
}

TEST(Signatures, LeaveThePaddingOfPoolingOut) {
  const std::vector<std::int64_t> two{2, 2};
  EXPECT_EQ(Asked("aten::max_pool2d", "", {at::zeros({1, 2, 8, 8}), two, two, two, two, false}).text(), "f32[1,2,8,8]");
}

}  // namespace signatures_test
}  // namespace ampprof::profiler
