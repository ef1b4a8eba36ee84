// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/quantize/quantize.h"

#include "precision/formats/quantize/block_rows.h"
#include "precision/formats/quantize/non_temporal.h"
#include "precision/formats/quantize/panels.h"
#include "precision/formats/quantize/scale.h"

namespace ampprof::quantize::cpu {
namespace {

/// Results with more elements are stored past the cache, since they would be evicted before they are read. Exception:
/// panels of a single row, where source and destination are close together and normal stores are faster.
constexpr std::int64_t kPastCache = std::int64_t{4} << 20;  // elements

float largest_of_panels(const Matrix& from, const PanelShape& shape, const lines::Kernels& kernels,
                        PanelReader& reader) {
  const auto width = static_cast<std::size_t>(shape.columns);
  CacheLines<std::int32_t> magnitudes(width);
  float largest = 0;
  for_each_panel(from, shape, [&](const Panel& panel) {
    const PanelLines lines = reader.read(panel);
    const auto size = static_cast<std::size_t>(panel.columns);
    std::int32_t of_panel = 0;
    if (panel.rows == 1) {
      kernels.largest_of_line_groups(lines.data, size, size, &of_panel);
    } else {
      std::ranges::fill(magnitudes, 0);
      for (std::int64_t row = 0; row < panel.rows; ++row) {
        kernels.raise_magnitudes(lines.line(row), size, magnitudes.data());
      }
      kernels.largest_of_groups(magnitudes.data(), size, size, &of_panel);
    }
    largest = std::max(largest, largest_but_nan(of_panel, lines, panel.rows, panel.columns));
  });
  return largest;
}

/// The scale of the whole tensor, if there is one: a multiplier and its inverse, or the FP32 scale that multiplies the
/// E4M3 scales of blocks.
struct TensorScale {
  ScalePair pair;
  float above = 1;
};

TensorScale tensor_scale(const Matrix& from, const recipes::Operand& operand, recipes::Direction direction,
                         const Settings& settings) {
  const float largest = static_cast<float>(recipes::format_of(operand.element).largest);
  const auto of_tensor = [&] { return settings.amax ? *settings.amax : amax(from, operand, direction, settings); };
  switch (operand.scale) {
    case recipes::Scale::Tensor:
      return {float_scale(of_tensor(), largest)};
    case recipes::Scale::TensorDelayed:
      return {float_scale(settings.amax.value_or(0.0F), largest)};
    case recipes::Scale::BlockE4M3:
      return {{}, tensor_scale_above_e4m3(of_tensor(), largest)};
    default:
      return {};
  }
}

void transform_matrix(const Matrix& from, Output to, const TileTransform& by) {
  const recipes::Operand operand{.transform = recipes::Transform::Hadamard};
  const PanelShape shape = shape_of(operand, by.direction);
  const auto kernels = lines::kernels_for(operand.scale, error::cpu::best_instruction_set());
  PanelReader reader(from, shape, kernels, &by);
  for_each_panel(from, shape, [&](const Panel& panel) {
    const PanelLines lines = reader.read(panel);
    for (std::int64_t row = 0; row < panel.rows; ++row) {
      const float* line = lines.line(row);
      std::copy(line, line + panel.columns, to.data + (panel.row + row) * to.stride + panel.column);
    }
  });
}

}  // namespace

OperandRounding quantize(const Matrix& from, Output to, const recipes::Operand& operand, recipes::Direction direction,
                         const Settings& settings) {
  const bool is_transformed = operand.transform != recipes::Transform::None;
  const TileTransform forward = transform_of(direction, settings.hadamard_signs, false);
  const TileTransform back = transform_of(direction, settings.hadamard_signs, true);
  const PanelShape shape = shape_of(operand, direction);
  const auto kernels = lines::kernels_for(operand.scale, settings.instructions);
  const TensorScale scale = tensor_scale(from, operand, direction, settings);
  PanelReader reader(from, shape, kernels, is_transformed ? &forward : nullptr);
  const bool goes_past_cache = shape.rows > 1 && !is_transformed && from.rows * from.columns > kPastCache;
  BlockRows block_rows(operand, shape, kernels, scale.pair, scale.above, settings, goes_past_cache);
  for_each_panel(from, shape, [&](const Panel& panel) {
    const PanelLines lines = reader.read(panel);
    float* result = to.data + panel.row * to.stride + panel.column;
    const std::int64_t first_element = (settings.first_row + panel.row) * from.columns + panel.column;
    block_rows.quantize(lines, panel, result, to.stride, first_element, from.columns);
    if (is_transformed) {
      transform(kernels, {result, to.stride}, panel.rows, panel.columns, back, result, to.stride);
    }
  });
  finish_copies_past_cache();
  return block_rows.statistics();
}

float amax(const Matrix& from, const recipes::Operand& operand, recipes::Direction direction,
           const Settings& settings) {
  const TileTransform forward = transform_of(direction, settings.hadamard_signs, false);
  const PanelShape shape = shape_of(operand, direction);
  const auto kernels = lines::kernels_for(operand.scale, settings.instructions);
  const bool is_transformed = operand.transform != recipes::Transform::None;
  PanelReader reader(from, shape, kernels, is_transformed ? &forward : nullptr);
  return largest_of_panels(from, shape, kernels, reader);
}

std::int64_t rows_of_part(const recipes::Operand& operand, recipes::Direction direction) {
  return shape_of(operand, direction).rows;
}

void hadamard(const Matrix& from, Output to, recipes::Direction direction, std::uint16_t signs) {
  transform_matrix(from, to, transform_of(direction, signs, false));
}

void inverse_hadamard(const Matrix& from, Output to, recipes::Direction direction, std::uint16_t signs) {
  transform_matrix(from, to, transform_of(direction, signs, true));
}

}  // namespace ampprof::quantize::cpu
