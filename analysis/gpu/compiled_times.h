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

/// Says what became of the call sites of a run without torch.compile in the run of the same program with it.
///
/// A call site that the compiled run has too (by phase, module, op and line; of several at one place the first so many)
/// was not compiled. Any other is covered by the regions of its phase that were called in the innermost module around
/// it. Refers to the rows that it was made from.
class CompiledTimes {
 public:
  CompiledTimes(const std::vector<queries::OpRow>& eager, const std::vector<queries::OpRow>& compiled);

  /// Returns the row of the compiled run for a call site that was not compiled; null for one that was.
  const queries::OpRow* uncompiled(const queries::OpRow& eager) const;
  /// Returns the regions that cover a call site, in the order of the program; none where it was not compiled.
  std::vector<const queries::OpRow*> covering(const queries::OpRow& eager) const;
  /// Tells whether a call site is the first that its regions cover: the one that their time is shown at.
  bool is_first_covered(const queries::OpRow& eager) const;

 private:
  using Place = std::pair<Phase, std::string>;  ///< phase and module
  using Regions = std::map<Place, std::vector<const queries::OpRow*>>;

  Regions::const_iterator region_around(const queries::OpRow& eager) const;

  Regions regions_;
  std::unordered_map<std::string, const queries::OpRow*> uncompiled_;  ///< by call site
  std::map<Place, std::string> first_covered_;                         ///< by place of the regions
};

}  // namespace ampprof::analysis
