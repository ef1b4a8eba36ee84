// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/case.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string_view>

#include "precision/rules/matmuls/convolution.h"
#include "precision/rules/matmuls/gemm.h"
#include "reports/records/matmul_op.h"

namespace ampprof::probe {
namespace {

/// `is_transposed` tells whether the op transposes the operand. MatrixLayout::is_transposed also depends on how the
/// operand is stored.
MatrixLayout layout_of(const TensorInfo& matrix, DType computed_in, bool is_transposed) {
  const auto& [dtype, shape, strides, alignment] = matrix;
  MatrixLayout layout{.is_transposed = is_transposed};
  if (strides.size() >= 2) {
    std::size_t rows = shape.size() - 2;
    std::size_t columns = shape.size() - 1;
    if (strides[columns] != 1 && strides[rows] == 1) {
      std::swap(rows, columns);
      layout.is_transposed = !is_transposed;
    }
    // LibTorch copies a matrix first if neither its rows nor its columns are contiguous, or if they overlap.
    if (strides[columns] == 1 && strides[rows] > shape[columns]) layout.leading = strides[rows];
  }
  if (dtype != computed_in) {
    layout.leading = 0;
  } else if (alignment < kFullAlignment) {
    layout.offset = std::max(1, alignment / std::max(1, size_of(dtype)));
  }
  return layout;
}

/// Tells whether the op adds a vector. Other addends need a separate pass.
bool adds_a_vector(const MatmulOp& op, const Signature& signature) {
  if (op.adds == Addend::None || op.form == MatmulForm::Batched) return false;
  const std::size_t place = op.adds == Addend::Bias ? op.a + 2 : 0;
  return place < signature.tensors.size() && signature.tensors[place].shape.size() == 1;
}

/// Reads a GEMM's sizes and layouts from the signature of the op. `op` is a plain name. An operand whose type differs
/// from `computed_in` was cast, and the copy is contiguous. Empty for other ops and for signatures with missing or
/// impossible sizes, since a report is untrusted input.
std::optional<GemmCase> gemm_case(std::string_view op, const Signature& signature, DType computed_in) {
  const auto operands = rules::gemm_operands(op);
  const auto matmul = rules::matmul_of_gemm(op, signature);
  if (!operands || !matmul) return std::nullopt;
  GemmCase gemm;
  std::int64_t* const sizes[]{&gemm.m, &gemm.n, &gemm.k, &gemm.batch};  // in the order of Matmul::dims
  for (std::size_t at = 0; at < std::min(matmul->dims.size(), std::size(sizes)); ++at) {
    *sizes[at] = matmul->dims[at].second;
    if (*sizes[at] > kLargestSize) return std::nullopt;
  }
  gemm.a = layout_of(signature.tensors[operands->a], computed_in, false);
  gemm.b = layout_of(signature.tensors[operands->a + 1], computed_in, operands->is_transposed);
  if (std::max(gemm.a.leading, gemm.b.leading) > kLargestSize) return std::nullopt;
  gemm.has_bias = adds_a_vector(*matmul_op(op), signature);
  return gemm;
}

using Numbers = std::vector<std::int64_t>;

/// Reads one number for all spatial dimensions ("2"), or one per dimension ("2,1"). Empty for anything else.
std::optional<Numbers> along_axes(std::string_view text, std::size_t axes) {
  Numbers numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    std::int64_t number = 0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || number < 0 || number > kLargestSize) return std::nullopt;
    numbers.push_back(number);
    if (after < end && *after != ',') return std::nullopt;
    at = std::min(after + 1, end);
  }
  if (numbers.size() == 1) numbers.resize(axes, numbers.front());
  return numbers.size() == axes ? std::optional(numbers) : std::nullopt;
}

/// Reads padding given as a word. If "same" needs more padding on one side, LibTorch pads before the convolution.
std::optional<Numbers> padding_of(std::string_view text, const Numbers& dilation,
                                  std::span<const std::int64_t> kernel) {
  if (text == "valid") return Numbers(kernel.size(), 0);
  if (text != "same") return along_axes(text, kernel.size());
  Numbers padding;
  for (std::size_t axis = 0; axis < kernel.size(); ++axis) padding.push_back(dilation[axis] * (kernel[axis] - 1) / 2);
  return padding;
}

bool are_possible(const Numbers& sizes) {
  return std::ranges::all_of(sizes, [](std::int64_t size) { return size > 0 && size <= kLargestSize; });
}

bool lies_by_channels(const TensorInfo& input) {
  const auto& strides = input.strides;
  return strides.size() >= 3 && strides[1] == 1 && input.shape[1] > 1;
}

std::int64_t number_of(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Reads a convolution's shapes and attributes from the signature of the op. `op` is a plain name. Empty for other ops
/// and for signatures with missing or impossible sizes, since a report is untrusted input.
std::optional<ConvolutionCase> convolution_case(std::string_view op, const Signature& signature) {
  const auto operands = rules::convolution_operands(op, signature);
  if (!operands || !rules::matmul_of_convolution(op, signature)) return std::nullopt;
  const TensorInfo& input = signature.tensors[operands->a];
  ConvolutionCase convolution{.input = input.shape,
                              .weight = signature.tensors[operands->a + 1].shape,
                              .groups = std::max<std::int64_t>(number_of(signature.attribute("groups", "1")), 1),
                              .is_transposed = operands->is_transposed,
                              .is_backward = operands->is_backward,
                              .is_channels_last = lies_by_channels(input)};
  if (convolution.input.size() < convolution.weight.size()) convolution.input.insert(convolution.input.begin(), 1);
  if (!are_possible(convolution.input) || !are_possible(convolution.weight)) return std::nullopt;
  const auto kernel = std::span(std::as_const(convolution.weight)).subspan(2);
  const auto stride = along_axes(signature.attribute("stride"), kernel.size());
  const auto dilation = along_axes(signature.attribute("dilation"), kernel.size());
  const auto output_padding = along_axes(signature.attribute("output_padding", "0"), kernel.size());
  if (!stride || !are_possible(*stride) || !dilation || !output_padding) return std::nullopt;
  const auto padding = padding_of(signature.attribute("padding"), *dilation, kernel);
  if (!padding) return std::nullopt;
  convolution.stride = *stride;
  convolution.padding = *padding;
  convolution.dilation = *dilation;
  convolution.output_padding = *output_padding;
  return convolution;
}

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
    const bool is_input = *fault.dimension == 0;  // the wanted size is the input channels of one group
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
