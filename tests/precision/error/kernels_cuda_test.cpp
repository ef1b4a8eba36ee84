// SPDX-License-Identifier: Apache-2.0
// Compares the CUDA kernel for error statistics, run on the CPU, with its CPU twin.
#include "precision/error/kernels_cuda.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <ostream>
#include <vector>

#include "precision/error/kernels.h"
#include "tests/precision/error/buffer.h"

namespace ampprof::error {
namespace kernels_cuda_test {

using testing_buffer::Buffer;
using testing_buffer::Kind;
using testing_buffer::kSizes;

cuda::AccumulatorWithExponents launched(const Elements& output, const Elements& reference, Spacing spacing) {
  cuda::AccumulatorWithExponents found{};
  EXPECT_EQ(cuda::launch_measure(output, reference, spacing, &found, 0, nullptr), "");
  return found;
}

/// Compares statistics. With a Float reference, the error of a pair is rounded to float, and some sums are in float.
void expect_same(const OutputStatistics& actual, const OutputStatistics& expected, bool in_float) {
  EXPECT_EQ(actual.ranges, expected.ranges);
  EXPECT_EQ(actual.exponents, expected.exponents);
  EXPECT_EQ(actual.minus_infinite, expected.minus_infinite);
  ASSERT_EQ(actual.local.has_value(), expected.local.has_value());
  if (!expected.local) return;
  const ErrorStats& a = *actual.local;
  const ErrorStats& e = *expected.local;
  const double rounding = in_float ? 0x1p-24 : 0.0;
  const double tolerance = in_float ? 1e-6 : 1e-12;
  EXPECT_EQ(a.count, e.count);
  EXPECT_EQ(a.excluded, e.excluded);
  EXPECT_EQ(a.infinite, e.infinite);
  EXPECT_EQ(a.flushed, e.flushed);
  const auto expect_near = [](double sum, double right, double within) {
    if (std::isfinite(right)) {
      EXPECT_NEAR(sum, right, within);
    } else {
      EXPECT_EQ(sum, right);
    }
  };
  expect_near(a.max_abs, e.max_abs, rounding * e.max_abs);
  expect_near(a.max_ulp, e.max_ulp, rounding * e.max_ulp);
  expect_near(a.sum_ulp, e.sum_ulp, tolerance * e.sum_ulp);
  expect_near(a.sum_sq_error, e.sum_sq_error, tolerance * e.sum_sq_error);
  expect_near(a.sum_sq_reference, e.sum_sq_reference, tolerance * e.sum_sq_reference);
  expect_near(a.sum_sq_output, e.sum_sq_output, tolerance * e.sum_sq_output);
  expect_near(a.sum_product, e.sum_product, tolerance * std::sqrt(e.sum_sq_output) * std::sqrt(e.sum_sq_reference));
}

struct Types {
  const char* name;
  DType output;
  std::optional<DType> reference;  ///< empty if only ranges are measured
};

void PrintTo(const Types& types, std::ostream* out) { *out << types.name; }

class CudaErrorKernel : public testing::TestWithParam<Types> {
 protected:
  static void check(Kind kind, std::size_t size, std::size_t shift_output = 0, std::size_t shift_reference = 0) {
    SCOPED_TRACE(testing::Message() << size << " elements of kind " << static_cast<int>(kind) << ", shifted by "
                                    << shift_output << " and " << shift_reference);
    Buffer output(GetParam().output, size, shift_output);
    Buffer reference(GetParam().reference.value_or(DType::Float), size, shift_reference);
    fill(output, reference, kind, static_cast<unsigned>(size));
    const Spacing spacing = spacing_of(GetParam().output);
    if (!GetParam().reference) {
      const auto found = launched(output.elements(), {}, spacing);
      return expect_same(cuda::measured_from(found, false), cpu::measure_ranges(output.elements()), false);
    }
    const auto found = launched(output.elements(), reference.elements(), spacing);
    const std::vector<double> wide = reference.values();  // the CPU twin is exact for double references
    const Elements in_double{wide.data(), wide.size(), DType::Double};
    const bool in_float = GetParam().reference == DType::Float && GetParam().output != DType::Double;
    expect_same(cuda::measured_from(found, true), cpu::measure(output.elements(), in_double, spacing), in_float);
  }
};

TEST_P(CudaErrorKernel, FindsWhatItsTwinFinds) {
  for (const std::size_t size : kSizes) check(Kind::Plain, size);
}

TEST_P(CudaErrorKernel, FindsItInWildValues) {
  for (const std::size_t size : {33U, 257U, 2049U, 9001U}) check(Kind::Wild, size);
}

TEST_P(CudaErrorKernel, FindsItAtTheEndsOfTheRange) {
  check(Kind::Huge, 3000);
  check(Kind::Tiny, 3000);
  check(Kind::Faint, 3000);
  check(Kind::Apart, 3000);
}

TEST_P(CudaErrorKernel, FindsItAtAnyAddress) {
  for (const std::size_t shift : {1U, 4U, 8U}) {
    check(Kind::Wild, 600, shift, 0);
    check(Kind::Plain, 600, shift, shift);
    check(Kind::Plain, 9, 0, shift);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Types, CudaErrorKernel,
    testing::Values(Types{"half", DType::Half, {}}, Types{"half_float", DType::Half, DType::Float},
                    Types{"half_double", DType::Half, DType::Double}, Types{"bfloat16", DType::BFloat16, {}},
                    Types{"bfloat16_float", DType::BFloat16, DType::Float},
                    Types{"bfloat16_double", DType::BFloat16, DType::Double}, Types{"e4m3", DType::Float8E4M3, {}},
                    Types{"e4m3_float", DType::Float8E4M3, DType::Float},
                    Types{"e4m3_double", DType::Float8E4M3, DType::Double}, Types{"e5m2", DType::Float8E5M2, {}},
                    Types{"e5m2_float", DType::Float8E5M2, DType::Float},
                    Types{"e5m2_double", DType::Float8E5M2, DType::Double}, Types{"float", DType::Float, {}},
                    Types{"float_float", DType::Float, DType::Float},
                    Types{"float_double", DType::Float, DType::Double}, Types{"double", DType::Double, {}},
                    Types{"double_float", DType::Double, DType::Float},
                    Types{"double_double", DType::Double, DType::Double}),
    [](const auto& info) { return info.param.name; });

TEST(CudaErrorKernelLaunch, AddsToWhatIsThere) {
  const std::vector<float> values{1, -3, 2};
  cuda::AccumulatorWithExponents found{};
  for (int i = 0; i < 2; ++i)
    cuda::launch_measure({values.data(), 3, DType::Float}, {}, spacing_of(DType::Half), &found, 0, nullptr);
  const OutputStatistics measured = cuda::measured_from(found, false);
  EXPECT_EQ(measured.ranges.count, 6);
  EXPECT_EQ(measured.ranges.amax, 3);
  EXPECT_EQ(measured.exponents.total(), 6);
}

TEST(CudaErrorKernelLaunch, CountsUlpsOfTheGivenType) {
  const std::vector<float> output{1.5F, 8};
  const std::vector<float> reference{1, 8};
  for (const DType dtype : {DType::Half, DType::BFloat16, DType::Float8E5M2, DType::Double}) {
    const auto found =
        launched({output.data(), 2, DType::Float}, {reference.data(), 2, DType::Float}, spacing_of(dtype));
    EXPECT_EQ(cuda::measured_from(found, true).local->max_ulp, std::ldexp(0.5, spacing_of(dtype).mantissa_bits));
  }
}

}  // namespace kernels_cuda_test
}  // namespace ampprof::error
