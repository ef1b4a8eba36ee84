// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/tiling.h"

#include <cmath>

namespace ampprof::rules {
namespace {

Tiling tile(double rows, double columns, double count, std::int64_t tile_rows, std::int64_t tile_columns) {
  const auto height = static_cast<double>(tile_rows);
  const auto width = static_cast<double>(tile_columns);
  const double tiles = std::ceil(rows / height) * std::ceil(columns / width);
  return {tile_rows, tile_columns, rows * columns / (tiles * height * width), tiles * count, std::nullopt};
}

}  // namespace

std::optional<Tiling> tiling_of(const Matmul& matmul, DType dtype, const gpu::DeviceCaps& device) {
  if (!matmul.output) return std::nullopt;
  const double rows = matmul.output->rows.at(matmul.alignable);
  const double columns = matmul.output->columns.at(matmul.alignable);
  if (!(rows > 0)) return std::nullopt;
  const bool is_large = device.major >= 8 && is_reduced_precision(dtype);
  Tiling best = tile(rows, columns, matmul.output->count, is_large ? 256 : 128, 128);
  const Tiling turned = tile(rows, columns, matmul.output->count, 128, is_large ? 256 : 128);
  if (turned.tile_fill > best.tile_fill) best = turned;
  if (device.multiprocessors == 0) {
    best.waves = std::nullopt;
  } else {
    *best.waves /= device.multiprocessors;
    best.tail_share = 1 - *best.waves / std::ceil(*best.waves);
  }
  return best;
}

std::string percent(double share) { return std::to_string(std::lround(share * 100)) + " %"; }

}  // namespace ampprof::rules
