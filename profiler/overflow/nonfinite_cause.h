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
  const ErrorStats* local = nullptr;  ///< against the call in FP32; null where nobody computed that
  double reference_amax = 0.0;        ///< the largest finite result of that
  bool takes_mask = false;            ///< it took -inf that the program wrote
  std::optional<bool> takes_zero{};   ///< a floating operand has a zero; empty where nobody looked
  std::optional<bool> gives_nan{};    ///< likewise, of its result
};

/// Returns the cause where the facts leave no other; else Unknown.
NonfiniteCause cause_of(const NonfiniteFacts& facts);

/// Returns the name of an op without its overload and the mark of a write in place: "div" of
/// "div_.Tensor" and of "_foreach_div_.List".
std::string_view family_of(std::string_view op);

/// Returns what became of NaN or inf where a call of this op took them and gave finite values.
NonfiniteOutcome outcome_of(std::string_view op);

/// Returns whether a call of this op reads nothing of the memory that it writes: zero_(), fill_(), copy_().
bool overwrites_unread(std::string_view op);

/// Returns whether calls of this op give a number that they are handed as it is: full(), fill_(), masked_fill().
bool writes_number(std::string_view op);

}  // namespace ampprof::profiler
