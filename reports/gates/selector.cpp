// SPDX-License-Identifier: Apache-2.0
#include "reports/gates/selector.h"

#include <algorithm>

#include "reports/gates/characters.h"
#include "reports/gates/glob.h"
#include "reports/gates/rule_error.h"
#include "reports/queries/ops.h"
#include "reports/records/phase.h"

namespace ampprof::gates {
namespace {

// Accepts "O1", "o1", or the id of a run.
bool is_run(const std::string& text) {
  const bool is_id = std::all_of(text.begin(), text.end(), is_digit);
  return is_id || (text.size() == 2 && (text[0] == 'O' || text[0] == 'o') && is_digit(text[1]));
}

template <class T>
void set_once(std::optional<T>& value, T said, std::size_t offset, const char* what) {
  if (value) throw RuleError(offset, std::string("A second ") + what + ": a metric takes one.");
  value = std::move(said);
}

std::string what_it_takes(const Metric& metric) {
  const std::string takes(metric.name);
  if (metric.takes_phase()) return takes + " takes a level, a phase and a pattern of call sites.";
  if (metric.takes_pattern()) return takes + " takes a level and a pattern.";
  return takes + " takes a level, such as O1, or the id of a run.";
}

}  // namespace

void add_argument(Selector& selector, const Metric& metric, const std::string& text, std::size_t offset,
                  bool two_reports) {
  if (text.empty()) throw RuleError(offset, "An argument is missing. " + what_it_takes(metric));
  if (text == "A" || text == "B") {
    if (!two_reports)
      throw RuleError(offset, "A and B are the two sides of `ampprof diff`; here there is only one report.");
    set_once(selector.side, text == "A" ? SideName::A : SideName::B, offset, "side");
  } else if (is_run(text)) {
    set_once(selector.run, text, offset, "level");
  } else if (const auto phase = phase_from(text); phase && metric.takes_phase()) {
    set_once(selector.phase, *phase, offset, "phase");
  } else if (metric.takes_pattern()) {
    set_once(selector.pattern, text, offset, "pattern");
  } else {
    throw RuleError(offset, "'" + text + "' is not a level. " + what_it_takes(metric));
  }
}

bool names_site(const std::string& pattern, const queries::OpRow& op) {
  return fits(pattern, op.op) || fits(pattern, op.module) || fits(pattern, op.module + '/' + op.op) ||
         fits(pattern, op.call_site);
}

}  // namespace ampprof::gates
