// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/quantize/panels.h"

#include <numeric>

#include "precision/formats/types/widen.h"

namespace ampprof::quantize {
namespace {

/// Number of elements of a panel, and of one line of a panel. A panel fits into the L2 cache, a line into the L1 cache.
constexpr std::int64_t kPanel = 32768;
constexpr std::int64_t kLongestLine = 512;

void widen(const std::uint16_t* from, std::int64_t size, float* to) {
  error::cpu::widen_bfloat16({from, static_cast<std::size_t>(size)}, to);
}

/// Returns the number of elements, out of `size`, that are in whole tiles.
std::int64_t in_tiles(std::int64_t size) { return size / kTile * kTile; }

void transform_lines(const lines::Kernels& kernels, PanelLines from, std::int64_t rows, std::int64_t columns,
                     const lines::Signs& before, const lines::Signs& behind, float* to, std::int64_t to_stride) {
  const std::int64_t whole = in_tiles(columns);
  for (std::int64_t row = 0; row < rows; ++row) {
    const float* line = from.line(row);
    float* result = to + row * to_stride;
    kernels.transform_line(line, static_cast<std::size_t>(whole), before, behind, result);
    if (line != result) std::copy(line + whole, line + columns, result + whole);
  }
}

void transform_columns(const lines::Kernels& kernels, PanelLines from, std::int64_t rows, std::int64_t columns,
                       const lines::Signs& before, const lines::Signs& behind, float* to, std::int64_t to_stride) {
  const std::int64_t whole = in_tiles(rows);
  for (std::int64_t row = 0; row < whole; row += kTile) {
    kernels.transform_columns(from.line(row), from.stride, static_cast<std::size_t>(columns), before, behind,
                              to + row * to_stride, to_stride);
  }
  for (std::int64_t row = whole; row < rows; ++row) {
    const float* line = from.line(row);
    float* result = to + row * to_stride;
    if (line != result) std::copy(line, line + columns, result);
  }
}

}  // namespace

PanelShape shape_of(const recipes::Operand& operand, recipes::Direction direction) {
  const std::int64_t across = std::max(operand.block.across, 1);
  const std::int64_t along = std::max(operand.block.along, 1);
  const bool is_rowwise = direction == recipes::Direction::Rowwise;
  const bool is_transformed = operand.transform != recipes::Transform::None;
  const std::int64_t tiled = is_transformed ? std::lcm(along, kTile) : along;
  PanelShape shape{.block_rows = is_rowwise ? across : along, .block_columns = is_rowwise ? along : across};
  shape.rows = is_rowwise ? across : tiled;
  const std::int64_t step = is_rowwise ? tiled : across;
  const std::int64_t wanted = std::min(kPanel / shape.rows, kLongestLine);
  shape.columns = std::max(wanted / step, std::int64_t{1}) * step;
  return shape;
}

TileTransform transform_of(recipes::Direction direction, std::uint16_t signs, bool is_inverse) {
  TileTransform transform{.direction = direction, .is_inverse = is_inverse};
  for (std::size_t i = 0; i < transform.signs.size(); ++i) {
    transform.signs[i] = (signs >> i & 1) != 0 ? -1.0F : 1.0F;
  }
  return transform;
}

void transform(const lines::Kernels& kernels, PanelLines from, std::int64_t rows, std::int64_t columns,
               const TileTransform& by, float* to, std::int64_t to_stride) {
  lines::Signs ones;
  ones.fill(1.0F);
  const lines::Signs& before = by.is_inverse ? ones : by.signs;
  const lines::Signs& behind = by.is_inverse ? by.signs : ones;
  const bool is_rowwise = by.direction == recipes::Direction::Rowwise;
  (is_rowwise ? transform_lines : transform_columns)(kernels, from, rows, columns, before, behind, to, to_stride);
}

PanelLines PanelReader::read(const Panel& panel) {
  const std::int64_t first = panel.row * from_.stride + panel.column;
  PanelLines lines{static_cast<const float*>(from_.data) + first, from_.stride};
  if (from_.dtype == DType::BFloat16) {
    const auto* data = static_cast<const std::uint16_t*>(from_.data) + first;
    for (std::int64_t row = 0; row < panel.rows; ++row) {
      widen(data + row * from_.stride, panel.columns, memory_.data() + row * width_);
    }
    lines = {memory_.data(), width_};
  }
  if (by_ == nullptr) return lines;
  transform(kernels_, lines, panel.rows, panel.columns, *by_, memory_.data(), width_);
  return {memory_.data(), width_};
}

}  // namespace ampprof::quantize
