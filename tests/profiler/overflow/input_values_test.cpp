// SPDX-License-Identifier: Apache-2.0
#include "profiler/overflow/input_values.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>
#include <vector>

namespace ampprof::profiler {
namespace input_values_test {

constexpr float kInf = std::numeric_limits<float>::infinity();

using Values = std::vector<c10::IValue>;

TEST(InputValues, TellMasksFromOtherValues) {
  const InputValues taken =
      look_at(Values{at::tensor({1.0F, -kInf}), at::tensor({1.0F, kInf}), 2.0, at::tensor({1.0F})}, {});
  ASSERT_EQ(taken.size(), 3u);
  EXPECT_TRUE(taken[0].is_mask);
  EXPECT_FALSE(taken[0].is_finite);
  EXPECT_FALSE(taken[1].is_mask);
  EXPECT_FALSE(taken[1].is_finite);
  EXPECT_TRUE(taken[2].is_finite);
}

TEST(InputValues, HoldOnlyTheInputOfAKnownEvent) {
  const at::Tensor finite = at::tensor({1.0F});
  const at::Tensor bad = at::tensor({kInf});
  const std::vector<InputTensor> inputs{{.tensor = WeakTensor(finite.getIntrusivePtr())},
                                        {.tensor = WeakTensor(bad.getIntrusivePtr()), .id = 5}};
  InputValues taken = look_at(Values{finite, bad}, inputs);
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].input.id, 5);
  taken = look_at(Values{finite, finite}, inputs);
  EXPECT_EQ(taken.size(), 2u) << "its memory holds some elsewhere";
}

TEST(InputValues, AnElementIsNewWhereAllInputsAreFinite) {
  const at::Tensor scores = at::tensor({-60000.0F, 1.0F}).to(at::kHalf);
  const at::Tensor mask = at::tensor({-60000.0F, -kInf}).to(at::kHalf);
  EXPECT_TRUE(makes_new(scores + mask, Values{scores, mask}));
  EXPECT_FALSE(makes_new(scores * 0 + mask, Values{scores, mask}));
  const at::Tensor rows = at::zeros({3, 2}, at::kHalf) - 60000.0;
  EXPECT_TRUE(makes_new(rows + mask, Values{rows, mask})) << "broadcast";
  EXPECT_FALSE(makes_new(scores + mask, Values{rows, mask})) << "of a shape that does not fit";
}

TEST(InputValues, NumbersAmongArgumentsCount) {
  EXPECT_TRUE(numbers_in(Values{at::zeros({1}), -INFINITY}).minus_infinity);
  EXPECT_TRUE(numbers_in(Values{NAN}).nonfinite);
  EXPECT_FALSE(numbers_in(Values{1.0, 2}).nonfinite);
}

TEST(KnownTensors, AreForgottenWithTheirSegmentUnlessTheyAreNotFinite) {
  KnownTensors known;
  const at::Tensor tensor = at::zeros({2});
  const std::vector<WeakTensor> outputs = weak(Values{tensor});
  known.begin_batch(1);
  known.add(outputs, {.ranges = {.nonfinite = 1}});
  known.end_batch(1);
  known.begin_batch(1);
  ASSERT_NE(known.find(outputs[0]), nullptr);
  known.end_batch(1);
  known.begin_batch(2);
  EXPECT_EQ(known.find(outputs[0]), nullptr);
}

}  // namespace input_values_test
}  // namespace ampprof::profiler
