// SPDX-License-Identifier: Apache-2.0
#include "reports/store/schema_steps.h"

#include <array>
#include <string_view>

#include "reports/records/statistics.h"
#include "reports/store/schema.h"
#include "reports/store/schema_step_1.h"
#include "reports/store/schema_step_1_values.h"
#include "reports/store/table.h"

namespace ampprof::store {
namespace {

// Append only: a released step never changes.
const std::array<std::string, kSchemaVersion> kSteps{std::string(kCallsOfStep1) + kValuesOfStep1};

template <class Stats>
std::string columns_of_statistics(const char* prefix) {
  std::string columns;
  each_statistic<Stats>([&]<class Value>(const Statistic<Stats, Value>& statistic) {
    if (statistic.since > 1) return;  // a later schema step adds the column
    if (!columns.empty()) columns += "\n  ";
    columns.append(prefix).append(statistic.column).append(" ").append(Stored<Value>::kType).append(",");
  });
  return columns;
}

void replace(std::string& text, std::string_view what, const std::string& by) {
  if (const auto place = text.find(what); place != std::string::npos) text.replace(place, what.size(), by);
}

}  // namespace

std::vector<std::string> schema_steps() {
  std::vector<std::string> steps(kSteps.begin(), kSteps.end());
  replace(steps.front(), "{error}", columns_of_statistics<ErrorStats>(""));
  replace(steps.front(), "{ranges}", columns_of_statistics<RangeStats>(""));
  replace(steps.front(), "{inherited_error}", columns_of_statistics<ErrorStats>("inherited_"));
  return steps;
}

}  // namespace ampprof::store
