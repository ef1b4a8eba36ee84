// SPDX-License-Identifier: Apache-2.0
// Compares half matmuls in the CPU emulation with cuBLAS on a GPU.
#include <ATen/Context.h>
#include <gtest/gtest.h>
#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <ostream>

#include "amp_core/emulation/half_on_cpu.h"

namespace amp {
namespace against_cublas_test {

struct Sizes {
  std::int64_t m, k, n;
};

void PrintTo(const Sizes& sizes, std::ostream* out) { *out << sizes.m << "x" << sizes.k << "x" << sizes.n; }

/// Enables the emulation for the rest of the process, and forbids cuBLAS to reduce half products in half.
class AgainstCublas : public testing::TestWithParam<Sizes> {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU on this machine";
    emulate_half_on_cpu();
    at::globalContext().setAllowFP16ReductionCuBLAS(false);
    torch::manual_seed(7);
  }
  void TearDown() override { at::globalContext().setAllowFP16ReductionCuBLAS(true); }

  static at::Tensor half(at::IntArrayRef shape) { return torch::randn(shape).to(at::kHalf); }

  /// Allows a difference of one ulp plus the error of FP32 sums: the CPU and the GPU round each sum once, but add its
  /// terms in different orders.
  static void expect_one_rounding_apart(const at::Tensor& emulated, const at::Tensor& device, const at::Tensor& a,
                                        const at::Tensor& b) {
    const at::Tensor y = emulated.to(at::kDouble), other = device.cpu().to(at::kDouble);
    const at::Tensor ulp = at::exp2(at::floor(at::log2(y.abs().clamp_min(0x1p-14))) - 10);
    const at::Tensor terms = at::matmul(a.to(at::kDouble).abs(), b.to(at::kDouble).abs()) + y.abs();
    const at::Tensor allowed = ulp + static_cast<double>(a.size(-1)) * 0x1p-24 * terms;
    EXPECT_GT(y.abs().max().item<double>(), 1) << "there is something to compare";
    EXPECT_LE(((y - other).abs() / allowed).max().item<double>(), 1);
    const double apart = ((y - other).norm() / y.norm()).item<double>();
    EXPECT_LE(apart, 0x1p-11) << "on average they differ by less than a rounding";
  }
};

TEST_P(AgainstCublas, MmIsOneRoundingApart) {
  const auto [m, k, n] = GetParam();
  const at::Tensor a = half({m, k}), b = half({k, n});
  expect_one_rounding_apart(at::mm(a, b), at::mm(a.cuda(), b.cuda()), a, b);
}

TEST_P(AgainstCublas, AddmmOfTransposedIsOneRoundingApart) {
  const auto [m, k, n] = GetParam();
  const at::Tensor a = half({m, k}), weight = half({n, k}), bias = half({n});
  expect_one_rounding_apart(at::addmm(bias, a, weight.t()), at::addmm(bias.cuda(), a.cuda(), weight.cuda().t()), a,
                            weight.t());
}

TEST_P(AgainstCublas, BmmIsOneRoundingApart) {
  const auto [m, k, n] = GetParam();
  const at::Tensor a = half({3, m, k}), b = half({3, k, n});
  expect_one_rounding_apart(at::bmm(a, b), at::bmm(a.cuda(), b.cuda()), a, b);
}

INSTANTIATE_TEST_SUITE_P(Sizes, AgainstCublas,
                         testing::Values(Sizes{8, 16, 8}, Sizes{33, 65, 17}, Sizes{64, 784, 256},
                                         Sizes{128, 4096, 64}));

}  // namespace against_cublas_test
}  // namespace amp
