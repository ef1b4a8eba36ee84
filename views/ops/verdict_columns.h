// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "precision/rules/verdict.h"
#include "views/table/column.h"

/// Declares the columns of a Tensor Core verdict. In JSON, they are in the object `tensor_core`.
namespace ampprof::views {

/// Base class of lines with columns of a verdict. Without a verdict, all values are absent.
struct WithVerdict {
  std::optional<rules::TensorCoreVerdict> verdict;
};

/// Returns whether cublasLt's answer, not a kernel's name, shows if the op ran on Tensor Cores.
bool is_by_cublaslt(const rules::TensorCoreVerdict& verdict);

/// Returns the columns of a verdict, in the order of JSON.
std::vector<ColumnOf<WithVerdict>> verdict_columns();

}  // namespace ampprof::views
