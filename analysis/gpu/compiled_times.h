// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "reports/records/phase.h"

namespace ampprof::queries {
struct OpRow;
}

namespace ampprof::analysis {

/// Maps the call sites of an eager run to the run of the same program under torch.compile.
///
/// A call site is not compiled if the compiled run has it too. Call sites of both runs match by phase, module, op and
/// line; call sites that are equal in all of these match in order. Compiled regions cover all other call sites: a
/// region covers call sites of its phase in the module that called the region. If a call site lies in several nested
/// modules with regions, the innermost module counts. The object refers to the rows that it was made from.
class CompiledTimes {
 public:
  CompiledTimes(const std::vector<queries::OpRow>& eager, const std::vector<queries::OpRow>& compiled);

  /// Returns the row of the compiled run for a call site that was not compiled; null for a compiled one.
  const queries::OpRow* uncompiled(const queries::OpRow& eager) const;
  /// Returns the regions that cover a call site, in program order; empty if there are none.
  std::vector<const queries::OpRow*> covering(const queries::OpRow& eager) const;
  /// Tells whether a call site is the first that its regions cover. The time of the regions is shown at that call site.
  bool is_first_covered(const queries::OpRow& eager) const;

 private:
  using Place = std::pair<Phase, std::string>;  ///< phase and module
  using Regions = std::map<Place, std::vector<const queries::OpRow*>>;

  Regions::const_iterator region_around(const queries::OpRow& eager) const;

  Regions regions_;
  std::unordered_map<std::string, const queries::OpRow*> uncompiled_;  ///< by call site
  std::map<Place, std::string> first_covered_;                         ///< call site, by key of `regions_`
};

}  // namespace ampprof::analysis
