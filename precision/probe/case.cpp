// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/case.h"

#include "precision/probe/convolution_case.h"
#include "precision/probe/gemm_case.h"

namespace ampprof::probe {
namespace {

bool can_be_timed(DType dtype) {
  return dtype == DType::Half || dtype == DType::BFloat16 || dtype == DType::Float || dtype == DType::Double;
}

GemmCase padded_workload(GemmCase gemm, const std::vector<rules::Fault>& faults) {
  std::int64_t* const sizes[]{&gemm.m, &gemm.n, &gemm.k};  // in the order of Matmul::alignable
  for (const rules::Fault& fault : faults) {
    if (fault.dimension && *fault.dimension < std::size(sizes)) *sizes[*fault.dimension] = fault.wanted;
  }
  for (MatrixLayout* layout : {&gemm.a, &gemm.b}) layout->leading = layout->offset = 0;
  return gemm;
}

ConvolutionCase padded_workload(ConvolutionCase convolution, const std::vector<rules::Fault>& faults) {
  for (const rules::Fault& fault : faults) {
    if (!fault.dimension) continue;
    const bool is_input = *fault.dimension == 0;  // faults speak of the channels of one group
    if (is_input) convolution.input[1] = fault.wanted * convolution.groups;
    const bool comes_first = is_input == convolution.is_transposed;
    convolution.weight[comes_first ? 0 : 1] = fault.wanted * (comes_first ? convolution.groups : 1);
  }
  return convolution;
}

std::string sizes_of_workload(const GemmCase& gemm) {
  std::string text = "M = " + std::to_string(gemm.m) + ", N = " + std::to_string(gemm.n);
  text += ", K = " + std::to_string(gemm.k);
  return gemm.batch == 1 ? text : text + ", batch = " + std::to_string(gemm.batch);
}

std::string sizes_of_workload(const ConvolutionCase& convolution) {
  const auto& input = convolution.input;
  const auto& weight = convolution.weight;
  const std::int64_t out = convolution.is_transposed ? weight[1] * convolution.groups : weight[0];
  return "C_in = " + std::to_string(input[1]) + ", C_out = " + std::to_string(out) +
         ", batch = " + std::to_string(input[0]);
}

}  // namespace

std::optional<Workload> workload_of(const ProbedMatmul& matmul) {
  if (!can_be_timed(matmul.dtype)) return std::nullopt;
  const Signature signature = signature_from(matmul.signature);
  const auto name = rules::plain_name(matmul.op);
  if (auto gemm = gemm_case(name, signature, matmul.dtype)) return *gemm;
  if (auto convolution = convolution_case(name, signature)) return *convolution;
  return std::nullopt;
}

Workload padded(const Workload& workload, const std::vector<rules::Fault>& faults) {
  return std::visit([&](const auto& of) -> Workload { return padded_workload(of, faults); }, workload);
}

bool is_convolution(const Workload& workload) { return std::holds_alternative<ConvolutionCase>(workload); }

std::string sizes_of(const Workload& workload) {
  return std::visit([](const auto& of) { return sizes_of_workload(of); }, workload);
}

}  // namespace ampprof::probe
