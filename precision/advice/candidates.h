// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "precision/advice/cover.h"
#include "reports/records/impact_estimate.h"

namespace ampprof::queries {
struct OpRow;
}

namespace ampprof::advice {

struct Evidence;

/// A function as one module calls it: the smallest thing that a policy can name.
struct FunctionInModule {
  std::string function;
  std::string module;                                 ///< "" outside all modules
  std::vector<const queries::OpRow*> forward;         ///< call sites that compute in reduced precision
  std::vector<const queries::OpRow*> backward;        ///< call sites of its backward
  Effects effects;                                    ///< effects of the forward sites whose impact is known
  std::vector<const std::vector<StepImpact>*> steps;  ///< the impacts behind `effects`, step by step
  std::string cannot;                                 ///< why it cannot be registered, a sentence; "" where it can be

  std::vector<std::string> reasons;  ///< why it must be registered whatever its impact; sentences
  std::int64_t overflows = 0;        ///< overflow events that began here; at least 1 if it overflows

  std::string name() const { return module.empty() ? function : function + " in " + module; }
};

/// Returns all candidates of a run, made of call sites that compute in reduced precision, in program order.
std::vector<FunctionInModule> candidates_of(const Evidence& evidence);

/// Returns the candidate that a call site belongs to, as its forward or its backward; null if there is none.
FunctionInModule* candidate_of(std::vector<FunctionInModule>& candidates, const queries::OpRow& op);

/// Sums the impacts that belong to no candidate: roundings of parameters and of the input, and ops that a policy cannot
/// name.
Effects rest_of(const Evidence& evidence, const std::vector<FunctionInModule>& candidates);

}  // namespace ampprof::advice
