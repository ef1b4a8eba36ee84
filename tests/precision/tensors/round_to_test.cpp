// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/round_to.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <bit>
#include <cmath>
#include <limits>
#include <ostream>

#include "precision/formats/types/round_cpu.h"
#include "precision/tensors/measure.h"

namespace ampprof {
namespace round_to_test {

using at::Tensor;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Compares bits except the sign of NaN, which some of LibTorch's casts lose.
bool same_bits_or_nan(const Tensor& a, const Tensor& b) {
  const Tensor is_nan = a.isnan();
  return at::equal(is_nan, b.isnan()) && at::equal(a.masked_select(~is_nan), b.masked_select(~is_nan)) &&
         at::equal(a.signbit() | is_nan, b.signbit() | is_nan);
}

/// Returns every exponent and sign, with mantissas on, beside and between the values of all formats.
Tensor floats_of_every_size() {
  std::vector<float> values{0.0F, -0.0F, kInf, -kInf, kNan};
  for (std::uint32_t field = 0; field < 255; ++field) {
    for (std::uint32_t high = 0; high < 64; ++high) {
      for (const std::uint32_t low : {0x0U, 0x1U, 0x0fffU, 0x1000U, 0x1001U, 0x3000U, 0xffffU, 0x10000U, 0x1ffffU}) {
        const float value = std::bit_cast<float>(field << 23 | high << 17 | low);
        values.push_back(value);
        values.push_back(-value);
      }
    }
  }
  return at::tensor(values);
}

struct Cast {
  error::WhatIfType type;
  at::ScalarType scalar_type;
};

void PrintTo(const Cast& cast, std::ostream* out) { *out << format_of(cast.type).name; }

class RoundToType : public testing::TestWithParam<Cast> {};

/// Casts to a format and back. In formats without infinity, an overflow becomes NaN; LibTorch's casts saturate instead
/// from 2.15 on.
Tensor cast_and_back(const Tensor& values, const Cast& cast) {
  const Tensor back = values.to(cast.scalar_type).to(at::kFloat);
  const error::NumberFormat& format = format_of(cast.type);
  return format.has_infinity ? back : at::where(values.to(at::kDouble).abs() < format.overflow, back, kNan);
}

TEST_P(RoundToType, GivesWhatACastAndBackGives) {
  const Tensor values = floats_of_every_size();
  const Tensor expected = cast_and_back(values, GetParam());
  EXPECT_TRUE(same_bits_or_nan(tensors::round_to(values, GetParam().type), expected));
}

TEST_P(RoundToType, IsTheSameForEveryInstructionSet) {
  const Tensor values = floats_of_every_size();
  const Tensor expected = cast_and_back(values, GetParam());
  const std::span from(values.const_data_ptr<float>(), static_cast<std::size_t>(values.numel()));
  for (const auto set :
       {error::cpu::InstructionSet::Baseline, error::cpu::InstructionSet::Avx2, error::cpu::InstructionSet::Avx512}) {
    if (set > error::cpu::best_instruction_set()) continue;
    Tensor rounded = at::empty_like(values);
    error::cpu::round_to(from, rounded.data_ptr<float>(), GetParam().type, set);
    EXPECT_TRUE(same_bits_or_nan(rounded, expected)) << static_cast<int>(set);
  }
}

TEST_P(RoundToType, RoundsDoublesThatAreFloatsAlike) {
  const Tensor values = floats_of_every_size();
  const Tensor rounded = tensors::round_to(values.to(at::kDouble), GetParam().type);
  EXPECT_EQ(rounded.scalar_type(), at::kDouble);
  EXPECT_TRUE(same_bits_or_nan(rounded.to(at::kFloat), tensors::round_to(values, GetParam().type)));
}

TEST_P(RoundToType, KnowsTheFormat) {
  const error::NumberFormat& format = format_of(GetParam().type);
  const auto cast = [](double value) { return at::tensor(value, at::kDouble).to(GetParam().scalar_type); };
  EXPECT_EQ(error::what_if_type(format.name), GetParam().type);
  EXPECT_EQ(cast(format.largest).to(at::kDouble).item<double>(), format.largest);
  const double too_large = cast(format.overflow * (1 + 1e-6)).to(at::kDouble).item<double>();
  EXPECT_TRUE(!std::isfinite(too_large) || (!format.has_infinity && too_large == format.largest)) << too_large;
  EXPECT_TRUE(std::isfinite(cast(format.overflow * (1 - 1e-6)).to(at::kDouble).item<double>()));
  const double ulp = std::ldexp(1.0, -format.mantissa_bits);
  EXPECT_EQ(cast(1 + ulp).to(at::kDouble).item<double>(), 1 + ulp);
  EXPECT_EQ(cast(1 + ulp / 2).to(at::kDouble).item<double>(), 1);
  const double smallest = std::ldexp(ulp, format.min_exponent);
  EXPECT_EQ(cast(smallest).to(at::kDouble).item<double>(), smallest);
  EXPECT_EQ(cast(smallest / 2).to(at::kDouble).item<double>(), 0);
}

INSTANTIATE_TEST_SUITE_P(Types, RoundToType,
                         testing::Values(Cast{error::WhatIfType::Half, at::kHalf},
                                         Cast{error::WhatIfType::BFloat16, at::kBFloat16},
                                         Cast{error::WhatIfType::Float8E4M3, at::kFloat8_e4m3fn},
                                         Cast{error::WhatIfType::Float8E5M2, at::kFloat8_e5m2}),
                         [](const auto& info) { return std::string(format_of(info.param.type).name); });

struct Rounded {
  const char* name;
  double value;
  double expected;
};

class RoundToTf32 : public testing::TestWithParam<Rounded> {};

TEST_P(RoundToTf32, KeepsTenBitsOfMantissa) {
  const auto [name, value, expected] = GetParam();
  for (const auto type : {at::kFloat, at::kDouble}) {
    const double rounded =
        tensors::round_to(at::full({}, value, type), error::WhatIfType::TensorFloat32).item<double>();
    EXPECT_TRUE(std::isnan(expected) ? std::isnan(rounded) : rounded == expected) << rounded;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Values, RoundToTf32,
    testing::Values(Rounded{"exact", 1 + 0x1p-10, 1 + 0x1p-10}, Rounded{"tie_to_even_below", 1 + 0x1p-11, 1},
                    Rounded{"tie_to_even_above", 1 + 3 * 0x1p-11, 1 + 0x1p-9},
                    Rounded{"above_a_tie", 1 + 0x1p-11 + 0x1p-23, 1 + 0x1p-10},
                    Rounded{"negative", -1.0 / 3, -0x1.554p-2}, Rounded{"beyond_half", 1e30, 0x1.94p99},
                    Rounded{"subnormal", 0x1.008p-130, 0x1p-130}, Rounded{"smallest", 0x1p-136, 0x1p-136},
                    Rounded{"below_the_smallest", 0x1p-138, 0}, Rounded{"largest", 0x1.ffcp127, 0x1.ffcp127},
                    Rounded{"too_large", 0x1.fffp127, kInf}, Rounded{"infinite", -kInf, -kInf},
                    Rounded{"nan", kNan, kNan}),
    [](const auto& info) { return info.param.name; });

TEST(RoundTo, RoundsADoubleOnce) {
  // If the value were rounded to FP32 first, it would become a tie and round down to 1.
  const Tensor value = at::full({}, 1 + 0x1p-11 + 0x1p-40, at::kDouble);
  EXPECT_EQ(tensors::round_to(value, error::WhatIfType::Half).item<double>(), 1 + 0x1p-10);
}

TEST(RoundTo, KeepsShapeStridesAndTheOriginal) {
  at::manual_seed(1);
  const Tensor values = at::randn({2, 8, 5, 7});
  const Tensor expected = values.to(at::kHalf).to(at::kFloat);
  const Tensor original = values.clone();
  for (const Tensor& tensor : {values, values.contiguous(at::MemoryFormat::ChannelsLast), values.transpose(0, 2)}) {
    const Tensor rounded = tensors::round_to(tensor, error::WhatIfType::Half);
    EXPECT_EQ(rounded.strides(), tensor.strides());
    EXPECT_TRUE(at::equal(rounded, tensor.to(at::kHalf).to(at::kFloat)));
  }
  EXPECT_TRUE(at::equal(values, original));
  EXPECT_TRUE(
      at::equal(tensors::round_to(values.slice(3, 0, 7, 2), error::WhatIfType::Half), expected.slice(3, 0, 7, 2)));
  EXPECT_TRUE(at::equal(tensors::round_to(values[0][0][0][0].expand({3, 4}), error::WhatIfType::Half),
                        expected[0][0][0][0].expand({3, 4})));
  EXPECT_TRUE(at::equal(tensors::round_to(at::_neg_view(values), error::WhatIfType::Half), -expected));
  EXPECT_EQ(tensors::round_to(at::empty({0, 3}), error::WhatIfType::Half).sizes(), (at::IntArrayRef{0, 3}));
}

TEST(RoundTo, LeavesOtherTypesAlone) {
  for (const auto type : {at::kLong, at::kBool, at::kHalf, at::kBFloat16}) {
    const Tensor tensor = at::ones({3}, type);
    EXPECT_TRUE(tensors::round_to(tensor, error::WhatIfType::Half).is_same(tensor));
  }
  EXPECT_FALSE(tensors::round_to(Tensor(), error::WhatIfType::Half).defined());
  EXPECT_FALSE(error::what_if_type("fp64").has_value());
}

TEST(RoundTo, LetsErrorsBeMeasuredInUlpOfTheType) {
  const Tensor exact = at::full({3}, 1 + 0x1p-11 * 1.5, at::kFloat);
  for (std::size_t i = 0; i < error::kNumberFormats.size(); ++i) {
    EXPECT_LE(tensors::measure(tensors::round_to(exact, static_cast<error::WhatIfType>(i)), exact,
                               error::kNumberFormats[i].spacing())
                  .local->max_ulp,
              0.5);
  }
  const Tensor rounded = tensors::round_to(exact, error::WhatIfType::TensorFloat32);
  EXPECT_EQ(tensors::measure(rounded, exact, format_of(error::WhatIfType::TensorFloat32).spacing()).local->max_ulp,
            0.25);
}

}  // namespace round_to_test
}  // namespace ampprof
