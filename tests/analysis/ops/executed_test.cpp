// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/executed.h"

#include <gtest/gtest.h>

#include "reports/queries/gpu_activity_use.h"
#include "reports/queries/ops.h"

namespace ampprof::analysis {
namespace executed_test {

using kernel_names::Executed;
using kernel_names::KernelKind;

constexpr const char* kOnTensorCores = "ampere_fp16_s16816gemm_fp16_64x64_ldg8_f2f_nn";
constexpr const char* kCast = "void at::native::vectorized_elementwise_kernel<4, at::native::float16_copy_kernel>(int)";

queries::GpuActivityUse use_of(const char* name, double gpu_us, GpuActivityKind kind = GpuActivityKind::Kernel) {
  return {.name = name, .kind = kind, .count = 1, .gpu_us = gpu_us};
}

TEST(Kernels, ThatMayMultiplyAreMatmulsAndUnknownOnes) {
  for (const KernelKind kind : {KernelKind::Gemm, KernelKind::Convolution, KernelKind::Attention, KernelKind::Other}) {
    EXPECT_TRUE(can_multiply({.kind = kind}));
  }
  for (const KernelKind kind : {KernelKind::SplitKReduction, KernelKind::CastCopy, KernelKind::Memory}) {
    EXPECT_FALSE(can_multiply({.kind = kind}));
  }
}

TEST(Execution, IsThatOfTheLongestKernelThatCanMultiply) {
  queries::OpRow op;
  op.gpu_us = 9;
  op.activities = {use_of(kOnTensorCores, 5, GpuActivityKind::Memcpy), use_of(kCast, 3), use_of(kOnTensorCores, 2),
                   use_of("ampere_sgemm_128x64_tn", 1)};
  EXPECT_EQ(execution_of(op).executed, Executed::Used);
  EXPECT_NE(execution_of(op).evidence.find("16816gemm"), std::string::npos);
}

TEST(Execution, IsWithoutTensorCoresWhereNoKernelCanMultiply) {
  queries::OpRow op;
  op.gpu_us = 9;
  op.activities = {use_of("memset", 5, GpuActivityKind::Memset), use_of(kCast, 3),
                   use_of("void at::native::reduce_kernel<512>(int)", 2)};
  const Execution execution = execution_of(op);
  EXPECT_EQ(execution.executed, Executed::NotUsed);
  EXPECT_NE(execution.evidence.find("vectorized_elementwise_kernel"), std::string::npos) << "the longest";
  EXPECT_EQ(execution.evidence.substr(0, 6), "name: ");
}

TEST(Execution, IsUnknownWithoutAKernel) {
  queries::OpRow op;
  op.activities = {use_of(kOnTensorCores, 2)};
  EXPECT_EQ(execution_of(op).evidence, "no kernel record") << "the run saw no GPU";
  op.gpu_us = 2;
  op.activities = {use_of("memset", 5, GpuActivityKind::Memset)};
  EXPECT_EQ(execution_of(op).executed, Executed::Unknown);
  EXPECT_EQ(execution_of(op).evidence, "launched no kernel");
  EXPECT_EQ(execution_by(nullptr).evidence, "no kernel record");
  const ProbeAlgorithm refused{.failure = "none"};
  EXPECT_EQ(execution_by(&refused).executed, Executed::Unknown);
}

TEST(TensorCoreShare, IsOfAllTimeOnTheGpuOfOneRun) {
  queries::OpRow op;
  op.run = 1;
  op.activities = {use_of(kOnTensorCores, 3), use_of(kOnTensorCores, 4, GpuActivityKind::Memcpy), use_of(kCast, 5)};
  queries::OpRow other = op;
  other.run = 2;
  EXPECT_EQ(tensor_core_share({op, other}, 1), 0.25);
  EXPECT_EQ(tensor_core_share({op, op}, 1), 0.25);
  EXPECT_EQ(tensor_core_share({op}, 2), std::nullopt);
  op.activities = {use_of(kCast, 5)};
  EXPECT_EQ(tensor_core_share({op}, 1), 0.0);
}

}  // namespace executed_test
}  // namespace ampprof::analysis
