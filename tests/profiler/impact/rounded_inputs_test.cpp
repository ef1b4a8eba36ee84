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
};

TEST_F(RoundedInputsTest, KnowATensorAndItsViews) {
  inputs.add(rounded, original);
  EXPECT_TRUE(inputs.original_of(rounded).equal(original));
  EXPECT_TRUE(inputs.original_of(rounded.select(1, 2)).equal(original.select(1, 2)));
  EXPECT_TRUE(inputs.original_of(rounded.transpose(0, 2)).equal(original.transpose(0, 2)));
  EXPECT_TRUE(inputs.original_of(rounded.flatten()).equal(original.flatten()));
}

TEST_F(RoundedInputsTest, KeepTheOrderOfMemory) {
  const at::Tensor turned = original.permute({2, 0, 1}).to(at::kHalf);
  ASSERT_FALSE(turned.is_contiguous());
  inputs.add(turned, original.permute({2, 0, 1}));
  EXPECT_TRUE(inputs.original_of(turned[1]).equal(original.permute({2, 0, 1})[1]));
}

TEST_F(RoundedInputsTest, DoNotKnowOthers) {
  inputs.add(rounded, original);
  EXPECT_FALSE(inputs.original_of(original).defined());
  EXPECT_FALSE(inputs.original_of(rounded.clone()).defined());
}

TEST_F(RoundedInputsTest, DoNotFollowAPartOfOtherMemory) {
  inputs.add(rounded[1], original[1]);
  EXPECT_TRUE(inputs.empty());
}

TEST_F(RoundedInputsTest, AViewOfAnotherTypeIsUnknown) {
  inputs.add(rounded, original);
  EXPECT_FALSE(inputs.original_of(rounded.view(at::kByte)).defined());
}

TEST_F(RoundedInputsTest, EndWithTheirMemory) {
  inputs.add(rounded, original);
  at::Tensor view = rounded[0];
  rounded = at::Tensor();
  inputs.purge();
  EXPECT_TRUE(inputs.original_of(view).defined()) << "the view keeps the memory";
  view = at::Tensor();
  inputs.purge();
  EXPECT_TRUE(inputs.empty());
}

TEST_F(RoundedInputsTest, ANewValueReplacesTheOld) {
  inputs.add(rounded, original);
  inputs.add(rounded, original * 2);
  EXPECT_TRUE(inputs.original_of(rounded).equal(original * 2));
}

}  // namespace rounded_inputs_test
}  // namespace ampprof::profiler
