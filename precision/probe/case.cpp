// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/case.h"

#include <algorithm>

#include "precision/probe/read_case.h"

namespace ampprof {
namespace {

bool can_be_timed(DType dtype) {
  return dtype == DType::Half || dtype == DType::BFloat16 || dtype == DType::Float || dtype == DType::Double;
}

GemmCase padded_work(GemmCase gemm, const std::vector<Fault>& faults) {
  std::int64_t* const sizes[]{&gemm.i, &gemm.j, &gemm.k};  // in the order of Product::alignable
  for (const Fault& fault : faults) {
    if (fault.dimension && *fault.dimension < std::size(sizes)) *sizes[*fault.dimension] = fault.wanted;
  }
  for (MatrixLayout* layout : {&gemm.left, &gemm.right}) layout->leading = layout->offset = 0;
  return gemm;
}

ConvolutionCase padded_work(ConvolutionCase convolution, const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) {
    if (!fault.dimension) continue;
    const bool is_input = *fault.dimension == 0;  // faults speak of the channels of one group
    if (is_input) convolution.input[1] = fault.wanted * convolution.groups;
    const bool comes_first = is_input == convolution.is_transposed;
    convolution.weight[comes_first ? 0 : 1] = fault.wanted * (comes_first ? convolution.groups : 1);
  }
  return convolution;
}

std::string sizes_of_work(const GemmCase& gemm) {
  std::string text = "I = " + std::to_string(gemm.i) + ", J = " + std::to_string(gemm.j);
  text += ", K = " + std::to_string(gemm.k);
  return gemm.batch == 1 ? text : text + ", batch = " + std::to_string(gemm.batch);
}

std::string sizes_of_work(const ConvolutionCase& convolution) {
  const auto& input = convolution.input;
  const auto& weight = convolution.weight;
  const std::int64_t out = convolution.is_transposed ? weight[1] * convolution.groups : weight[0];
  return "C_in = " + std::to_string(input[1]) + ", C_out = " + std::to_string(out) +
         ", batch = " + std::to_string(input[0]);
}

}  // namespace

std::optional<Work> work_of(const ProbedProduct& product) {
  if (!can_be_timed(product.dtype)) return std::nullopt;
  const Signature signature = signature_from(product.signature);
  const auto name = plain_name(product.op);
  if (auto gemm = gemm_case(name, signature, product.dtype)) return *gemm;
  if (auto convolution = convolution_case(name, signature)) return *convolution;
  return std::nullopt;
}

Work padded(const Work& work, const std::vector<Fault>& faults) {
  return std::visit([&](const auto& of) -> Work { return padded_work(of, faults); }, work);
}

bool is_convolution(const Work& work) { return std::holds_alternative<ConvolutionCase>(work); }

std::string sizes_of(const Work& work) {
  return std::visit([](const auto& of) { return sizes_of_work(of); }, work);
}

}  // namespace ampprof
