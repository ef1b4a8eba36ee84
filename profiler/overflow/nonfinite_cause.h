// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "reports/records/dtype.h"
#include "reports/records/event.h"
#include "reports/records/statistics.h"

namespace ampprof::profiler {

/// Facts of a call that made NaN or inf of finite values.
struct NonfiniteFacts {
  std::string_view op;                ///< "div.Tensor"
  DType type = DType::Unknown;        ///< of the result
  const ErrorStats* local = nullptr;  ///< against the call in FP32; null without such a reference
  double reference_amax = 0.0;        ///< the largest finite result of the reference
  bool takes_mask = false;            ///< it took -inf that the program wrote
  std::optional<bool> takes_zero{};   ///< a floating operand has a zero; empty if unknown
  std::optional<bool> gives_nan{};    ///< the result has NaN; empty if unknown
};

/// Returns the cause if the facts allow only one; else Unknown.
NonfiniteCause cause_of(const NonfiniteFacts& facts);

/// Returns the name of an op without its overload and the mark of a write in place: "div" of "div_.Tensor" and of
/// "_foreach_div_.List".
std::string_view family_of(std::string_view op);

/// Returns the outcome of NaN or inf in a call of this op that gave finite values.
NonfiniteOutcome outcome_of(std::string_view op);

/// Returns whether a call of this op reads no memory that it writes: zero_(), fill_(), copy_().
bool overwrites_unread(std::string_view op);

/// Returns whether calls of this op return a number from their arguments unchanged: full(), fill_(), masked_fill().
bool writes_number(std::string_view op);

}  // namespace ampprof::profiler
