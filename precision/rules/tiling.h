// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "precision/gpu/device_caps.h"
#include "precision/rules/matmuls/matmul.h"

namespace ampprof::rules {

/// How a matmul's result falls into tiles, one per multiprocessor at a time. An estimate: which tile a library takes
/// is known only when the kernel's name is.
struct Tiling {
  std::int64_t tile_rows = 0;
  std::int64_t tile_columns = 0;
  double tile_fill = 1.0;                 ///< elements of the result over those of its tiles
  std::optional<double> waves = {};       ///< tiles over multiprocessors; empty where their number is unknown
  std::optional<double> tail_share = {};  ///< share of all waves' multiprocessors that have no tile
};

/// The usual tile of the GPU and type, the way round that fills better: 256x128 for types of 16 and 8 bits from compute
/// capability 8.0 on, else 128x128. Empty where the result's rows are not known.
std::optional<Tiling> tiling_of(const Matmul& matmul, DType dtype, const gpu::DeviceCaps& device);

/// "37 %"
std::string percent(double share);

}  // namespace ampprof::rules
