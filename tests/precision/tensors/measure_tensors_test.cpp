// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <ostream>

#include "precision/tensors/measure.h"

namespace ampprof {
namespace measure_tensors_test {

using at::Tensor;

// The statistics must be the same for every layout of the same values.
struct Layout {
  const char* name;
  Tensor (*of)(const Tensor&);
};

void PrintTo(const Layout& layout, std::ostream* out) { *out << layout.name; }

class MeasuredLayout : public testing::TestWithParam<Layout> {};

TEST_P(MeasuredLayout, DoesNotMatter) {
  at::manual_seed(1);
  const Tensor r = at::randn({3, 4, 37, 11}).to(at::kFloat);
  for (const auto type : {at::kHalf, at::kBFloat16, at::kFloat, at::kDouble}) {
    const Tensor y = (r * 1.001).to(type);
    const error::OutputStatistics expected = tensors::measure(y, r);
    const error::OutputStatistics actual = tensors::measure(GetParam().of(y), r);
    EXPECT_EQ(actual.ranges, expected.ranges) << type;
    EXPECT_EQ(actual.local->count, r.numel());
    EXPECT_EQ(actual.local->max_abs, expected.local->max_abs) << type;
    EXPECT_NEAR(actual.local->relative_l2(), expected.local->relative_l2(), 1e-12) << type;
    EXPECT_EQ(tensors::measure(GetParam().of(y), GetParam().of(r)).local->max_ulp, expected.local->max_ulp) << type;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, MeasuredLayout,
    testing::Values(
        Layout{"channels_last", [](const Tensor& t) { return t.contiguous(at::MemoryFormat::ChannelsLast); }},
        Layout{"transposed", [](const Tensor& t) { return t.transpose(1, 3).contiguous().transpose(1, 3); }},
        Layout{"strided",
               [](const Tensor& t) {
                 return at::stack({t, t}, 4).select(4, 1);
               }},
        Layout{"negated", [](const Tensor& t) { return at::_neg_view(-t); }},
        Layout{"with_gradient", [](const Tensor& t) { return t.detach().requires_grad_(); }}),
    [](const auto& info) { return info.param.name; });

TEST(MeasureTensors, WithoutAReferenceGivesRangesOnly) {
  const error::OutputStatistics measured = tensors::measure(at::full({5000}, 3.0, at::kHalf), Tensor());
  EXPECT_FALSE(measured.local.has_value());
  EXPECT_EQ(measured.ranges.count, 5000);
  EXPECT_EQ(measured.ranges.amax, 3.0);
  EXPECT_EQ(measured.ranges.reference_amax, 3.0);
}

TEST(MeasureTensors, WithoutElementsHasNoError) {
  const error::OutputStatistics measured = tensors::measure(at::empty({0, 4}, at::kHalf), at::empty({0, 4}));
  ASSERT_TRUE(measured.local.has_value());
  EXPECT_EQ(*measured.local, ErrorStats{});
  EXPECT_EQ(measured.ranges, RangeStats{});
}

TEST(MeasureTensors, ReadsEveryTypeAsItsValues) {
  at::manual_seed(2);
  const Tensor r = at::randn({3, 1000});
  for (const auto type : {at::kHalf, at::kBFloat16, at::kFloat8_e4m3fn, at::kFloat8_e5m2, at::kFloat8_e5m2fnuz}) {
    const Tensor y = r.to(type);
    for (const auto precision : {at::kFloat, at::kDouble}) {
      const error::OutputStatistics measured = tensors::measure(y, r.to(precision));
      const Tensor error = y.to(at::kDouble) - r;
      EXPECT_EQ(measured.local->max_abs, error.abs().max().item<double>()) << type;
      EXPECT_NEAR(measured.local->relative_l2(), (error.norm() / r.norm()).item<double>(), 1e-7) << type;
      EXPECT_EQ(measured.exponents.total(), r.numel());
    }
  }
}

TEST(MeasureTensors, GivesTheSameForAnyNumberOfThreads) {
  at::manual_seed(2);
  const Tensor r = at::randn({1024, 1025});
  const Tensor y = r.to(at::kHalf);
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const error::OutputStatistics one = tensors::measure(y, r);
  const error::OutputStatistics one_alone = tensors::measure(y, Tensor());
  at::set_num_threads(3);
  EXPECT_EQ(tensors::measure(y, r), one);
  EXPECT_EQ(tensors::measure(y, Tensor()), one_alone);
  at::set_num_threads(threads);
  EXPECT_EQ(one.ranges.count, r.numel());
  EXPECT_NEAR(one.local->sum_sq_reference, r.to(at::kDouble).square().sum().item<double>(), 1e-6 * r.numel());
}

TEST(MeasureTensors, TellsFiniteTensorsOfAnyTypeAndStride) {
  for (const auto type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16, at::kFloat8_e5m2}) {
    const Tensor finite = at::ones({700, 900}).mul(448).to(type);
    Tensor not_finite = at::ones({700, 900});
    not_finite[699][899] = -INFINITY;
    not_finite = not_finite.to(type);
    EXPECT_TRUE(tensors::is_finite(finite)) << type;
    EXPECT_TRUE(tensors::is_finite(finite.t())) << type;
    EXPECT_FALSE(tensors::is_finite(not_finite)) << type;
    EXPECT_FALSE(tensors::is_finite(not_finite.t())) << type;
    EXPECT_TRUE(tensors::is_finite(not_finite.slice(1, 0, 899, 2))) << type;
  }
  EXPECT_TRUE(tensors::is_finite(at::empty({0}))) << "it has no value";
  EXPECT_TRUE(tensors::is_finite(at::ones({3}, at::kLong)));
}

TEST(MeasureTensors, CountsWhatIsNotFinite) {
  const Tensor y = at::tensor({1.0F, INFINITY, NAN, 0.0F}).to(at::kHalf);
  const Tensor r = at::tensor({1.0F, 70000.0F, 1.0F, 1e-8F});
  const error::OutputStatistics measured = tensors::measure(y, r);
  EXPECT_EQ(measured.ranges.nonfinite, 2);
  EXPECT_EQ(measured.ranges.rounds_to_inf, 1);
  EXPECT_EQ(measured.ranges.rounds_to_zero, 1);
  EXPECT_EQ(measured.local->excluded, 2);
  EXPECT_EQ(measured.local->infinite, 2);
  EXPECT_EQ(measured.local->relative_l2(), INFINITY);
  EXPECT_EQ(measured.local->flushed, 1);
}

TEST(MeasureTensors, KnowsTheUlpOfEachType) {
  const Tensor r = at::full({1}, 1.0, at::kDouble);
  const auto ulps = [&](at::ScalarType type) {
    return tensors::measure(at::full({1}, 1.5).to(type), r).local->max_ulp;
  };
  EXPECT_EQ(ulps(at::kHalf), 0x1p9);
  EXPECT_EQ(ulps(at::kBFloat16), 0x1p6);
  EXPECT_EQ(ulps(at::kFloat), 0x1p22);
  EXPECT_EQ(ulps(at::kDouble), 0x1p51);
  EXPECT_EQ(ulps(at::kFloat8_e4m3fn), 0x1p2);
  EXPECT_EQ(ulps(at::kFloat8_e5m2), 0x1p1);
}

TEST(MeasureTensors, GivesNothingForWhatItCannotMeasure) {
  const Tensor floats = at::ones({4});
  for (const Tensor& tensor : {Tensor(), at::ones({4}, at::kLong), floats.to_sparse(), floats.to(at::kMeta)}) {
    EXPECT_EQ(tensors::measure(tensor, floats), error::OutputStatistics{});
  }
  EXPECT_FALSE(tensors::measure(floats, at::ones({5})).local.has_value()) << "the shapes differ";
  EXPECT_FALSE(tensors::measure(floats, at::ones({4}, at::kLong)).local.has_value());
}

}  // namespace measure_tensors_test
}  // namespace ampprof
