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

/// One function in one module: the smallest unit that a policy can name.
struct FunctionInModule {
  std::string function;
  std::string module;                                 ///< module path; "" outside all modules
  std::vector<const queries::OpRow*> forward;         ///< forward call sites that compute in reduced precision
  std::vector<const queries::OpRow*> backward;        ///< call sites of the backward ops
  Effects effects;                                    ///< effects of the forward sites whose impact is known
  std::vector<const std::vector<StepImpact>*> steps;  ///< impacts per step from which `effects` were computed
  std::string cannot;                                 ///< sentence: why the function cannot be registered; else ""

  std::vector<std::string> reasons;  ///< sentences: why the function must be registered whatever its impact
  std::int64_t overflows = 0;        ///< overflow events that began in this function; at least 1 if it overflows

  std::string name() const { return module.empty() ? function : function + " in " + module; }
};

/// Returns all candidates of a run, made of call sites that compute in reduced precision, in program order.
std::vector<FunctionInModule> candidates_of(const Evidence& evidence);

/// Returns the candidate that has this call site in its forward or backward; null if there is none.
FunctionInModule* candidate_of(std::vector<FunctionInModule>& candidates, const queries::OpRow& op);

/// Sums the impacts of everything outside the candidates: rounding of parameters and of the input, and ops that a
/// policy cannot name.
Effects rest_of(const Evidence& evidence, const std::vector<FunctionInModule>& candidates);

}  // namespace ampprof::advice
