// SPDX-License-Identifier: Apache-2.0
// Compares the CUDA kernel for weight updates, run on the CPU, with the definition of its effect on an element.
#include "precision/update/kernels_cuda.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/precision/error/buffer.h"

namespace ampprof::update {
namespace kernels_cuda_test {

using error::testing_buffer::Buffer;
using error::testing_buffer::Kind;

TEST(CudaWeightChange, IsWhatItIsOnTheCpu) {
  for (const DType dtype : {DType::Half, DType::BFloat16, DType::Float, DType::Double}) {
    for (const std::size_t size : error::testing_buffer::kSizes) {
      SCOPED_TRACE(testing::Message() << size << " of type " << static_cast<int>(dtype));
      Buffer before(dtype, size, 0);
      Buffer after(dtype, size, 0);
      Buffer unused(DType::Float, size, 0);
      fill(before, unused, Kind::Wild, 1);
      fill(after, unused, Kind::Wild, 2);
      const std::vector<double> from = before.values();
      std::vector<double> exact = from;
      const auto bytes = static_cast<std::size_t>(size_of(dtype));
      for (std::size_t i = 0; i < size; ++i) {
        if (i % 3 == 0) std::copy_n(before.bytes() + i * bytes, bytes, after.bytes() + i * bytes);
        if (i % 5 != 0) exact[i] += std::ldexp(from[i], -static_cast<int>(i % 17));
      }
      const std::vector<double> to = after.values();
      BasicChange<std::int64_t> expected{};
      for (std::size_t i = 0; i < size; ++i) add_element(expected, from[i], to[i], exact[i], error::spacing_of(dtype));
      DeviceChange found{};
      EXPECT_EQ(cuda::launch_add_change(before.elements(), after.elements().data, exact.data(),
                                        error::spacing_of(dtype), &found, 0, nullptr),
                "");
      EXPECT_EQ(found.count, static_cast<unsigned long long>(expected.count));
      EXPECT_EQ(found.lost, static_cast<unsigned long long>(expected.lost));
      EXPECT_EQ(found.below_half_ulp, static_cast<unsigned long long>(expected.below_half_ulp));
      EXPECT_NEAR(found.sum_ulp, expected.sum_ulp, 1e-12 * expected.sum_ulp);
    }
  }
}

}  // namespace kernels_cuda_test
}  // namespace ampprof::update
