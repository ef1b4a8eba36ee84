// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/store/table.h"

namespace ampprof::store {

/// Describes a table of a report.
struct DescribedTable {
  std::string_view name;
  std::string_view row;                      ///< a phrase that describes a row: "loss that was seen"
  std::vector<DeclaredColumn> columns = {};  ///< key columns first
};

/// Returns all tables of a report with all columns, from the declarations in tables.h and those of hand-written tables.
std::vector<DescribedTable> described_tables();

}  // namespace ampprof::store
