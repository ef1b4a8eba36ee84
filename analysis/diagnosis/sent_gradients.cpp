// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/sent_gradients.h"

#include <algorithm>

#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/ops.h"
#include "reports/queries/updates.h"
#include "reports/records/collective.h"

namespace ampprof::analysis {
namespace {

bool has_fp32_weights(const Symptoms& symptoms) {
  return std::ranges::any_of(symptoms.updates,
                             [](const queries::UpdateRow* row) { return row->total.dtype == DType::Float; });
}

bool sends_gradients_in_16_bits(const queries::OpRow& op) {
  const bool is_of_gradients = op.phase == Phase::Backward || op.phase == Phase::Optimizer;
  return is_of_gradients && is_collective(op.op) && is_reduced_precision(op.dtype_in);
}

bool makes_what_is_sent(const queries::OpRow& cast, const queries::OpRow& sent) {
  return is_cast(cast.op) && cast.phase == sent.phase && cast.calls == sent.calls && cast.dtype_in == DType::Float &&
         cast.dtype_out == sent.dtype_in;
}

}  // namespace

const queries::OpRow* cast_of_sent_gradients(const Symptoms& symptoms) {
  if (!has_fp32_weights(symptoms)) return nullptr;
  for (const queries::OpRow* sent : symptoms.ops) {
    if (!sends_gradients_in_16_bits(*sent)) continue;
    const auto cast =
        std::ranges::find_if(symptoms.ops, [&](const queries::OpRow* op) { return makes_what_is_sent(*op, *sent); });
    if (cast != symptoms.ops.end()) return *cast;
  }
  return nullptr;
}

}  // namespace ampprof::analysis
