// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/device/torch_call.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>

#include <stdexcept>

#include "precision/tensors/dtype_of.h"

namespace ampprof::probe {
namespace {

constexpr double kMostElements = 1e11;

at::Tensor random(at::IntArrayRef sizes, const at::TensorOptions& options) {
  double elements = 1;
  for (const auto size : sizes) elements *= static_cast<double>(size);
  if (elements > kMostElements) throw std::runtime_error("its operands do not fit in memory");
  return at::randn(sizes, options);
}

/// Returns a tensor [batch, rows, columns], or a plain matrix if `batch` is 1.
at::Tensor matrix(const MatrixLayout& layout, std::int64_t batch, std::int64_t rows, std::int64_t columns,
                  const at::TensorOptions& options) {
  if (layout.is_transposed) std::swap(rows, columns);
  const std::int64_t leading = std::max(layout.leading, columns);
  const at::Tensor memory = random({batch, rows, leading}, options);
  const at::Tensor all = layout.offset == 0 ? memory.flatten() : at::cat({memory.flatten(), memory.flatten()});
  at::Tensor view = all.as_strided({batch, rows, columns}, {rows * leading, leading, 1}, layout.offset);
  if (layout.is_transposed) view = view.transpose(1, 2);
  return batch == 1 ? view.squeeze(0) : view;
}

std::function<void()> call_of_workload(const GemmCase& gemm, const at::TensorOptions& options) {
  const at::Tensor a = matrix(gemm.a, gemm.batch, gemm.m, gemm.k, options);
  const at::Tensor b = matrix(gemm.b, gemm.batch, gemm.k, gemm.n, options);
  if (gemm.batch > 1) return [=] { at::bmm(a, b); };
  if (!gemm.has_bias) return [=] { at::mm(a, b); };
  const at::Tensor bias = random({gemm.n}, options);
  return [=] { at::addmm(bias, a, b); };
}

at::MemoryFormat format_of(const ConvolutionCase& convolution) {
  if (!convolution.is_channels_last) return at::MemoryFormat::Contiguous;
  if (convolution.input.size() == 4) return at::MemoryFormat::ChannelsLast;
  return convolution.input.size() == 5 ? at::MemoryFormat::ChannelsLast3d : at::MemoryFormat::Contiguous;
}

std::function<void()> call_of_workload(const ConvolutionCase& convolution, const at::TensorOptions& options) {
  const auto format = format_of(convolution);
  const at::Tensor input = random(convolution.input, options).contiguous(format);
  const at::Tensor weight = random(convolution.weight, options).contiguous(format);
  const auto forward = [=, of = convolution] {
    return at::convolution(input, weight, {}, of.stride, of.padding, of.dilation, of.is_transposed, of.output_padding,
                           of.groups);
  };
  if (!convolution.is_backward) return [forward] { forward(); };
  const at::Tensor gradient = at::randn_like(forward());
  return [=, of = convolution] {
    at::convolution_backward(gradient, input, weight, at::OptionalIntArrayRef(), of.stride, of.padding, of.dilation,
                             of.is_transposed, of.output_padding, of.groups, {true, true, false});
  };
}

}  // namespace

std::function<void()> call_of(const Case& what, c10::Device device) {
  auto& context = at::globalContext();
  context.setAllowTF32CuBLAS(what.arithmetic.tf32);
  context.setAllowTF32CuDNN(what.arithmetic.tf32);
  context.setBenchmarkCuDNN(what.cudnn_benchmark);
  const auto options = at::TensorOptions().device(device).dtype(tensors::scalar_type_of(what.arithmetic.dtype).value());
  return std::visit([&](const auto& workload) { return call_of_workload(workload, options); }, what.workload);
}

}  // namespace ampprof::probe
