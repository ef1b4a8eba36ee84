// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "reports/records/drift.h"
#include "reports/records/gpu_activity.h"
#include "reports/records/loss_impact.h"
#include "reports/records/matmul.h"
#include "reports/records/matmul_op.h"
#include "reports/records/phase.h"
#include "reports/records/probe.h"

namespace ampprof {
namespace names_test {

TEST(GpuActivityKinds, HaveTheNumbersOfReportFiles) {
  EXPECT_EQ(gpu_activity_kind_from_number(0), GpuActivityKind::Kernel);
  EXPECT_EQ(gpu_activity_kind_from_number(1), GpuActivityKind::Memcpy);
  EXPECT_EQ(gpu_activity_kind_from_number(2), GpuActivityKind::Memset);
  EXPECT_EQ(gpu_activity_kind_from_number(3), GpuActivityKind::Kernel) << "no report has this number";
  EXPECT_EQ(gpu_activity_kind_from_number(-1), GpuActivityKind::Kernel);
}

TEST(GpuActivityKinds, HaveNames) {
  EXPECT_EQ(name_of(GpuActivityKind::Kernel), "kernel");
  EXPECT_EQ(name_of(GpuActivityKind::Memcpy), "memcpy");
  EXPECT_EQ(name_of(GpuActivityKind::Memset), "memset");
  EXPECT_EQ(name_of(static_cast<GpuActivityKind>(9)), "kernel");
}

TEST(Phases, AreReadFromTheirNames) {
  EXPECT_EQ(phase_names(), (std::vector<std::string>{"forward", "recompute", "backward", "optimizer", "inference"}));
  for (const std::string& name : phase_names()) EXPECT_EQ(name_of(phase_from(name).value()), name);
  EXPECT_EQ(phase_from("Forward"), std::nullopt);
  EXPECT_EQ(phase_from("eval"), std::nullopt) << "that is short";
  EXPECT_EQ(phase_from_short("eval"), Phase::Inference);
  EXPECT_EQ(phase_from_short("bwd"), Phase::Backward);
  EXPECT_EQ(phase_from_short("opt"), Phase::Optimizer);
  EXPECT_EQ(phase_from_short(""), std::nullopt) << "forward has no mark";
  EXPECT_EQ(name_of(static_cast<Phase>(99)), "?");
}

TEST(ImpactGaps, HaveAReasonEach) {
  EXPECT_EQ(reason_of(ImpactGap::None), "");
  EXPECT_EQ(reason_of(ImpactGap::GradientNotFinite), "the gradient is not finite");
  EXPECT_EQ(reason_of(ImpactGap::ScaleUnknown), "the loss scale is unknown");
  EXPECT_EQ(reason_of(ImpactGap::ErrorNotFinite), "the output or its reference is not finite");
  EXPECT_EQ(reason_of(ImpactGap::NoMaster), "the parameter has no FP32 original");
}

TEST(Matmuls, AreReadFromTheirNames) {
  for (const Matmul matmul : kMatmuls) EXPECT_EQ(matmul_from(name_of(matmul)), matmul);
  EXPECT_EQ(name_of(Matmul::Wgrad), "wgrad");
  EXPECT_EQ(matmul_from(name_of(Matmul::None)), std::nullopt) << "a file cannot ask for no matmul";
  EXPECT_EQ(matmul_from("Fprop"), std::nullopt);
}

TEST(MatmulOps, AreFoundByTheirPlainNames) {
  EXPECT_EQ(matmul_op("baddbmm")->a, 1);
  EXPECT_TRUE(matmul_op("convolution_backward")->is_convolution());
  EXPECT_FALSE(matmul_op("linear")->is_convolution());
  EXPECT_EQ(matmul_op("aten::mm"), nullptr);
  EXPECT_EQ(matmul_op("lstm"), nullptr);
}

TEST(Arithmetics, AreNamedAsUsersCallThem) {
  EXPECT_EQ(name_of(Arithmetic{DType::Half}), "fp16");
  EXPECT_EQ(name_of(Arithmetic{DType::BFloat16}), "bf16");
  EXPECT_EQ(name_of(Arithmetic{DType::Float}), "fp32");
  EXPECT_EQ(name_of(Arithmetic{DType::Float, true}), "tf32");
  EXPECT_EQ(name_of(Arithmetic{DType::Double}), "fp64");
  EXPECT_EQ(name_of(Arithmetic{DType::Float8E4M3}), "f8e4m3");
}

TEST(DriftClasses, HaveNames) {
  EXPECT_EQ(name_of(DriftClass::Fine), "fine");
  EXPECT_EQ(name_of(DriftClass::FewLost), "few lost");
  EXPECT_EQ(name_of(DriftClass::Lost), "lost");
  EXPECT_EQ(name_of(DriftClass::Broken), "broken");
  EXPECT_EQ(name_of(DriftRole::Tensor), "tensor");
  EXPECT_EQ(name_of(DriftRole::State), "state");
}

}  // namespace names_test
}  // namespace ampprof
