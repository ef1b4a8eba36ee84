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

/// The smallest thing that a policy can name: a function as one module calls it.
struct FunctionInModule {
  std::string function;
  std::string module;                                 ///< "" outside all modules
  std::vector<const queries::OpRow*> forward;         ///< call sites that compute in reduced precision
  std::vector<const queries::OpRow*> backward;        ///< call sites of its backward
  Effects effects;                                    ///< of the forward sites whose impact is known
  std::vector<const std::vector<StepImpact>*> steps;  ///< of the impacts in that, each step after step
  std::string cannot;                                 ///< why it cannot be registered, a sentence; "" where it can

  std::vector<std::string> reasons;  ///< why it must be registered whatever its impact; sentences
  std::int64_t overflows = 0;        ///< overflow events that began here; at least 1 where it overflows

  std::string name() const { return module.empty() ? function : function + " in " + module; }
};

/// All candidates of a run, of call sites that compute in reduced precision, in the order of the program.
std::vector<FunctionInModule> candidates_of(const Evidence& evidence);

/// The candidate that a call site belongs to, as its forward or its backward; null where there is none.
FunctionInModule* candidate_of(std::vector<FunctionInModule>& candidates, const queries::OpRow& op);

/// Effects of impacts that belong to no candidate: roundings of parameters and of the input, ops that nobody can name.
Effects rest_of(const Evidence& evidence, const std::vector<FunctionInModule>& candidates);

}  // namespace ampprof::advice
