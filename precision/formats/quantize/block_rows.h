// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "precision/formats/quantize/panels.h"
#include "precision/formats/quantize/quantize.h"
#include "precision/formats/quantize/scale.h"
#include "reports/records/recipe_matmul.h"

namespace ampprof::quantize {

/// Returns the largest magnitude of some lines, ignoring NaN. `magnitude` is the largest magnitude, as bits, including
/// NaN. The lines are read again only if it is a NaN.
float largest_but_nan(std::int32_t magnitude, PanelLines lines, std::int64_t rows, std::int64_t columns);

/// Rounds rows of blocks inside panels and sums the rounding losses. The buffers have room for one row of blocks.
class BlockRows {
 public:
  BlockRows(const recipes::Operand& operand, const PanelShape& shape, const lines::Kernels& kernels,
            ScalePair of_tensor, float above_e4m3, const Settings& settings, bool goes_past_cache);

  /// Rounds a panel to `to`. `first_element` is the index of the panel's first element in the row-major tensor, whose
  /// rows have `tensor_columns` elements.
  void quantize(PanelLines lines, const Panel& panel, float* to, std::int64_t to_stride, std::int64_t first_element,
                std::int64_t tensor_columns);

  OperandRounding statistics() const { return statistics_; }

 private:
  std::int32_t find_scales(PanelLines lines, std::int64_t rows, std::int64_t columns);
  void find_magnitudes(PanelLines lines, std::int64_t rows, std::size_t size, std::size_t width);
  void leave_out_nan(PanelLines lines, std::int64_t rows, std::int64_t columns, std::size_t width);
  bool can_saturate(std::int32_t magnitude) const;
  void round(const float* line, std::size_t size, float* to, std::int64_t first_element, bool may_saturate);
  void add_line(const float* line, const float* rounded, std::size_t size, std::int32_t magnitude);

  recipes::Operand operand_;
  PanelShape shape_;
  const lines::Kernels& kernels_;
  RandomKey random_;
  error::cpu::InstructionSet instructions_;
  ElementRange range_;
  float above_e4m3_;
  CacheLines<std::int32_t> magnitudes_, group_magnitudes_;
  CacheLines<float> multipliers_, inverses_, group_multipliers_, group_inverses_;
  CacheLines<float> rounded_;  ///< a line to be stored past the cache; empty if results go through the cache
  CacheLines<std::uint16_t> halves_;
  OperandRounding statistics_;
};

}  // namespace ampprof::quantize
