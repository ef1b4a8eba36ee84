// SPDX-License-Identifier: Apache-2.0
// Compares the CUDA kernel's accumulation, run on the CPU, with its CPU twin.
#include "precision/error/accumulator.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "precision/error/kernels.h"

namespace ampprof::error {
namespace accumulator_test {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Elements elements(const std::vector<double>& values) { return {values.data(), values.size(), DType::Double}; }

// The values are integers, so that sums are exact in any order.
TEST(Accumulator, OfPairsFindsWhatTheCpuFinds) {
  const std::vector<double> output{1, 0, kInf, -kInf, 5, -3, kNan, 100000, 2, 0};
  const std::vector<double> reference{2, 4, 8, kInf, 5, 3, 7, 100001, -kNan, 0};
  for (const DType dtype : {DType::Half, DType::Float}) {
    cuda::AccumulatorWithExponents found{};
    cuda::add_all(output.data(), reference.data(), output.size(), spacing_of(dtype), found);
    EXPECT_EQ(cuda::measured_from(found, true), cpu::measure(elements(output), elements(reference), spacing_of(dtype)));
  }
}

TEST(Accumulator, OfValuesAloneFindsWhatTheCpuFinds) {
  const std::vector<double> values{0x1p-14, -0x1p-15, 0x1p-25, 0x1.8p-25, 0,     -0x1p-26, 65504, 65519,
                                   65520,   0x1p-70,  0x1p40,  kInf,      -kInf, -kInf,    kNan,  3};
  cuda::AccumulatorWithExponents found{};
  cuda::add_all(values.data(), nullptr, values.size(), spacing_of(DType::Half), found);
  EXPECT_EQ(cuda::measured_from(found, false), cpu::measure_ranges(elements(values)));
}

TEST(Accumulator, OfNothingIsNothing) {
  EXPECT_EQ(cuda::measured_from({}, false), OutputStatistics{});
  EXPECT_EQ(cuda::measured_from({}, true), OutputStatistics{.local = ErrorStats{}});
}

}  // namespace accumulator_test
}  // namespace ampprof::error
