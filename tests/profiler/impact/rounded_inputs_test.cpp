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

  void put(const at::Tensor& tensor, const at::Tensor& values) { inputs.put(tensor, {{.values = values}}, step); }

  at::Tensor original_of(const at::Tensor& tensor) {
    const Originals originals = inputs.originals_of(tensor, step);
    return originals.empty() ? at::Tensor() : originals.front().values;
  }
};

TEST_F(RoundedInputsTest, KnowATensorAndItsViews) {
  put(rounded, original);
  EXPECT_TRUE(original_of(rounded).equal(original));
  EXPECT_TRUE(original_of(rounded.select(1, 2)).equal(original.select(1, 2)));
  EXPECT_TRUE(original_of(rounded.transpose(0, 2)).equal(original.transpose(0, 2)));
  EXPECT_TRUE(original_of(rounded.flatten()).equal(original.flatten()));
}

TEST_F(RoundedInputsTest, KeepTheOrderOfMemory) {
  const at::Tensor turned = original.permute({2, 0, 1}).to(at::kHalf);
  ASSERT_FALSE(turned.is_contiguous());
  put(turned, original.permute({2, 0, 1}));
  EXPECT_TRUE(original_of(turned[1]).equal(original.permute({2, 0, 1})[1]));
}

TEST_F(RoundedInputsTest, DoNotKnowOthers) {
  put(rounded, original);
  EXPECT_FALSE(original_of(original).defined());
  EXPECT_FALSE(original_of(rounded.clone()).defined());
}

TEST_F(RoundedInputsTest, DoNotFollowAPartOfOtherMemory) {
  put(rounded[1], original[1]);
  EXPECT_TRUE(inputs.empty());
}

TEST_F(RoundedInputsTest, AViewOfAnotherTypeIsUnknown) {
  put(rounded, original);
  EXPECT_FALSE(original_of(rounded.view(at::kByte)).defined());
}

TEST_F(RoundedInputsTest, EndWithTheirMemory) {
  put(rounded, original);
  at::Tensor view = rounded[0];
  rounded = at::Tensor();
  inputs.purge(step);
  EXPECT_TRUE(original_of(view).defined()) << "the view keeps the memory";
  view = at::Tensor();
  inputs.purge(step);
  EXPECT_TRUE(inputs.empty());
}

TEST_F(RoundedInputsTest, ANewValueReplacesTheOld) {
  put(rounded, original);
  put(rounded, original * 2);
  EXPECT_TRUE(original_of(rounded).equal(original * 2));
}

TEST_F(RoundedInputsTest, ANewValueOfAPartReplacesThatPart) {
  put(rounded, original);
  put(rounded[1], original[0] * 2);
  EXPECT_TRUE(original_of(rounded[0]).equal(original[0]));
  EXPECT_TRUE(original_of(rounded[1]).equal(original[0] * 2));
}

TEST_F(RoundedInputsTest, TellCallSitesApart) {
  const Originals originals{{.made_by = 3, .values = original},
                            {.made_by = 5, .values = original * 2, .is_decided = true}};
  inputs.put(rounded, originals, step);
  const Originals of_view = inputs.originals_of(rounded[1], step);
  ASSERT_EQ(of_view.size(), 2u);
  EXPECT_EQ(of_view[0].made_by, 3);
  EXPECT_EQ(of_view[1].made_by, 5);
  EXPECT_FALSE(of_view[0].is_decided);
  EXPECT_TRUE(of_view[1].is_decided);
  EXPECT_TRUE(of_view[1].values.equal(original[1] * 2));
}

// Without the rounding at one call site, the part that this call wrote has the original values. The rest keeps the
// rounded values.
TEST_F(RoundedInputsTest, PartsHaveCallSitesOfTheirOwn) {
  inputs.put(rounded, {{.made_by = 3, .values = original}}, step);
  rounded[1].fill_(7);
  inputs.put(rounded[1], {{.made_by = 2, .values = original[0]}, {.made_by = 5, .values = original[0] * 2}}, step);
  const Originals originals = inputs.originals_of(rounded, step);
  ASSERT_EQ(originals.size(), 3u);
  EXPECT_TRUE(originals[0].values[0].equal(original[0]));
  EXPECT_TRUE(originals[0].values[1].equal(original[0]));
  EXPECT_TRUE(originals[1].values[0].equal(original[0]));
  EXPECT_TRUE(originals[1].values[1].equal(original[0] * 2));
  EXPECT_TRUE(originals[2].values[0].equal(rounded[0].to(at::kFloat)));
  EXPECT_TRUE(originals[2].values[1].equal(original[0] * 2));
}

TEST(OriginalsTest, WithoutACallSiteAreAllThatComeBehind) {
  const Originals originals{{.made_by = 3, .values = {}}, {.made_by = 5, .values = {}}};
  EXPECT_EQ(without(originals, 2), &originals[0]);
  EXPECT_EQ(without(originals, 3), &originals[0]);
  EXPECT_EQ(without(originals, 4), &originals[1]);
  EXPECT_EQ(without(originals, 6), nullptr) << "what it is";
}

TEST_F(RoundedInputsTest, AreOfTheStepThatFirstTakesThem) {
  put(rounded, original);
  ++step.number;  // the input was prepared in the previous step
  EXPECT_TRUE(original_of(rounded).defined());
  EXPECT_TRUE(original_of(rounded[0]).defined()) << "the same step takes it again";
  ++step.number;
  EXPECT_FALSE(original_of(rounded).defined());
  put(rounded, original);
  EXPECT_TRUE(original_of(rounded).defined()) << "it was rounded anew";
}

TEST_F(RoundedInputsTest, AreOfNoStepAfterTheNext) {
  put(rounded, original);
  step.number += 2;
  EXPECT_FALSE(original_of(rounded).defined()) << "data that was rounded long ago";
  inputs.purge(step);
  EXPECT_FALSE(inputs.knows(rounded));
}

TEST_F(RoundedInputsTest, EndWithTheirStepUnlessItIsOfAnotherLoop) {
  put(rounded, original);
  EXPECT_TRUE(original_of(rounded).defined());
  inputs.purge({.loop = 1, .number = 7});
  EXPECT_TRUE(inputs.knows(rounded));
  inputs.purge({.loop = 0, .number = 2});
  EXPECT_FALSE(inputs.knows(rounded));
}

TEST_F(RoundedInputsTest, ForgetTheMemoryOfAView) {
  put(rounded, original);
  inputs.forget(rounded[1]);
  EXPECT_FALSE(original_of(rounded).defined());
}

}  // namespace rounded_inputs_test
}  // namespace ampprof::profiler
