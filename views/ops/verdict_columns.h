// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "precision/rules/verdict.h"
#include "views/table/column.h"

/// Columns of a Tensor Core verdict, in the object `tensor_core`.
namespace ampprof::views {

/// The part of a line that these columns show. All values are absent without a verdict.
struct WithVerdict {
  std::optional<rules::TensorCoreVerdict> verdict;
};

/// Tells whether the execution comes from cublasLt's answer instead of a kernel's name.
bool is_by_cublaslt(const rules::TensorCoreVerdict& verdict);

/// Returns the columns in the order of JSON.
std::vector<ColumnOf<WithVerdict>> verdict_columns();

}  // namespace ampprof::views
