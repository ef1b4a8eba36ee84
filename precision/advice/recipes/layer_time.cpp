// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/layer_time.h"

#include <algorithm>
#include <limits>

namespace ampprof::advice {
namespace {

using recipes::Element;
using recipes::Operand;
using recipes::Recipe;
using recipes::Scale;
using recipes::Slot;

constexpr double kOriginalBytes = 2;  // bytes per BF16 value: the tensors to copy and the products are BF16

int bits_of(Element element) {
  switch (element) {
    case Element::TensorFloat32:
      return 32;
    case Element::Half:
    case Element::BFloat16:
      return 16;
    case Element::Float8E4M3:
    case Element::Float8E5M2:
      return 8;
    case Element::Float4E2M1:
      return 4;
  }
  return 32;
}

double rate_of(const gpu::PeakRates& gpu, Element element) {
  switch (bits_of(element)) {
    case 32:
      return gpu.tf32;
    case 16:
      return gpu.half;
    case 8:
      return gpu.fp8;
    default:
      return gpu.fp4;
  }
}

double bytes_of_scale(Scale scale) {
  if (!info_of(scale).has_block) return 0;
  return scale == Scale::BlockE8M0 || scale == Scale::BlockE4M3 ? 1 : 4;
}

double bytes_of(const Operand& operand, double elements) {
  const double values = elements * bits_of(operand.element) / 8;
  const double scale = bytes_of_scale(operand.scale);
  return scale == 0 ? values : values + elements / (operand.block.across * operand.block.along) * scale;
}

/// Tells whether a copy needs two passes: a scale of the whole tensor must be known before the first value is rounded.
bool reads_twice(const Operand& operand) { return operand.scale == Scale::Tensor || operand.scale == Scale::BlockE4M3; }

/// A tensor that two matmuls read, each along a different dimension.
struct Tensor {
  double elements;
  OfMatmuls<bool> is_read;
  std::size_t rowwise;  ///< index of the matmul that reads the tensor by rows
  Slot rowwise_slot;
  std::size_t columnwise;
  Slot columnwise_slot;
};

std::array<Tensor, 3> tensors_of(const RecipeLayer& layer) {
  const auto rows = static_cast<double>(layer.rows);
  const auto columns = static_cast<double>(layer.columns);
  const auto leading = static_cast<double>(layer.leading);
  return {{{leading * columns, layer.has, kFprop, Slot::FpropInput, kWgrad, Slot::WgradInput},
           {rows * columns, layer.has, kFprop, Slot::FpropWeight, kDgrad, Slot::DgradWeight},
           {leading * rows, layer.has, kDgrad, Slot::DgradGradOutput, kWgrad, Slot::WgradGradOutput}}};
}

/// Returns the bytes read and written to copy one tensor for its matmuls.
double traffic_of(const Tensor& tensor, const std::vector<Recipe>& recipes, const Formats& formats) {
  double bytes = 0;
  const auto copy = [&](std::size_t matmul, Slot slot, bool is_read_already) {
    const Operand& operand = recipes[formats[matmul]][slot];
    if (!tensor.is_read[matmul] || !needs_scale(operand.element)) return false;
    bytes += bytes_of(operand, tensor.elements);
    if (!is_read_already) bytes += (reads_twice(operand) ? 2 : 1) * kOriginalBytes * tensor.elements;
    return true;
  };
  const bool is_read = copy(tensor.rowwise, tensor.rowwise_slot, false);
  copy(tensor.columnwise, tensor.columnwise_slot, is_read && formats[tensor.rowwise] == formats[tensor.columnwise]);
  return bytes;
}

double times_a_step(const RecipeLayer& layer) { return static_cast<double>(layer.groups * layer.calls); }

struct Sizes {
  double first;  ///< number of elements of the first operand
  double second;
  double product;
};

Sizes sizes_of(const RecipeLayer& layer, std::size_t matmul) {
  const auto rows = static_cast<double>(layer.rows);
  const auto columns = static_cast<double>(layer.columns);
  const auto leading = static_cast<double>(layer.leading);
  if (matmul == kFprop) return {leading * columns, rows * columns, leading * rows};
  if (matmul == kDgrad) return {leading * rows, rows * columns, leading * columns};
  return {leading * columns, leading * rows, rows * columns};
}

}  // namespace

double LayerTimes::us(const RecipeLayer& layer, const Formats& formats) const {
  double sum = copies_us(layer, formats);
  for (std::size_t m = 0; m < formats.size(); ++m) {
    if (layer.has[m]) sum += matmul_us(layer, m, formats[m]);
  }
  return sum;
}

double LayerTimes::matmul_us(const RecipeLayer& layer, std::size_t matmul, std::size_t format) const {
  const auto& measured = layer.measured_us[matmul];
  const double predicted = peak_us(layer, matmul, format);
  const auto own = measured.find(formats_[format].name);
  if (own != measured.end()) return own->second * static_cast<double>(layer.calls);
  const auto plain = measured.find(formats_.front().name);
  if (plain == measured.end()) return predicted;
  return predicted * plain->second * static_cast<double>(layer.calls) / peak_us(layer, matmul, 0);
}

double LayerTimes::copies_us(const RecipeLayer& layer, const Formats& formats) const {
  if (are_copies_free_) return 0;
  double bytes = 0;
  for (const Tensor& tensor : tensors_of(layer)) bytes += traffic_of(tensor, formats_, formats);
  return times_a_step(layer) * bytes / gpu_.gb_per_s / 1e3;
}

double LayerTimes::peak_us(const RecipeLayer& layer, std::size_t matmul, std::size_t format) const {
  const Recipe& recipe = formats_[format];
  const Operand& first = recipe[static_cast<Slot>(2 * matmul)];
  const Operand& second = recipe[static_cast<Slot>(2 * matmul + 1)];
  const double rate = std::min(rate_of(gpu_, first.element), rate_of(gpu_, second.element));
  if (rate == 0) return std::numeric_limits<double>::infinity();
  const Sizes sizes = sizes_of(layer, matmul);
  const double flops = 2.0 * static_cast<double>(layer.rows * layer.columns) * static_cast<double>(layer.leading);
  const double bytes = bytes_of(first, sizes.first) + bytes_of(second, sizes.second) + kOriginalBytes * sizes.product;
  return times_a_step(layer) * std::max(flops / rate / 1e6, bytes / gpu_.gb_per_s / 1e3);
}

}  // namespace ampprof::advice
