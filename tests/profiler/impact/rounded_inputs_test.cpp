// SPDX-License-Identifier: Apache-2.0
#include "profiler/impact/rounded_inputs.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace rounded_inputs_test {

struct RoundedInputsTest : testing::Test {
  at::Tensor original = at::linspace(0, 1, 24).view({2, 3, 4});
  at::Tensor rounded = original.to(at::kHalf);
  RoundedInputs inputs;
  RoundedInputs::Step step{.loop = 0, .number = 1};

  at::Tensor original_of(const at::Tensor& tensor) { return inputs.original_of(tensor, step); }
};

TEST_F(RoundedInputsTest, KnowATensorAndItsViews) {
  inputs.put(rounded, original, step);
  EXPECT_TRUE(original_of(rounded).equal(original));
  EXPECT_TRUE(original_of(rounded.select(1, 2)).equal(original.select(1, 2)));
  EXPECT_TRUE(original_of(rounded.transpose(0, 2)).equal(original.transpose(0, 2)));
  EXPECT_TRUE(original_of(rounded.flatten()).equal(original.flatten()));
}

TEST_F(RoundedInputsTest, KeepTheOrderOfMemory) {
  const at::Tensor turned = original.permute({2, 0, 1}).to(at::kHalf);
  ASSERT_FALSE(turned.is_contiguous());
  inputs.put(turned, original.permute({2, 0, 1}), step);
  EXPECT_TRUE(original_of(turned[1]).equal(original.permute({2, 0, 1})[1]));
}

TEST_F(RoundedInputsTest, DoNotKnowOthers) {
  inputs.put(rounded, original, step);
  EXPECT_FALSE(original_of(original).defined());
  EXPECT_FALSE(original_of(rounded.clone()).defined());
}

TEST_F(RoundedInputsTest, DoNotFollowAPartOfOtherMemory) {
  inputs.put(rounded[1], original[1], step);
  EXPECT_TRUE(inputs.empty());
}

TEST_F(RoundedInputsTest, AViewOfAnotherTypeIsUnknown) {
  inputs.put(rounded, original, step);
  EXPECT_FALSE(original_of(rounded.view(at::kByte)).defined());
}

TEST_F(RoundedInputsTest, EndWithTheirMemory) {
  inputs.put(rounded, original, step);
  at::Tensor view = rounded[0];
  rounded = at::Tensor();
  inputs.purge(step);
  EXPECT_TRUE(original_of(view).defined()) << "the view keeps the memory";
  view = at::Tensor();
  inputs.purge(step);
  EXPECT_TRUE(inputs.empty());
}

TEST_F(RoundedInputsTest, ANewValueReplacesTheOld) {
  inputs.put(rounded, original, step);
  inputs.put(rounded, original * 2, step);
  EXPECT_TRUE(original_of(rounded).equal(original * 2));
}

TEST_F(RoundedInputsTest, ANewValueOfAPartReplacesThatPart) {
  inputs.put(rounded, original, step);
  inputs.put(rounded[1], original[0] * 2, step);
  EXPECT_TRUE(original_of(rounded[0]).equal(original[0]));
  EXPECT_TRUE(original_of(rounded[1]).equal(original[0] * 2));
}

TEST_F(RoundedInputsTest, AreOfTheStepThatFirstTakesThem) {
  inputs.put(rounded, original, step);
  ++step.number;  // it was prepared before
  EXPECT_TRUE(original_of(rounded).defined());
  EXPECT_TRUE(original_of(rounded[0]).defined()) << "the same step takes it again";
  ++step.number;
  EXPECT_FALSE(original_of(rounded).defined());
  inputs.put(rounded, original, step);
  EXPECT_TRUE(original_of(rounded).defined()) << "it was rounded anew";
}

TEST_F(RoundedInputsTest, AreOfNoStepAfterTheNext) {
  inputs.put(rounded, original, step);
  step.number += 2;
  EXPECT_FALSE(original_of(rounded).defined()) << "data that was rounded long ago";
  inputs.purge(step);
  EXPECT_FALSE(inputs.knows(rounded));
}

TEST_F(RoundedInputsTest, EndWithTheirStepUnlessItIsOfAnotherLoop) {
  inputs.put(rounded, original, step);
  EXPECT_TRUE(original_of(rounded).defined());
  inputs.purge({.loop = 1, .number = 7});
  EXPECT_TRUE(inputs.knows(rounded));
  inputs.purge({.loop = 0, .number = 2});
  EXPECT_FALSE(inputs.knows(rounded));
}

TEST_F(RoundedInputsTest, ForgetTheMemoryOfAView) {
  inputs.put(rounded, original, step);
  inputs.forget(rounded[1]);
  EXPECT_FALSE(original_of(rounded).defined());
}

}  // namespace rounded_inputs_test
}  // namespace ampprof::profiler
