// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "precision/advice/candidates.h"

namespace ampprof::advice {

/// Tells how much more a candidate would cost in FP32, a step.
class Fp32Cost {
 public:
  explicit Fp32Cost(const Evidence& evidence);

  /// Time of the same call site in the run in FP32, less its time in this one: of the GPU where both runs saw one, else
  /// of the CPU. Empty where it is not in that run. What other ops gain or lose by receiving FP32 is not in it.
  std::optional<double> time_us(const queries::OpRow& op) const;

  /// Returns the time of all call sites of a candidate, forward and backward; empty where one is not in that run.
  std::optional<double> time_us(const FunctionInModule& candidate) const;

  /// Half inputs to be cast up, 4 bytes an element, less the casts to half that AMP does not insert any more.
  std::int64_t cast_bytes(const FunctionInModule& candidate) const;

 private:
  double steps_;
  std::map<std::string, const queries::OpRow*> plain_;  ///< by call site
};

}  // namespace ampprof::advice
