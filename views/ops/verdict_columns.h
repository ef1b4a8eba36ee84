// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "precision/rules/verdict.h"
#include "views/table/column.h"

/// Declares the columns of a Tensor Core verdict, in the object `tensor_core`.
namespace ampprof::views {

/// The part of a line that these columns show. All values are absent without a verdict.
struct WithVerdict {
  std::optional<rules::TensorCoreVerdict> verdict;
};

/// Tells whether cublasLt's answer, instead of a kernel's name, says how the op was executed.
bool is_by_cublaslt(const rules::TensorCoreVerdict& verdict);

/// Returns the columns in the order of JSON.
std::vector<ColumnOf<WithVerdict>> verdict_columns();

}  // namespace ampprof::views
