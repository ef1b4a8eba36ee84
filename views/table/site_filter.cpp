// SPDX-License-Identifier: Apache-2.0
#include "views/table/site_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/ops/nearest.h"
#include "reports/records/phase.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"

namespace ampprof::views {
namespace {

using analysis::Pattern;

Pattern pattern_of(const char* flag, const std::optional<std::string>& expression) {
  if (!expression) return {};
  if (expression->size() > Pattern::kLongest) {  // RE2's error message would quote the whole expression
    throw text::UsageError(fmt::format("{}: a regular expression may have at most {} bytes, this one has {}.", flag,
                                       Pattern::kLongest, expression->size()));
  }
  try {
    return Pattern(*expression);
  } catch (const Pattern::Error& error) {
    throw text::UsageError(fmt::format(
        "{}: '{}' is not a regular expression: {}. Put a backslash before ( ) [ ] + * ? to mean the character "
        "itself.",
        flag, *expression, error.what()));
  }
}

std::optional<Phase> phase_of(const std::optional<std::string>& word) {
  if (!word) return std::nullopt;
  if (const auto phase = phase_from(*word)) return phase;
  if (const auto phase = phase_from_short(*word)) return phase;
  const std::vector<std::string> names = phase_names();
  throw text::UsageError(fmt::format("--phase: unknown phase '{}'.{} Use one of {}.", *word,
                                     analysis::did_you_mean(*word, names), text::listed(names)));
}

}  // namespace

analysis::SiteFilter filter_of(const Selection& selection) {
  const std::optional<Phase> phase = phase_of(selection.phase);
  return {phase, pattern_of("--op", selection.op), pattern_of("--module", selection.module)};
}

}  // namespace ampprof::views
