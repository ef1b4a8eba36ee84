// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "analysis/diagnosis/diagnosis_rule.h"

namespace ampprof::analysis {

// Each rule file defines one function.
DiagnosisRule amplified_error();
DiagnosisRule buffer_out_of_range();
DiagnosisRule cause_upstream();
DiagnosisRule clip_before_unscale();
DiagnosisRule communication_cast();
DiagnosisRule decisions_flip();
DiagnosisRule flushed_cast();
DiagnosisRule gradients_flushed();
DiagnosisRule gradients_stay_scaled();
DiagnosisRule loss_changes();
DiagnosisRule loss_not_scaled();
DiagnosisRule loss_scale_begins_anew();
DiagnosisRule loss_scale_grows_too_often();
DiagnosisRule loss_scale_too_large();
DiagnosisRule lossy_gradient();
DiagnosisRule lost_accumulation();
DiagnosisRule lost_average();
DiagnosisRule lost_optimizer_state();
DiagnosisRule lost_sum();
DiagnosisRule lost_updates();
DiagnosisRule optimizer_constant();
DiagnosisRule overflow_held_by_fp32();
DiagnosisRule ranks_with_other_scales();
DiagnosisRule repeated_positions();
DiagnosisRule stale_cast();
DiagnosisRule unknown_origin();
DiagnosisRule value_not_held_by_fp32();

std::span<const DiagnosisRule> all_diagnosis_rules() {
  static const std::array kRules{
      stale_cast(),
      ranks_with_other_scales(),
      gradients_stay_scaled(),
      loss_not_scaled(),
      overflow_held_by_fp32(),
      buffer_out_of_range(),
      optimizer_constant(),
      cause_upstream(),
      value_not_held_by_fp32(),
      clip_before_unscale(),
      communication_cast(),
      loss_scale_too_large(),
      loss_scale_grows_too_often(),
      loss_scale_begins_anew(),
      gradients_flushed(),
      lost_updates(),
      lost_accumulation(),
      lost_average(),
      lost_optimizer_state(),
      decisions_flip(),
      amplified_error(),
      repeated_positions(),
      flushed_cast(),
      lost_sum(),
      unknown_origin(),
      lossy_gradient(),
      loss_changes(),
  };
  return kRules;
}

}  // namespace ampprof::analysis
