// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "precision/formats/quantize/cache_lines.h"
#include "precision/formats/quantize/lines.h"
#include "precision/formats/quantize/matrix.h"
#include "precision/formats/recipes/operand.h"

/// Splits a matrix into panels: parts of some lines that fit into a cache, read as FP32 and transformed.
namespace ampprof::quantize {

inline constexpr std::int64_t kTile = 16;  ///< tile size of the Hadamard transform

/// Sizes of a block and of a panel in a row-major matrix.
struct PanelShape {
  std::int64_t block_rows = 1;
  std::int64_t block_columns = 1;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
};

/// Returns the sizes for an operand. Panels contain whole blocks and whole tiles of a transform.
PanelShape shape_of(const recipes::Operand& operand, recipes::Direction direction);

/// First element and sizes of a panel. Panels at the edges of the matrix are smaller.
struct Panel {
  std::int64_t row, column;
  std::int64_t rows, columns;
};

/// Calls `work(panel)` for each panel of a matrix, row by row.
template <typename Work>
void for_each_panel(const Matrix& matrix, const PanelShape& shape, Work work) {
  for (std::int64_t row = 0; row < matrix.rows; row += shape.rows) {
    for (std::int64_t column = 0; column < matrix.columns; column += shape.columns) {
      work(Panel{row, column, std::min(shape.rows, matrix.rows - row),
                 std::min(shape.columns, matrix.columns - column)});
    }
  }
}

/// FP32 lines of a panel.
struct PanelLines {
  const float* data;
  std::int64_t stride;

  const float* line(std::int64_t row) const { return data + row * stride; }
};

/// A Hadamard transform of tiles of 16.
struct TileTransform {
  recipes::Direction direction = recipes::Direction::Rowwise;
  lines::Signs signs = {};
  bool is_inverse = false;
};

TileTransform transform_of(recipes::Direction direction, std::uint16_t signs, bool is_inverse);

/// Transforms the whole tiles of a panel and copies the rest. `to` may be the same memory.
void transform(const lines::Kernels& kernels, PanelLines from, std::int64_t rows, std::int64_t columns,
               const TileTransform& by, float* to, std::int64_t to_stride);

/// Reads panels: in place, or into its own buffer, which the next read overwrites.
class PanelReader {
 public:
  /// `by` is the transform; null if there is none.
  PanelReader(const Matrix& from, const PanelShape& shape, const lines::Kernels& kernels, const TileTransform* by)
      : from_(from), kernels_(kernels), by_(by), width_(shape.columns) {
    if (by != nullptr || from.dtype != DType::Float) memory_.resize(static_cast<std::size_t>(shape.rows * width_));
  }

  PanelLines read(const Panel& panel);

 private:
  const Matrix& from_;
  const lines::Kernels& kernels_;
  const TileTransform* by_;
  std::int64_t width_;
  CacheLines<float> memory_;
};

}  // namespace ampprof::quantize
