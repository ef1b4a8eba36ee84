// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "reports/gates/expression.h"

namespace ampprof::queries {
struct OpRow;
}

namespace ampprof::gates {

/// Takes an argument that stands at `offset`: A or B, a level or a run's id, a phase, else a pattern. Throws RuleError
/// for one that the metric does not take or that is said twice.
void add_argument(Selector& selector, const Metric& metric, const std::string& text, std::size_t offset,
                  bool two_reports);

/// Whether a pattern names a call site: by its op, its module, or both as in "conv1/conv2d".
bool names_site(const std::string& pattern, const queries::OpRow& op);

}  // namespace ampprof::gates
