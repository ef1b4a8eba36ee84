// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "reports/gates/evidence.h"
#include "reports/gates/expression.h"

namespace ampprof::gates {

/// A number, or why there is none.
struct Value {
  std::optional<double> number = {};
  bool applies = true;      ///< false: there can be none
  std::string reason = {};  ///< a phrase, where there is no number
};

/// The value of a metric on an occasion, in the metric's unit.
Value value_of(const Metric& metric, const Selector& selector, const Occasion& occasion);

}  // namespace ampprof::gates
