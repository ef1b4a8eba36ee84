// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "precision/rules/rule.h"

namespace ampprof::rules {

// One function per rule file.
Rule convolution_channels();
Rule depthwise_convolution();
Rule embedding_width();
Rule gemm_sizes();
Rule operand_layout();
Rule operand_type();
Rule recurrent_sizes();
Rule tile_fill();
Rule vocabulary_size();
Rule wave_fill();

std::span<const Rule> all_rules() {
  static const std::array kRules{
      operand_type(),    depthwise_convolution(), embedding_width(), gemm_sizes(), convolution_channels(),
      recurrent_sizes(), operand_layout(),        vocabulary_size(), tile_fill(),  wave_fill(),
  };
  return kRules;
}

}  // namespace ampprof::rules
