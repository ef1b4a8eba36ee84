// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "precision/advice/candidates.h"

namespace ampprof::advice {

/// Computes how much more a candidate would cost per step in FP32.
class Fp32Cost {
 public:
  explicit Fp32Cost(const Evidence& evidence);

  /// Returns the time of the call site in the FP32 run minus its time in this run. Uses GPU times if both runs have
  /// them, else CPU times. Empty if the call site is missing in the FP32 run. Does not include the time that other ops
  /// gain or lose by receiving FP32 inputs.
  std::optional<double> time_us(const queries::OpRow& op) const;

  /// Returns the sum over all call sites of a candidate, forward and backward; empty if one is missing in the FP32 run.
  std::optional<double> time_us(const FunctionInModule& candidate) const;

  /// Returns the bytes written by casting half inputs up (4 per element), minus the bytes of the casts to half that AMP
  /// then does not insert.
  std::int64_t cast_bytes(const FunctionInModule& candidate) const;

 private:
  double steps_;
  std::map<std::string, const queries::OpRow*> plain_;  ///< ops of the FP32 run, by call site
};

}  // namespace ampprof::advice
