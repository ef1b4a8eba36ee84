// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "reports/records/dtype.h"
#include "reports/records/event.h"
#include "reports/records/statistics.h"

namespace ampprof::profiler {

/// Facts of a call that turned finite values into NaN or inf.
struct NonfiniteFacts {
  std::string_view op;                ///< such as "div.Tensor"
  DType type = DType::Unknown;        ///< type of the result
  const ErrorStats* local = nullptr;  ///< error against the call in FP32; null if there is none
  double reference_amax = 0.0;        ///< largest finite magnitude in the reference's result
  bool takes_mask = false;            ///< an input has -inf that the program wrote
  std::optional<bool> takes_zero{};   ///< a floating operand has a zero; empty if unknown
  std::optional<bool> gives_nan{};    ///< the result has NaN; empty if unknown
};

/// Returns the cause if the facts allow only one; else Unknown.
NonfiniteCause cause_of(const NonfiniteFacts& facts);

/// Returns the name of an op without overload name, in-place underscore and "_foreach_": "div" for "div_.Tensor" and
/// for "_foreach_div_.List".
std::string_view family_of(std::string_view op);

/// Returns the outcome of NaN or inf that a call of this op turned into finite values.
NonfiniteOutcome outcome_of(std::string_view op);

/// Returns whether a call of this op overwrites memory without reading it first: zero_(), fill_(), copy_().
bool overwrites_unread(std::string_view op);

/// Returns whether results of this op contain a number argument unchanged: full(), fill_(), masked_fill().
bool writes_number(std::string_view op);

}  // namespace ampprof::profiler
