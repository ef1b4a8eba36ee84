// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "precision/gpu/device_caps.h"
#include "precision/rules/matmuls/matmul.h"

namespace ampprof::rules {

/// Division of a matmul's result into tiles, one per multiprocessor at a time. An estimate: only the kernel's name
/// tells which tile the library chose.
struct Tiling {
  std::int64_t tile_rows = 0;
  std::int64_t tile_columns = 0;
  double tile_fill = 1.0;                 ///< number of elements of the result divided by that of its tiles
  std::optional<double> waves = {};       ///< tiles divided by multiprocessors; empty if the latter are unknown
  std::optional<double> tail_share = {};  ///< share of idle multiprocessors over all waves
};

/// Returns the tiling with the usual tile of the GPU and type, in the orientation that fills better: 256x128 for types
/// of 16 and 8 bits from compute capability 8.0 on, else 128x128. Empty if the result's rows are unknown.
std::optional<Tiling> tiling_of(const Matmul& matmul, DType dtype, const gpu::DeviceCaps& device);

/// Returns a share as a text: "37 %".
std::string percent(double share);

}  // namespace ampprof::rules
