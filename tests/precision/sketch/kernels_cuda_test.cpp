// SPDX-License-Identifier: Apache-2.0
// Compares the CUDA kernels for sketches, run on the CPU, with sketch::add() and sketch::checksum_of().
#include "precision/sketch/kernels_cuda.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <vector>

#include "precision/error/kernels.h"
#include "precision/sketch/sketch.h"
#include "tests/precision/error/buffer.h"

namespace ampprof::sketch {
namespace kernels_cuda_test {

using error::testing_buffer::Buffer;
using error::testing_buffer::Kind;
using error::testing_buffer::kSizes;

Buffer filled(DType dtype, std::size_t size, std::size_t shift, Kind kind) {
  Buffer values(dtype, size, shift);
  Buffer unused(DType::Float, size, 0);
  fill(values, unused, kind, static_cast<unsigned>(size));
  return values;
}

void expect_same(const cuda::DeviceSketch& found, const Buffer& values, std::uint64_t start) {
  const Sketch actual = cuda::sketch_from(found);
  Sketch expected;
  add(values.elements(), start, expected);
  EXPECT_EQ(actual.checksum, expected.checksum);
  EXPECT_EQ(actual.nonfinite, expected.nonfinite);
  double magnitudes = 0.0;
  for (const double value : values.values()) magnitudes += std::isfinite(value) ? std::abs(value) : 0.0;
  for (std::size_t i = 0; i < kSketchSums; ++i) EXPECT_NEAR(actual.sums[i], expected.sums[i], 1e-12 * magnitudes) << i;
  EXPECT_NEAR(actual.sum_sq, expected.sum_sq, 1e-12 * expected.sum_sq);
}

struct Type {
  const char* name;
  DType dtype;
};

void PrintTo(const Type& type, std::ostream* out) { *out << type.name; }

class CudaSketch : public testing::TestWithParam<Type> {
 protected:
  static void check(Kind kind, std::size_t size, std::size_t shift, std::uint64_t start) {
    SCOPED_TRACE(testing::Message() << size << " elements of kind " << static_cast<int>(kind) << ", shifted by "
                                    << shift << ", from place " << start);
    const Buffer values = filled(GetParam().dtype, size, shift, kind);
    cuda::DeviceSketch found{};
    EXPECT_EQ(cuda::launch_add(values.elements(), start, &found, 0, nullptr), "");
    expect_same(found, values, start);
  }
};

TEST_P(CudaSketch, IsThatOfItsTwin) {
  for (const std::size_t size : kSizes) check(Kind::Plain, size, 0, 0);
  for (const std::size_t size : {63U, 64U, 65U}) check(Kind::Plain, size, 0, 5 * kBlock);
}

TEST_P(CudaSketch, LeavesOutWhatIsNotFinite) { check(Kind::Wild, 3000, 0, 3 * kBlock); }

TEST_P(CudaSketch, TakesValuesAtAnyAddress) {
  for (const std::size_t shift : {1U, 2U, 3U, 7U}) check(Kind::Plain, 601, shift, kBlock);
}

TEST_P(CudaSketch, OfOutputsOneAfterAnotherAddsUp) {
  const Buffer whole = filled(GetParam().dtype, 700, 0, Kind::Plain);
  cuda::DeviceSketch found{};
  cuda::launch_add(whole.elements().part(0, 320), 0, &found, 0, nullptr);
  cuda::launch_add(whole.elements().part(320, 380), 320, &found, 0, nullptr);
  expect_same(found, whole, 0);
}

TEST_P(CudaSketch, ComesInThePassThatMeasures) {
  for (const std::size_t shift : {0U, 1U}) {
    for (const DType reference : {DType::Unknown, DType::Float, DType::Double}) {
      SCOPED_TRACE(testing::Message() << "reference " << static_cast<int>(reference) << ", shifted by " << shift);
      Buffer y(GetParam().dtype, 5001, shift);
      Buffer r(reference == DType::Double ? DType::Double : DType::Float, 5001, 0);
      fill(y, r, Kind::Wild, 3);
      const error::Elements against = reference == DType::Unknown ? error::Elements{} : r.elements();
      const error::Spacing spacing = error::spacing_of(GetParam().dtype);
      error::cuda::AccumulatorWithExponents measured{};
      cuda::DeviceSketch found{};
      EXPECT_EQ(cuda::launch_measure_and_add(y.elements(), against, spacing, &measured, 128, &found, 0, nullptr), "");
      expect_same(found, y, 128);
      const auto expected = error::cpu::measure_ranges(y.elements());
      EXPECT_EQ(measured_from(measured, false).ranges.count, expected.ranges.count);
      EXPECT_EQ(measured_from(measured, false).ranges.nonfinite, expected.ranges.nonfinite);
      EXPECT_EQ(measured_from(measured, false).ranges.amax, expected.ranges.amax);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, CudaSketch,
                         testing::Values(Type{"half", DType::Half}, Type{"bfloat16", DType::BFloat16},
                                         Type{"e4m3", DType::Float8E4M3}, Type{"e5m2", DType::Float8E5M2},
                                         Type{"float", DType::Float}, Type{"double", DType::Double}),
                         [](const auto& info) { return info.param.name; });

TEST(CudaChecksum, IsThatOfItsTwin) {
  std::vector<std::uint8_t> bytes(20011);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 167 + i / 251);
  for (const std::size_t shift : {0U, 1U, 2U}) {
    for (const std::size_t size : {0U, 1U, 3U, 4U, 5U, 1023U, 20000U}) {
      cuda::DeviceSketch found{};
      EXPECT_EQ(cuda::launch_checksum(bytes.data() + shift, size, 1, &found, 0, nullptr), "");
      EXPECT_EQ(found.checksum, checksum_of(bytes.data() + shift, size, 1, 0)) << size << " bytes from " << shift;
    }
  }
}

TEST(DeviceSketch, TakesWhatTheHostHasMade) {
  const Buffer values = filled(DType::Float, 1000, 0, Kind::Wild);
  Sketch sketch;
  add(values.elements(), 0, sketch);
  sketch.elements = 0;
  cuda::DeviceSketch found{};
  cuda::add_to(found, sketch);
  EXPECT_EQ(cuda::sketch_from(found), sketch);
}

}  // namespace kernels_cuda_test
}  // namespace ampprof::sketch
