// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "reports/gates/expression.h"

namespace ampprof::queries {
struct OpRow;
}

namespace ampprof::gates {

/// Adds the argument at `offset`: A or B, a level or a run's id, a phase, else a pattern. Throws RuleError for an
/// argument that the metric does not take, or for a second level, phase, pattern or side.
void add_argument(Selector& selector, const Metric& metric, const std::string& text, std::size_t offset,
                  bool two_reports);

/// Returns whether a pattern matches a call site by its op, its module, or both as in "conv1/conv2d".
bool names_site(const std::string& pattern, const queries::OpRow& op);

}  // namespace ampprof::gates
