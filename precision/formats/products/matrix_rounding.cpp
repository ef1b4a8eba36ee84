// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/products/matrix_rounding.h"

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "precision/cuda/kernels.h"
#include "precision/formats/quantize/quantize.h"
#include "precision/formats/recipes/recipe_error.h"
#include "precision/torch_hooks/stream_handle.h"

namespace ampprof::products {
namespace {

using quantize::Matrix;
using quantize::Output;
using quantize::Settings;

std::int64_t stride_of(const at::Tensor& matrix) { return matrix.size(0) > 1 ? matrix.stride(0) : matrix.size(1); }

Matrix matrix_of(const at::Tensor& tensor) {
  const bool is_bf16 = tensor.scalar_type() == at::kBFloat16;
  return {.data = tensor.const_data_ptr(),
          .dtype = is_bf16 ? DType::BFloat16 : DType::Float,
          .rows = tensor.size(0),
          .columns = tensor.size(1),
          .stride = stride_of(tensor)};
}

Output output_of(const at::Tensor& tensor) { return {tensor.mutable_data_ptr<float>(), stride_of(tensor)}; }

Settings settings_of(const MatrixRounding& how) { return {.random = how.random, .hadamard_signs = kHadamardSigns}; }

/// Ranges of rows that threads round. They depend only on sizes, so that the result does not depend on the number of
/// threads.
struct Parts {
  std::int64_t rows;
  std::int64_t count;

  Parts(const Matrix& matrix, const MatrixRounding& how) {
    constexpr std::int64_t kElements = std::int64_t{1} << 16;
    const std::int64_t step = quantize::cpu::rows_of_part(how.operand, how.direction);
    const std::int64_t wanted = kElements / std::max<std::int64_t>(matrix.columns, 1);
    rows = std::max<std::int64_t>(wanted / step, 1) * step;
    count = (matrix.rows + rows - 1) / rows;
  }
};

Matrix part_of(Matrix matrix, std::int64_t first, std::int64_t rows) {
  const std::int64_t size = matrix.dtype == DType::BFloat16 ? 2 : 4;
  matrix.data = static_cast<const char*>(matrix.data) + first * matrix.stride * size;
  matrix.rows = std::min(rows, matrix.rows - first);
  return matrix;
}

/// Calls `work(index, part, first row)` for the parts of a matrix, in parallel.
template <typename Work>
void for_each_part(const Matrix& matrix, const Parts& parts, Work work) {
  at::parallel_for(0, parts.count, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      work(static_cast<std::size_t>(i), part_of(matrix, i * parts.rows, parts.rows), i * parts.rows);
    }
  });
}

}  // namespace

namespace cpu {
namespace {

/// Turns inf into NaN, like a cast to E4M3 without saturation. With a scale, inf would become the largest value, which
/// would hide the overflow in the product.
void keep_overflows(const Matrix& from, const Output& to) {
  const auto keep = [&](const auto* values) {
    for (std::int64_t row = 0; row < from.rows; ++row) {
      for (std::int64_t column = 0; column < from.columns; ++column) {
        if (std::isfinite(static_cast<float>(values[row * from.stride + column]))) continue;
        to.data[row * to.stride + column] = std::numeric_limits<float>::quiet_NaN();
      }
    }
  };
  if (from.dtype == DType::BFloat16) return keep(static_cast<const at::BFloat16*>(from.data));
  keep(static_cast<const float*>(from.data));
}

}  // namespace

void round_matrix(const at::Tensor& from, const at::Tensor& to, const MatrixRounding& how,
                  OperandRoundingSums* losses) {
  const Matrix matrix = matrix_of(from);
  const Output output = output_of(to);
  const Parts parts(matrix, how);
  Settings settings = settings_of(how);
  if (how.amax.defined()) settings.amax = *how.amax.const_data_ptr<float>();
  std::vector<OperandRounding> lost(static_cast<std::size_t>(parts.count));
  for_each_part(matrix, parts, [&](std::size_t i, const Matrix& part, std::int64_t first_row) {
    Settings of_part = settings;
    of_part.first_row = first_row;
    const Output here{output.data + first_row * output.stride, output.stride};
    lost[i] = quantize::cpu::quantize(part, here, how.operand, how.direction, of_part);
    if (lost[i].nonfinite != 0 && how.operand.scale != recipes::Scale::None) keep_overflows(part, here);
  });
  if (losses == nullptr) return;
  for (const OperandRounding& part : lost) losses->add(part);
}

void raise_amax(const at::Tensor& from, const MatrixRounding& how, const at::Tensor& largest) {
  const Matrix matrix = matrix_of(from);
  const Parts parts(matrix, how);
  std::vector<float> found(static_cast<std::size_t>(parts.count), 0.0F);
  for_each_part(matrix, parts, [&](std::size_t i, const Matrix& part, std::int64_t) {
    found[i] = quantize::cpu::amax(part, how.operand, how.direction, settings_of(how));
  });
  float& value = *largest.mutable_data_ptr<float>();
  for (const float one : found) value = std::max(value, one);
}

}  // namespace cpu

namespace cuda {
namespace {

const ampprof::cuda::Kernels& kernels() {
  const auto* found = ampprof::cuda::kernels();
  if (found == nullptr) {
    throw recipes::RecipeError("On this GPU, recipes need ampprof's own kernels, which cannot be used: " +
                               ampprof::cuda::why_no_kernels() + ".");
  }
  return *found;
}

void require_launched(const std::string& reason) {
  if (!reason.empty()) throw recipes::RecipeError("An operand of a recipe cannot be rounded on this GPU: " + reason);
}

/// Calls `launch(device, stream)` with the tensor's device and LibTorch's current stream on that device.
template <typename Launch>
void enqueue(const at::Tensor& on, Launch launch) {
  const c10::DeviceGuard on_device(on.device());
  const c10::Stream stream = c10::impl::VirtualGuardImpl(on.device().type()).getStream(on.device());
  require_launched(launch(static_cast<int>(on.device().index()), torch_hooks::handle_of(stream)));
}

}  // namespace

void round_matrix(const at::Tensor& from, const at::Tensor& to, const MatrixRounding& how,
                  OperandRoundingSums* losses) {
  OperandRoundingSums unread;
  auto* into =
      static_cast<quantize::cuda::DeviceStatistics*>((losses != nullptr ? *losses : unread).of_kernels(from.device()));
  const float* amax = how.amax.defined() ? how.amax.const_data_ptr<float>() : nullptr;
  enqueue(from, [&](int device, void* stream) {
    return kernels().quantize(matrix_of(from), output_of(to), how.operand, how.direction, settings_of(how), amax, into,
                              device, stream);
  });
  to.add_(from.sub(from));  // adds NaN where `from` is inf or NaN, else 0
}

void raise_amax(const at::Tensor& from, const MatrixRounding& how, const at::Tensor& largest) {
  enqueue(from, [&](int device, void* stream) {
    return kernels().quantize_amax(matrix_of(from), how.operand, how.direction, settings_of(how),
                                   largest.mutable_data_ptr<float>(), device, stream);
  });
}

}  // namespace cuda
}  // namespace ampprof::products
